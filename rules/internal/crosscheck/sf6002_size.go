package crosscheck

import (
	"maps"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// SizeDiffers finds FDEs whose size differs from that of the function's symbol.
var SizeDiffers = newRule(rules.Rule{
	ID:       "SF6002",
	Title:    "function size differs from the symbol's",
	Clause:   "SFrame FDE",
	Files:    rules.ELFFiles,
	Needs:    []rules.Fact{rules.AttributesKnown, rules.StartsKnown, rules.StartsAsFlagged, rules.SymbolsReadable},
	Severity: rules.Warning,
	Text: `The symbol at the start of the FDE's function has another size. If the FDE is
shorter, a tracer finds no FRE for the end of the function. If it is longer, the
tracer applies the last FRE to code after the function. The rule skips FDEs of type
MASK, functions whose symbols have several sizes, and functions with CFI, with which
SF6013 compares. Other rules report a function of
size 0 (SF2009), one that overlaps the next (SF2013) and one that leaves its section
(SF2014). An exception is assembly with a wrong ` + "`.size`" + ` or with ` + "`.cfi_endproc`" + ` in
another place.`,
	Fix:  `Compare the size with the function's code. Assemble and link again.`,
	Good: `sfdi_func_size = 32, st_size = 32`,
	Bad:  `sfdi_func_size = 48, st_size = 32`,
}, func(c *rules.Context, j *join) {
	if len(j.size) == 0 {
		return
	}
	for _, p := range slices.Sorted(maps.Keys(j.size)) {
		if j.state[p] != other {
			continue
		}
		f := j.fde(c, p)
		if !j.judges(f) || j.collides(p) || leavesCode(c, f) {
			continue
		}
		effect := "its last bytes have no FRE"
		if f.Size() > j.size[p] {
			effect = "the last FRE applies to code after the function"
		}
		c.FDE(f, model.FDEFuncSize, "%s is %d, but st_size of the function's symbol is %d: %s", c.FieldName(model.FDEFuncSize), f.Size(), j.size[p], effect)
	}
})

// collides reports whether the function is empty or overlaps the next one,
// which other rules report.
func (j *join) collides(p int) bool {
	size := uint64(j.t.sizes[p])
	return size == 0 || p+1 < len(j.t.keys) && j.t.keys[p+1]-j.t.keys[p] < size
}

// leavesCode reports whether the function does not lie in one executable
// section, which other rules report.
func leavesCode(c *rules.Context, f model.FDE) bool {
	i, at, ok := c.Object.ELF.Within(f.Place(), f.Start())
	if !ok || !isCode(&c.Object.ELF.Sections[i]) {
		return true
	}
	size := c.Object.ELF.Sections[i].Size
	return at > size || uint64(f.Size()) > size-at
}
