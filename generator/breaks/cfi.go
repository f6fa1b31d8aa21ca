package breaks

import (
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// CFI for breaks that set only one rule; all other rules are expressions that cannot be compared with FREs
// (DW_OP_lit0). The numbers are from DWARF 5, 7.24, and the AArch64 ABI.
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
func (x spot) addCFI(c cfi) (starts []uint64) {
	augmentation := ""
	if c.signal {
		augmentation = "S"
	}
	b := x.cfiEntry(nil, slices.Concat([]byte{0, 0, 0, 0, 1}, []byte("z"+augmentation+"R\x00"),
		[]byte{1, 1, byte(x.abi().RA), 1, 0})) // factors 1, the RA column, absolute pointers
	for _, f := range c.fdes {
		body := make([]byte, 20)
		number.Put(x.order(), body[:4], uint64(len(b)+4))
		number.Put(x.order(), body[4:12], f.start)
		number.Put(x.order(), body[12:], f.size)
		starts = append(starts, uint64(len(b)+8))
		b = x.cfiEntry(b, slices.Concat(body, []byte{0}, f.program))
	}
	name := x.addName(".eh_frame")
	at := x.append(b)
	x.addHeaderOf(map[model.Span]uint64{
		shName: name, shType: uint64(elf.SHT_PROGBITS), shOffset: uint64(at), shSize: uint64(len(b)), shAddralign: 8,
	})
	return starts
}

// cfiEntry appends an entry with its length.
func (x spot) cfiEntry(b, body []byte) []byte {
	for len(body)%4 != 0 {
		body = append(body, 0)
	}
	length := make([]byte, 4)
	number.Put(x.order(), length, uint64(len(body)))
	return slices.Concat(b, length, body)
}

// cfiOf returns an FDE for the code of a function, whose rules cannot be compared.
func (x spot) cfiOf() cfiFDE {
	f := x.fn()
	return cfiFDE{f.Start, uint64(f.Size), x.blind(false)}
}

// blind returns instructions after which no rule can be compared; signing says that it can be whether RA is signed.
func (x spot) blind(signing bool) []byte {
	abi := x.abi()
	b := []byte{dwCFADefCFAExpression, 1, dwOpLit0, dwCFAExpression, byte(abi.RA), 1, dwOpLit0, dwCFAExpression, byte(abi.FP), 1, dwOpLit0}
	if abi.Pauth && !signing {
		b = append(b, dwCFAValOffset, raSignState, 0)
	}
	return b
}

// kernelLost adds CFI for the code between a function and the next.
func kernelLost(x spot) anchor {
	f, entry := x.simpleCFI(), x.entryOf()
	f.start, f.size = 0, x.fde(x.next()).fn().Start-x.fn().Start-f.size
	at := x.addCFI(cfi{fdes: []cfiFDE{f}})[0]
	sec := x.elf.named(".eh_frame")
	abs64 := uint32(0) // the relocation that sets a field to an address of 64 bits
	for width, pcrel := uint8(0), false; width != 8 || pcrel; width, pcrel = x.abi().RelocField(abs64) {
		abs64++
	}
	addend := number.U64(entry[16:], x.plan.BigEndian) + uint64(x.fn().Size)
	number.Put(x.order(), entry[:8], at)
	number.Put(x.order(), entry[8:16], number.U64(entry[8:16], x.plan.BigEndian)>>32<<32|uint64(abs64))
	number.Put(x.order(), entry[16:], addend)
	of := slices.IndexFunc(x.elf.sections, func(s elfSection) bool { return s.at == sec.at })
	names := []uint64{x.addName(".rela.eh_frame"), x.addName(".modinfo")}
	x.addHeaderOf(map[model.Span]uint64{shName: names[0], shType: uint64(elf.SHT_RELA), shOffset: uint64(x.append(entry)), shSize: relaSize,
		shLink: uint64(x.elf.relocs().link), shInfo: uint64(of), shEntsize: relaSize, shAddralign: 8})
	x.addHeaderOf(map[model.Span]uint64{shName: names[1], shType: uint64(elf.SHT_PROGBITS), shFlags: uint64(elf.SHF_ALLOC), shOffset: uint64(sec.off), shAddralign: 1})
	return ofHeader(model.HdrNumFDEs)
}

// contradictRows makes breaks that add .eh_frame with one FDE, which contradicts all FREs
// of the function.
func contradictRows(ok test, signal, signing bool, program func(spot) []byte, at edit) sites {
	return withCFI(func(x spot) bool { return x.framedFunc() && ok(x) }, func(x spot) anchor {
		f := x.cfiOf()
		f.program = append(x.blind(signing), program(x)...)
		x.addCFI(cfi{x.fn().Signal != signal, []cfiFDE{f}})
		return at(x)
	})
}

// withCFI makes breaks that add .eh_frame to a linked file.
func withCFI(ok test, do edit) sites {
	return claiming(sitesWhere(func(x spot) bool { return x.linked() && x.elf.named(".eh_frame") == nil }, eachFDE(func(x spot) bool {
		f := x.fn()
		return x.inc() && f.Size > 0 && f.Start+uint64(f.Size) > f.Start && ok(x)
	}, do)), "header table")
}

// beforeGap reports whether there is code of more than some bytes between a function and the next one. No FDE has its size, or
// half of it: one with a wrong start would.
func (x spot) beforeGap(more uint64) bool {
	next, end := x.next(), x.fn().Start+uint64(x.fn().Size)
	if next < 0 || x.fde(next).fn().Start <= end+more {
		return false
	}
	gap := x.fde(next).fn().Start - end
	return !slices.ContainsFunc(x.plan.Funcs, func(f generator.Func) bool {
		return uint64(f.Size) == gap || uint64(f.Size) == gap/2 || uint64(f.Size) == gap-gap/2
	})
}

// gapCFI returns the CFI of the code between a function and the next one, which has the frame of the entry throughout.
func (x spot) gapCFI() cfiFDE {
	f := x.simpleCFI()
	f.start += f.size
	f.size = x.fde(x.next()).fn().Start - f.start
	return f
}

// simpleCFI returns the CFI of a function that has the frame of its entry throughout.
func (x spot) simpleCFI() cfiFDE {
	abi, f := x.abi(), x.cfiOf()
	f.program = number.AppendSLEB([]byte{dwCFADefCFASF, byte(abi.SP)}, abi.EntryCFA)
	if !abi.TracksRA() {
		f.program = number.AppendSLEB(append(f.program, dwCFAOffsetExtendedSF, byte(abi.RA)), int64(abi.FixedRA))
	}
	return f
}

// framedFunc reports whether no row of a function is that of the outermost frame, and
// the first one covers code.
func (x spot) framedFunc() bool {
	rows := x.fn().Rows
	return len(rows) > 0 && rows[0].Start == 0 && x.limitOf() > 0 && !slices.ContainsFunc(rows, func(r generator.Row) bool {
		return r.Words != nil || r.Rules.CFA.Kind != model.InRegister
	})
}

// elsewhere is a distance from the CFA at which no generated row saves anything.
const elsewhere = -1 << 20

// cfaElsewhere, raElsewhere and fpElsewhere are CFI of what no row gives, noRA of the outermost frame.
func cfaElsewhere(x spot) []byte {
	return number.AppendSLEB([]byte{dwCFADefCFASF, byte(x.abi().SP)}, -elsewhere)
}
func raElsewhere(x spot) []byte {
	return number.AppendSLEB([]byte{dwCFAOffsetExtendedSF, byte(x.abi().RA)}, elsewhere)
}
func fpElsewhere(x spot) []byte {
	return number.AppendSLEB([]byte{dwCFAOffsetExtendedSF, byte(x.abi().FP)}, elsewhere)
}
func noRA(x spot) []byte { return []byte{dwCFAUndefined, byte(x.abi().RA)} }

var cfiBreaks = []Break{
	fault("cfi-cfa", "SF6007 SF6022", "Adds .eh_frame with another CFA for a function.", proven,
		contradictRows(always, false, false, cfaElsewhere, spot.ofRow)),
	fault("cfi-ra", "SF6008 SF6022", "Adds .eh_frame with another place of RA for a function.", proven,
		contradictRows(func(x spot) bool { return x.format().Flex || tracksRA(x) }, false, false, raElsewhere, spot.ofRow)),
	fault("cfi-fp", "SF6009 SF6022", "Adds .eh_frame with another place of FP for a function.", proven,
		contradictRows(always, false, false, fpElsewhere, spot.ofRow)),
	fault("cfi-signed", "SF6010 SF6022", "Adds .eh_frame by which RA is signed where it is not, or the other way round.", proven,
		contradictRows(func(x spot) bool { return pauth(x) && x.fn().PauthKey == model.SFRAME_AARCH64_PAUTH_KEY_A }, false, true,
			func(x spot) []byte {
				if x.row().Mangled {
					return nil
				}
				return []byte{dwCFANegateRAState}
			}, spot.ofInfo)),
	fault("cfi-outermost", "SF6011 SF6022", "Adds .eh_frame by which the frame of a function is the outermost one.", proven,
		contradictRows(func(x spot) bool { return x.format().Errata2 }, false, false, noRA, spot.ofRow)),
	fault("cfi-signal", "SF6012", "Adds .eh_frame by which a function is a signal trampoline.", proven,
		contradictRows(func(x spot) bool { return x.format().Signal && !x.fn().Signal }, true, false,
			func(spot) []byte { return nil }, func(x spot) anchor { return x.ofField(model.FDEInfo) })),
	fault("cfi-range", "SF6013", "Adds .eh_frame by which a function ends later than its FDE.", proven,
		withCFI(func(x spot) bool { return x.next() < 0 || x.beforeGap(0) }, func(x spot) anchor {
			f := x.cfiOf()
			f.size++
			x.addCFI(cfi{signal: x.fn().Signal, fdes: []cfiFDE{f}})
			return x.ofField(model.FDEFuncSize)
		})),
	fault("cfi-lost", "SF6024 SF6014 SF6015", "Adds .eh_frame and symbols for two functions that no FDE describes, between two others of the same input.", sections|machine|starts|symbols|end,
		claimingAll(withCFI(func(x spot) bool { return x.inCode() && x.beforeGap(1) && x.alike() }, func(x spot) anchor {
			next, f := x.next(), x.gapCFI()
			g := f
			f.size /= 2
			g.start += f.size
			g.size -= f.size
			x.addCFI(cfi{signal: x.fn().Signal, fdes: []cfiFDE{x.cfiOf(), f, g, x.fde(next).cfiOf()}})
			x.addInput(x.textIndex(), x.cfiOf(), f, g, x.fde(next).cfiOf())
			return ofHeader(model.HdrNumFDEs)
		}))),
	fault("cfi-never", "SF6021 SF6014 SF6015", "Adds .eh_frame and a symbol for a function that no FDE describes, whose CFI is simple.", sections|machine|starts|symbols|end,
		claimingAll(withCFI(func(x spot) bool { return x.inCode() && x.beforeGap(0) }, func(x spot) anchor {
			f := x.gapCFI()
			x.addCFI(cfi{fdes: []cfiFDE{f}})
			x.addSymbol(x.textIndex(), f.start, f.size)
			return ofHeader(model.HdrNumFDEs)
		}))),
	fault("kernel-lost", "SF6025 SF6014 SF6015", "Makes an object file a module of a kernel, with .eh_frame for a function that no FDE describes.", sections|machine|relocs|starts|end,
		claiming(claimingAll(eachReloc(func(x spot) bool {
			return x.elf.named(".eh_frame") == nil && x.inc() && x.fn().Size > 0 && x.beforeGap(0)
		}, kernelLost)), "header table")),
	fault("cfi-missing", "SF6015", "Adds .eh_frame for all functions but one.", sections|machine|starts,
		claimingAll(withCFI(func(x spot) bool {
			return len(x.plan.Funcs) > 3 && !slices.ContainsFunc(x.plan.Funcs, func(f generator.Func) bool { return f.Signal })
		}, func(x spot) anchor {
			var all []cfiFDE
			for k := range x.plan.Funcs {
				if k != x.i {
					all = append(all, x.fde(k).cfiOf())
				}
			}
			x.addCFI(cfi{fdes: all})
			return x.ofField(model.FDEStart)
		}))),
	fault("cfi-inexpressible", "SF6016 SF6022", "Adds .eh_frame by which the frame of a function is the outermost one, which version 1 cannot express.", proven,
		contradictRows(func(x spot) bool { return !x.format().Errata2 }, false, false, noRA, spot.ofRow)),
	fault("cfi-damaged", "SF6017", "Adds .eh_frame with an instruction that does not exist.", proven,
		contradictRows(always, false, false, func(spot) []byte { return []byte{0x3f} }, func(spot) anchor {
			return ofFile(func(x spot) model.Span {
				t := x.elf.named(".eh_frame")
				last := uint64(4) // the opcode and what pads the entry
				if x.abi().Pauth {
					last = 1
				}
				return model.Span{Off: int64(t.off + t.size - last), Len: 1}
			})
		})),
	fault("cfi-dropped", "SF6014 SF6015", "Adds .eh_frame for three functions in a row, the second of which no FDE describes.", sections|machine|starts|end,
		claimingAll(withCFI(func(x spot) bool { return x.beforeGap(0) && x.alike() }, func(x spot) anchor {
			x.addCFI(cfi{signal: x.fn().Signal, fdes: []cfiFDE{x.cfiOf(), x.gapCFI(), x.fde(x.next()).cfiOf()}})
			return ofHeader(model.HdrNumFDEs)
		}))),
}

// alike reports whether one CIE does for a function and the next one, which have code.
func (x spot) alike() bool {
	f, g := x.fn(), x.fde(x.next()).fn()
	return f.Size > 0 && g.Size > 0 && f.Signal == g.Signal
}
