package consumers

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Demands on the relocations of a relocatable file. Other files and raw
// sections meet all of them.
func relocTerms() map[Demand]term {
	return map[Demand]term{
		"relocated": {"a section with FDEs has relocations", onRelocs(func(x *subject) *Verdict {
			if x.s.Header().NumFDEs == 0 || len(x.f.Relocs) > 0 {
				return nil
			}
			return x.section(shType, "the section has %d FDEs but no relocation", x.s.Header().NumFDEs)
		})},
		"one-relocation-each": {"there are as many relocations as FDEs, apart from `R_*_NONE`", onRelocs(func(x *subject) *Verdict {
			n := 0
			for i := range x.f.Relocs {
				if !x.none(&x.f.Relocs[i]) {
					n++
				}
			}
			if n == 0 && len(x.f.Relocs) == 0 || n == int(x.s.Header().NumFDEs) {
				return nil
			}
			return x.section(shType, "%d FDEs have %d relocations", x.s.Header().NumFDEs, n)
		})},
		"spare-relocations-none": {"all relocations beyond the number of FDEs are `R_*_NONE`", onRelocs(func(x *subject) *Verdict {
			n := int(x.s.Header().NumFDEs)
			for i := n; i < len(x.f.Relocs); i++ {
				if r := &x.f.Relocs[i]; !x.none(r) {
					return inFile(r.Entry, "relocation %d is not R_*_NONE, but there are only %d FDEs", i+1, n)
				}
			}
			return nil
		})},
		"relocations-on-starts": {"every start field has a relocation, in the order of the FDEs", onRelocs(findUnrelocated)},
		"narrow-relocations": {"no relocation has 64 bits (ABIS)", func(x *subject, a Arg) *Verdict {
			return onRelocs(func(x *subject) *Verdict { return findWide(x, a) })(x, a)
		}},
		"functions-defined": {"every function is in a section of the file", onRelocs(findUndefined)},
	}
}

func inFile(sp model.Span, format string, args ...any) *Verdict {
	h := at(sp, format, args...)
	h.InFile = true
	return h
}

// onRelocs returns a demand that skips files with unknown relocations.
func onRelocs(find func(*subject) *Verdict) finder {
	return onModel(func(x *subject) *Verdict {
		if x.o.ELF == nil || !x.o.ELF.Relocatable() || x.relocsUnread() {
			return nil
		}
		return find(x)
	})
}

// none reports whether a relocation has no effect.
func (x *subject) none(r *reader.Reloc) bool { return x.o.ELF.ABI().NoEffect(r.Type) }

// findUnrelocated walks relocations and FDEs in step, so it does not find
// relocations that are out of order.
func findUnrelocated(x *subject) *Verdict {
	k := 0
	for f := range x.s.FDEs() {
		off := f.FieldSpan(model.FDEStart).Off
		for k < len(x.f.Relocs) && x.f.Relocs[k].Offset < off {
			k++
		}
		if k == len(x.f.Relocs) || x.f.Relocs[k].Offset != off {
			return inFDE(f, f.FieldSpan(model.FDEStart), "the start field of FDE %d has no relocation, or one that is out of order", f.Index())
		}
	}
	return nil
}

// findWide finds relocations of 64 bits in sections of some ABIs.
func findWide(x *subject, a Arg) *Verdict {
	abi := x.o.ELF.ABI()
	for i := range x.f.Relocs {
		r := &x.f.Relocs[i]
		if width, _ := abi.RelocField(r.Type); width == 8 && slices.Contains(a.ABIs, abi.ID) {
			return inFile(r.Entry, "the relocation at 0x%x of the section is %s", r.Offset, abi.RelocName(r.Type))
		}
	}
	return nil
}

// findUndefined finds starts outside the file's sections.
func findUndefined(x *subject) *Verdict {
	for i := range x.f.Relocs {
		r := &x.f.Relocs[i]
		y, ok := x.o.ELF.Symbols.Symbol(int(r.Symbol))
		if ok && (y.Section > 0 && y.Section < len(x.o.ELF.Sections)) || x.none(r) && (r.Symbol != 0 || x.hasNeighbour(r)) {
			continue
		}
		return inFile(r.Entry, "the relocation at 0x%x of the section has no symbol in a section of the file", r.Offset)
	}
	return nil
}

// hasNeighbour reports whether the start field at a relocation's offset has another one, by which
// the start is known.
func (x *subject) hasNeighbour(r *reader.Reloc) bool {
	fdes, size := x.s.FDESubsection(), int64(model.FDESize(x.s.Version()))
	at := r.Offset - fdes.Off
	return size > 0 && at >= 0 && at%size == 0 && at/size < int64(x.s.NumFDEs()) && x.s.FDE(int(at/size)).Resolved()
}
