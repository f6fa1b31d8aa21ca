package breaks

import (
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// Call frame information of which a break states one thing: all other values are
// given by expressions that cannot be compared with FREs (DW_OP_lit0).
//
// The numbers are those of DWARF 5, 7.24, and of the AArch64 ABI.
const (
	dwCFADefCFASF         = 0x12
	dwCFADefCFAExpression = 0x0f
	dwCFAExpression       = 0x10
	dwCFAOffsetExtendedSF = 0x11
	dwCFAUndefined        = 0x07
	dwCFAValOffset        = 0x14
	dwCFANegateRAState    = 0x2d
	dwOpLit0              = 0x30
	raSignState           = 34 // AArch64
)

// cfiFDE is an FDE of .eh_frame to write.
type cfiFDE struct {
	start   uint64
	size    uint64
	program []byte
}

// cfi is .eh_frame to write.
type cfi struct {
	signal bool // the functions are signal trampolines
	fdes   []cfiFDE
}

// addCFI adds .eh_frame to a file. In an object file the starts need relocations: it returns their
// offsets.
func (d *draft) addCFI(x cfi) (starts []uint64) {
	augmentation := ""
	if x.signal {
		augmentation = "S"
	}
	b := d.cfiEntry(nil, slices.Concat([]byte{0, 0, 0, 0, 1}, []byte("z"+augmentation+"R\x00"),
		[]byte{1, 1, byte(d.abi().RA), 1, 0})) // factors 1, the RA column, absolute pointers
	for _, f := range x.fdes {
		body := make([]byte, 20)
		number.Put(d.order(), body[:4], uint64(len(b)+4))
		number.Put(d.order(), body[4:12], f.start)
		number.Put(d.order(), body[12:], f.size)
		starts = append(starts, uint64(len(b)+8))
		b = d.cfiEntry(b, slices.Concat(body, []byte{0}, f.program))
	}
	name := d.addName(".eh_frame")
	at := d.append(b)
	d.addHeaderOf(map[model.Span]uint64{
		shName: name, shType: uint64(elf.SHT_PROGBITS), shOffset: uint64(at), shSize: uint64(len(b)), shAddralign: 8,
	})
	return starts
}

// cfiEntry appends an entry with its length.
func (d *draft) cfiEntry(b, body []byte) []byte {
	for len(body)%4 != 0 {
		body = append(body, 0)
	}
	length := make([]byte, 4)
	number.Put(d.order(), length, uint64(len(body)))
	return slices.Concat(b, length, body)
}

// cfiOf returns an FDE for the code of a function, whose rules cannot be compared.
func (d *draft) cfiOf(i int) cfiFDE {
	f := d.fn(i)
	return cfiFDE{f.Start, uint64(f.Size), d.blind(false)}
}

// blind returns instructions after which no rule can be compared; signing says that it can be whether RA is signed.
func (d *draft) blind(signing bool) []byte {
	abi := d.abi()
	b := []byte{dwCFADefCFAExpression, 1, dwOpLit0, dwCFAExpression, byte(abi.RA), 1, dwOpLit0, dwCFAExpression, byte(abi.FP), 1, dwOpLit0}
	if abi.Pauth && !signing {
		b = append(b, dwCFAValOffset, raSignState, 0)
	}
	return b
}

// kernelLost adds CFI for the code between a function and the next.
func kernelLost(d *draft, i int) anchor {
	f, entry := d.simpleCFI(i), d.entryOf(i)
	f.start, f.size = 0, d.fn(d.next(i)).Start-d.fn(i).Start-f.size
	at := d.addCFI(cfi{fdes: []cfiFDE{f}})[0]
	sec := d.elf.named(".eh_frame")
	abs64 := uint32(0) // the relocation that sets a field to an address of 64 bits
	for width, pcrel := uint8(0), false; width != 8 || pcrel; width, pcrel = d.abi().RelocField(abs64) {
		abs64++
	}
	addend := number.U64(entry[16:], d.plan.BigEndian) + uint64(d.fn(i).Size)
	number.Put(d.order(), entry[:8], at)
	number.Put(d.order(), entry[8:16], number.U64(entry[8:16], d.plan.BigEndian)>>32<<32|uint64(abs64))
	number.Put(d.order(), entry[16:], addend)
	of := slices.IndexFunc(d.elf.sections, func(s elfSection) bool { return s.at == sec.at })
	names := []uint64{d.addName(".rela.eh_frame"), d.addName(".modinfo")}
	d.addHeaderOf(map[model.Span]uint64{shName: names[0], shType: uint64(elf.SHT_RELA), shOffset: uint64(d.append(entry)), shSize: relaSize,
		shLink: uint64(d.elf.relocs().link), shInfo: uint64(of), shEntsize: relaSize, shAddralign: 8})
	d.addHeaderOf(map[model.Span]uint64{shName: names[1], shType: uint64(elf.SHT_PROGBITS), shFlags: uint64(elf.SHF_ALLOC), shOffset: uint64(sec.off), shAddralign: 1})
	return ofHeader(model.HdrNumFDEs)
}

// sleb encodes a signed number.
func sleb(v int64) []byte {
	var b []byte
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

// contradictRows makes breaks that add .eh_frame with one FDE, which contradicts all FREs
// of the function.
func contradictRows(ok func(s *Subject, i int) bool, signal, signing bool, program func(d *draft, i int) []byte, at func(i int) anchor) func(*Subject) []site {
	return withCFI(func(s *Subject, i int) bool { return s.framedFunc(i) && ok(s, i) }, func(d *draft, i int) anchor {
		f := d.cfiOf(i)
		f.program = append(d.blind(signing), program(d, i)...)
		d.addCFI(cfi{d.fn(i).Signal != signal, []cfiFDE{f}})
		return at(i)
	})
}

// withCFI makes breaks that add .eh_frame to a linked file.
func withCFI(ok func(s *Subject, i int) bool, do func(d *draft, i int) anchor) func(*Subject) []site {
	return claiming(sitesWhere(func(s *Subject) bool { return s.linked() && s.elf.named(".eh_frame") == nil }, eachFDE(func(s *Subject, i int) bool {
		f := s.fn(i)
		return s.inc(i) && f.Size > 0 && f.Start+uint64(f.Size) > f.Start && ok(s, i)
	}, do)), "header table")
}

// beforeGap reports whether there is code of more than some bytes between a function and the next one. No FDE has its size, or
// half of it: one with a wrong start would.
func (s *Subject) beforeGap(i int, more uint64) bool {
	next, end := s.next(i), s.fn(i).Start+uint64(s.fn(i).Size)
	if next < 0 || s.fn(next).Start <= end+more {
		return false
	}
	gap := s.fn(next).Start - end
	return !slices.ContainsFunc(s.plan.Funcs, func(f generator.Func) bool {
		return uint64(f.Size) == gap || uint64(f.Size) == gap/2 || uint64(f.Size) == gap-gap/2
	})
}

// gapCFI returns the CFI of the code between a function and the next one, which has the frame of the entry throughout.
func (d *draft) gapCFI(i int) cfiFDE {
	f := d.simpleCFI(i)
	f.start += f.size
	f.size = d.fn(d.next(i)).Start - f.start
	return f
}

// simpleCFI returns the CFI of a function that has the frame of its entry throughout.
func (d *draft) simpleCFI(i int) cfiFDE {
	abi, f := d.abi(), d.cfiOf(i)
	f.program = append([]byte{dwCFADefCFASF, byte(abi.SP)}, sleb(abi.EntryCFA)...)
	if !abi.TracksRA() {
		f.program = append(append(f.program, dwCFAOffsetExtendedSF, byte(abi.RA)), sleb(int64(abi.FixedRA))...)
	}
	return f
}

// framedFunc reports whether no row of a function is that of the outermost frame, and
// the first one covers code.
func (s *Subject) framedFunc(i int) bool {
	rows := s.fn(i).Rows
	return len(rows) > 0 && rows[0].Start == 0 && s.limitOf(i, 0) > 0 && !slices.ContainsFunc(rows, func(r generator.Row) bool {
		return r.Words != nil || r.Rules.CFA.Kind != model.InRegister
	})
}

// elsewhere is a distance from the CFA at which no generated row saves anything.
const elsewhere = -1 << 20

func ofFirstRow(i int) anchor { return ofRow(i, 0) }

// cfaElsewhere, raElsewhere and fpElsewhere are CFI of what no row gives, noRA of the outermost frame.
func cfaElsewhere(d *draft, _ int) []byte {
	return append([]byte{dwCFADefCFASF, byte(d.abi().SP)}, sleb(-elsewhere)...)
}
func raElsewhere(d *draft, _ int) []byte {
	return append([]byte{dwCFAOffsetExtendedSF, byte(d.abi().RA)}, sleb(elsewhere)...)
}
func fpElsewhere(d *draft, _ int) []byte {
	return append([]byte{dwCFAOffsetExtendedSF, byte(d.abi().FP)}, sleb(elsewhere)...)
}
func noRA(d *draft, _ int) []byte { return []byte{dwCFAUndefined, byte(d.abi().RA)} }

var cfiBreaks = []Break{
	fault("cfi-cfa", "SF6007 SF6022", "Adds .eh_frame with another CFA for a function.", proven,
		contradictRows(anyFDE, false, false, cfaElsewhere, ofFirstRow)),
	fault("cfi-ra", "SF6008 SF6022", "Adds .eh_frame with another place of RA for a function.", proven,
		contradictRows(func(s *Subject, i int) bool { return s.version().Info().Flex || tracksRA(s) }, false, false, raElsewhere, ofFirstRow)),
	fault("cfi-fp", "SF6009 SF6022", "Adds .eh_frame with another place of FP for a function.", proven,
		contradictRows(anyFDE, false, false, fpElsewhere, ofFirstRow)),
	fault("cfi-signed", "SF6010 SF6022", "Adds .eh_frame by which RA is signed where it is not, or the other way round.", proven,
		contradictRows(func(s *Subject, i int) bool { return pauth(s) && s.fn(i).PauthKey == model.SFRAME_AARCH64_PAUTH_KEY_A }, false, true,
			func(d *draft, i int) []byte {
				if d.row(i, 0).Mangled {
					return nil
				}
				return []byte{dwCFANegateRAState}
			}, func(i int) anchor { return ofInfo(i, 0) })),
	fault("cfi-outermost", "SF6011 SF6022", "Adds .eh_frame by which the frame of a function is the outermost one.", proven,
		contradictRows(func(s *Subject, i int) bool { return s.version().Info().Errata2 }, false, false, noRA, ofFirstRow)),
	fault("cfi-signal", "SF6012", "Adds .eh_frame by which a function is a signal trampoline.", proven,
		contradictRows(func(s *Subject, i int) bool { return s.version().Info().Signal && !s.fn(i).Signal }, true, false,
			func(*draft, int) []byte { return nil }, func(i int) anchor { return ofField(i, model.FDEInfo) })),
	fault("cfi-range", "SF6013", "Adds .eh_frame by which a function ends later than its FDE.", proven,
		withCFI(func(s *Subject, i int) bool { return s.next(i) < 0 || s.beforeGap(i, 0) }, func(d *draft, i int) anchor {
			f := d.cfiOf(i)
			f.size++
			d.addCFI(cfi{signal: d.fn(i).Signal, fdes: []cfiFDE{f}})
			return ofField(i, model.FDEFuncSize)
		})),
	fault("cfi-lost", "SF6024 SF6014 SF6015", "Adds .eh_frame and symbols for two functions that no FDE describes, between two others of the same input.", sections|machine|starts|symbols|end,
		claimingAll(withCFI(func(s *Subject, i int) bool { return s.inCode(i) && s.beforeGap(i, 1) && s.alike(i) }, func(d *draft, i int) anchor {
			next, f := d.next(i), d.gapCFI(i)
			g := f
			f.size /= 2
			g.start += f.size
			g.size -= f.size
			d.addCFI(cfi{signal: d.fn(i).Signal, fdes: []cfiFDE{d.cfiOf(i), f, g, d.cfiOf(next)}})
			d.addInput(d.textIndex(i), d.cfiOf(i), f, g, d.cfiOf(next))
			return ofHeader(model.HdrNumFDEs)
		}))),
	fault("cfi-never", "SF6021 SF6014 SF6015", "Adds .eh_frame and a symbol for a function that no FDE describes, whose CFI is simple.", sections|machine|starts|symbols|end,
		claimingAll(withCFI(func(s *Subject, i int) bool { return s.inCode(i) && s.beforeGap(i, 0) }, func(d *draft, i int) anchor {
			f := d.gapCFI(i)
			d.addCFI(cfi{fdes: []cfiFDE{f}})
			d.addSymbol(d.textIndex(i), f.start, f.size)
			return ofHeader(model.HdrNumFDEs)
		}))),
	fault("kernel-lost", "SF6025 SF6014 SF6015", "Makes an object file a module of a kernel, with .eh_frame for a function that no FDE describes.", sections|machine|relocs|starts|end,
		claiming(claimingAll(eachReloc(func(s *Subject, i int) bool {
			return s.elf.named(".eh_frame") == nil && s.inc(i) && s.fn(i).Size > 0 && s.beforeGap(i, 0)
		}, kernelLost)), "header table")),
	fault("cfi-missing", "SF6015", "Adds .eh_frame for all functions but one.", sections|machine|starts,
		claimingAll(withCFI(func(s *Subject, i int) bool {
			return len(s.plan.Funcs) > 3 && !slices.ContainsFunc(s.plan.Funcs, func(f generator.Func) bool { return f.Signal })
		}, func(d *draft, i int) anchor {
			var all []cfiFDE
			for k := range d.plan.Funcs {
				if k != i {
					all = append(all, d.cfiOf(k))
				}
			}
			d.addCFI(cfi{fdes: all})
			return ofField(i, model.FDEStart)
		}))),
	fault("cfi-inexpressible", "SF6016 SF6022", "Adds .eh_frame by which the frame of a function is the outermost one, which version 1 cannot express.", proven,
		contradictRows(func(s *Subject, i int) bool { return !s.version().Info().Errata2 }, false, false, noRA, ofFirstRow)),
	fault("cfi-damaged", "SF6017", "Adds .eh_frame with an instruction that does not exist.", proven,
		contradictRows(anyFDE, false, false, func(*draft, int) []byte { return []byte{0x3f} }, func(int) anchor {
			return anchor{inObject, func(s *Subject) model.Span {
				t := s.elf.named(".eh_frame")
				last := uint64(4) // the opcode and what pads the entry
				if s.abi().Pauth {
					last = 1
				}
				return model.Span{Off: int64(t.off + t.size - last), Len: 1}
			}}
		})),
	fault("cfi-dropped", "SF6014 SF6015", "Adds .eh_frame for three functions in a row, the second of which no FDE describes.", sections|machine|starts|end,
		claimingAll(withCFI(func(s *Subject, i int) bool { return s.beforeGap(i, 0) && s.alike(i) }, func(d *draft, i int) anchor {
			d.addCFI(cfi{signal: d.fn(i).Signal, fdes: []cfiFDE{d.cfiOf(i), d.gapCFI(i), d.cfiOf(d.next(i))}})
			return ofHeader(model.HdrNumFDEs)
		}))),
}

// alike reports whether one CIE does for a function and the next one, which have code.
func (s *Subject) alike(i int) bool {
	f, g := s.fn(i), s.fn(s.next(i))
	return f.Size > 0 && g.Size > 0 && f.Signal == g.Signal
}
