package crosscheck

import (
	"maps"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// SizeDiffers finds FDEs whose function has another size than its symbol.
var SizeDiffers = newRule(rules.Rule{
	ID:       "SF6002",
	Title:    "function size is not the symbol's",
	Clause:   "SFrame FDE",
	Files:    rules.ELFFiles,
	Needs:    []rules.Fact{rules.AttributesKnown, rules.StartsKnown, rules.StartsAsFlagged, rules.SymbolsReadable},
	Severity: rules.Warning,
	Text: `The symbol at the start of the FDE's function has another size. Where the FDE is
shorter, a tracer finds no rows for the end of the function; where it is longer, it applies
the last row to code that belongs to something else.

FDEs of type MASK are left out, and so are functions whose symbols have several sizes.
A function of size 0 is reported as SF2009, one that runs into the next as SF2013, one that
leaves its section as SF2014.
Assembly with a wrong ` + "`.size`" + ` or with ` + "`.cfi_endproc`" + ` in another place is an exception.`,
	Fix:  `Compare the size with the function's code; assemble and link anew.`,
	Good: `sfdi_func_size = 32, st_size = 32`,
	Bad:  `sfdi_func_size = 48, st_size = 32`,
}, func(c *rules.Context, j *join) {
	for _, p := range slices.Sorted(maps.Keys(j.size)) {
		if j.state[p] != other {
			continue
		}
		f := j.fde(c, p)
		if f.PCType() == model.SFRAME_FDE_PCTYPE_MASK || j.collides(p) || leavesCode(c, f) {
			continue
		}
		effect := "its last bytes have no rows"
		if f.Size() > j.size[p] {
			effect = "the last row is applied to code behind the function"
		}
		c.FDE(f, model.FDEFuncSize, "%s is %d, st_size of the function's symbol is %d: %s", field(c, model.FDEFuncSize), f.Size(), j.size[p], effect)
	}
})

// collides tells whether the function is empty or runs into the next one,
// which other rules report.
func (j *join) collides(p int) bool {
	size := uint64(j.t.sizes[p])
	return size == 0 || p+1 < len(j.t.keys) && j.t.keys[p+1]-j.t.keys[p] < size
}

// leavesCode tells whether the function does not lie in one executable
// section, which other rules report.
func leavesCode(c *rules.Context, f model.FDE) bool {
	secs := c.Object.ELF.Sections
	i, ok := f.Place(), true
	if c.Linked() {
		i, ok = c.Object.ELF.SectionAt(f.Start())
	}
	if !ok || i >= len(secs) || !isCode(&secs[i]) {
		return true
	}
	at := f.Start() - secs[i].Addr // an object's sections have no address
	return at > secs[i].Size || uint64(f.Size()) > secs[i].Size-at
}
