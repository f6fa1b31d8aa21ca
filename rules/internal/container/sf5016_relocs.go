package container

import (
	"debug/elf"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// relocRule makes a rule on the relocations of start fields.
func relocRule(r rules.Rule, check func(*rules.Context)) *rules.Rule {
	r.Files, r.Needs = rules.RelocatableFiles, rules.FDEsKnown|rules.RelocationsKnown
	return rules.New(r, check)
}

// target is what a relocation of a .sframe section applies to.
type target struct {
	fde   int  // the FDE it lies in, -1 for none
	start bool // it is the start field
}

// array returns the FDEs as a run of bytes: the offset of the first, the
// bytes of one and their number.
func array(c *rules.Context) (off, size int64, n int) {
	s := c.Section
	return s.FDESubsection().Off, int64(model.FDESize(s.Version())), s.NumFDEs()
}

// regular reports whether every FDE has its relocation and there are no
// others, as in all valid objects: the reader resolves a start if it has
// exactly one relocation of the right type.
func regular(c *rules.Context) bool {
	return !c.SFrame.Survey().Has(model.FunctionUnknown) && len(c.SFrame.Relocs) <= c.Section.NumFDEs()
}

// eachReloc calls yield for the relocations of a section, in the order of
// the file, with their targets.
func eachReloc(c *rules.Context, yield func(r *reader.Reloc, to target)) {
	off, size, n := array(c)
	for i := range c.SFrame.Relocs {
		r := &c.SFrame.Relocs[i]
		to := target{fde: -1}
		if at := r.Offset - off; at >= 0 && at/size < int64(n) {
			to.fde, to.start = int(at/size), at%size == 0
		}
		yield(r, to)
	}
}

// irregular is eachReloc for a section with irregular relocations.
func irregular(c *rules.Context, yield func(r *reader.Reloc, to target)) {
	if !regular(c) {
		eachReloc(c, yield)
	}
}

// live reports whether the relocation has an effect.
func live(c *rules.Context, r *reader.Reloc) bool {
	return !c.Object.ELF.ABI().NoEffect(r.Type)
}

// relocName returns the name of a relocation type.
func relocName(c *rules.Context, typ uint32) string {
	return c.Object.ELF.ABI().RelocName(typ)
}

var Unrelocated = relocRule(rules.Rule{ID: "SF5016"}, func(c *rules.Context) {
	_, _, n := array(c)
	if !c.SFrame.Survey().Has(model.FunctionUnknown) {
		return
	}
	if len(c.SFrame.Relocs) == 0 {
		c.FDE(c.Section.FDE(0), model.FDEStart, "no relocation applies to the section, which has %s: a linker cannot find the functions of the FDEs", rules.Count(n, "FDE"))
		return
	}
	has := make([]bool, n)
	dead := map[int]bool{}
	eachReloc(c, func(r *reader.Reloc, to target) {
		if to.start {
			has[to.fde] = has[to.fde] || live(c, r)
			dead[to.fde] = true
		}
	})
	c.SFrame.Survey().Each(model.FunctionUnknown, func(f model.FDE) {
		switch i := f.Index(); {
		case f.Resolved() || has[i]:
		case dead[i]:
			c.FDE(f, model.FDEStart, "the only relocation of %s is %s: a linker cannot find the function that the FDE describes", c.Section.FieldName(model.FDEStart), relocName(c, c.Object.ELF.ABI().RelocNone))
		default:
			c.FDE(f, model.FDEStart, "no relocation applies to %s: a linker cannot find the function that the FDE describes", c.Section.FieldName(model.FDEStart))
		}
	})
})

var SpareReloc = relocRule(rules.Rule{ID: "SF5017", Requires: []*analysis.Analyzer{prereq.TailOf}}, func(c *rules.Context) {
	off, size, n := array(c)
	var tail prereq.Tail // SF1019 counts the relocations of further sections
	if !regular(c) {
		tail = prereq.Get[prereq.Tail](c.Pass, prereq.TailOf)
	}
	irregular(c, func(r *reader.Reloc, to target) {
		if to.fde < 0 && live(c, r) && !tail.IsStart(r.Offset) {
			c.File(r.Entry, "the relocation %s applies to offset 0x%x of %s, outside the FDEs (0x%x to 0x%x): the linker overwrites the bytes there", relocName(c, r.Type), r.Offset, c.SFrame.Name, off, off+size*int64(n))
		}
	})
})

var MisplacedReloc = relocRule(rules.Rule{ID: "SF5018"}, func(c *rules.Context) {
	off, size, _ := array(c)
	irregular(c, func(r *reader.Reloc, to target) {
		if to.fde >= 0 && !to.start && live(c, r) {
			at := off + int64(to.fde)*size
			c.With(rules.FDE(to.fde)).File(r.Entry, "the relocation %s applies to offset 0x%x of %s, but %s is at 0x%x: the linker overwrites other fields of the FDE", relocName(c, r.Type), r.Offset, c.SFrame.Name, c.Section.FieldName(model.FDEStart), at)
		}
	})
})

var NoneReloc = relocRule(rules.Rule{ID: "SF5019"}, func(c *rules.Context) {
	irregular(c, func(r *reader.Reloc, to target) {
		if !live(c, r) {
			if c.Section.Version().Info().OutermostFDE {
				c = c.With(rules.Help("link the inputs of ld -r instead of its output"))
			}
			c.With(rules.FDE(to.fde)).File(r.Entry, "the relocation at offset 0x%x of %s is %s, which has no effect: linkers that pair relocations with FDEs by position assign wrong FREs", r.Offset, c.SFrame.Name, relocName(c, r.Type))
		}
	})
})

var RelocType = relocRule(rules.Rule{ID: "SF5020"}, func(c *rules.Context) {
	abi := c.Object.ELF
	if abi == nil || !abi.ABI().Known() {
		return
	}
	v := c.Section.Version()
	want, width := abi.ABI().StartReloc(v), v.Info().StartWidth
	irregular(c, func(r *reader.Reloc, to target) {
		if to.start && live(c, r) && r.Type != want {
			c.With(rules.FDE(to.fde)).File(r.Entry, "the relocation of %s is %s, but the field has %d bytes and needs %s: the linker does not write the distance to the function", c.Section.FieldName(model.FDEStart), relocName(c, r.Type), width, relocName(c, want))
		}
	})
})

var RelocOrder = relocRule(rules.Rule{ID: "SF5021"}, func(c *rules.Context) {
	last := -1
	eachReloc(c, func(r *reader.Reloc, to target) {
		if !to.start || !live(c, r) {
			return
		}
		if to.fde < last {
			c.With(rules.FDE(to.fde)).File(r.Entry, "the relocation of FDE %d comes after that of %s: GNU ld, which pairs relocations with FDEs by position, exchanges their FREs", to.fde, rules.FDE(last))
		}
		last = to.fde
	})
})

var DoubleReloc = relocRule(rules.Rule{ID: "SF5022"}, func(c *rules.Context) {
	seen := map[int]bool{}
	irregular(c, func(r *reader.Reloc, to target) {
		if !to.start || !live(c, r) {
			return
		}
		if seen[to.fde] {
			c.With(rules.FDE(to.fde)).File(r.Entry, "more than one relocation applies to %s: linkers disagree about the function that the FDE describes", c.Section.FieldName(model.FDEStart))
		}
		seen[to.fde] = true
	})
})

var UndefinedSymbol = relocRule(rules.Rule{ID: "SF5023"}, func(c *rules.Context) {
	irregular(c, func(r *reader.Reloc, to target) {
		if !to.start || !live(c, r) {
			return
		}
		table, sections := c.Object.ELF.Symbols, len(c.Object.ELF.Sections)
		y, ok := table.Symbol(int(r.Symbol))
		switch {
		case r.Symbol == 0:
			c.With(rules.FDE(to.fde)).File(r.Entry, "the relocation of %s has no symbol: the FDE describes no function", c.Section.FieldName(model.FDEStart))
		case !ok && table.Err() == nil:
			c.With(rules.FDE(to.fde)).File(r.Entry, "the relocation of %s refers to symbol %d, but the symbol table has only %d symbols: the FDE describes no function", c.Section.FieldName(model.FDEStart), r.Symbol, table.Len())
		case ok && y.Section == int(elf.SHN_UNDEF):
			c.With(rules.FDE(to.fde)).File(r.Entry, "the relocation of %s refers to symbol %q, which the file does not define: an FDE must describe a function of its own file", c.Section.FieldName(model.FDEStart), y.Name)
		case ok && (y.Reserved || y.Section >= sections):
			c.With(rules.FDE(to.fde)).File(r.Entry, "the relocation of %s refers to symbol %q, which is in no section (its st_shndx is 0x%x, but the file has %d sections): the FDE describes no function", c.Section.FieldName(model.FDEStart), y.Name, y.Section, sections)
		}
	})
})
