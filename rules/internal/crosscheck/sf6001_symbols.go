package crosscheck

import (
	"fmt"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

var InsideFunction = newRule(rules.Rule{
	ID:       "SF6001",
	Files:    rules.ELFFiles,
	Needs:    rules.AttributesKnown | rules.StartsKnown | rules.StartsAsFlagged | rules.SymbolsReadable,
	Requires: []*analysis.Analyzer{rules.CodeProofs},
}, func(c *rules.Context, j *join) {
	bad := j.suspects(c)
	switch n := len(bad); {
	case n > 8 && 2*n > len(j.t.keys):
		f := j.fde(c, bad[0])
		c.FDE(f, model.FDEStart, "%s points to 0x%x, inside \"%s\", and %s also point inside functions: the FREs are for other code", c.Section.FieldName(model.FDEStart), f.Start(), j.fs.name(j.inside[bad[0]]), rules.Count(n-1, "other FDE"))
	default:
		for _, p := range bad {
			f := j.fde(c, p)
			c.FDE(f, model.FDEStart, "%s points to 0x%x, inside \"%s\" and at no symbol: unless the source has separate CFI for this part, the FREs are for other code", c.Section.FieldName(model.FDEStart), f.Start(), j.fs.name(j.inside[p]))
		}
	}
})

// suspects lists the places whose function starts inside another one and not
// at a label, without parts whose code agrees with their FREs.
func (j *join) suspects(c *rules.Context) []int {
	var all []int
	proofs := evidence.Proofs(c).FREs
	for p := range j.inside {
		f := j.fde(c, p)
		if j.state[p] == unnamed && j.judges(f) && !(proofs.Agrees(f.Index()) && j.continues(p)) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	labelled := map[uint64]bool{}
	for _, p := range all {
		labelled[j.t.keys[p]] = false
	}
	j.fs.labels(func(y symbol) {
		if key, ok := j.key(y); ok {
			if _, wanted := labelled[key]; wanted {
				labelled[key] = true
			}
		}
	})
	kept := all[:0]
	for _, p := range all {
		if !labelled[j.t.keys[p]] {
			kept = append(kept, p)
		}
	}
	return kept
}

// continues reports whether the function at a place starts where the previous one ends.
func (j *join) continues(p int) bool {
	return p > 0 && j.t.keys[p-1]+uint64(j.t.sizes[p-1]) == j.t.keys[p]
}

// judges reports whether the symbols decide where the function of an FDE is: it is no
// stub, and no CFI covers it.
func (j *join) judges(f model.FDE) bool {
	return !f.Mask() && !j.coversStart(f)
}

var SizeDiffers = newRule(rules.Rule{
	ID:    "SF6002",
	Files: rules.ELFFiles,
	Needs: rules.AttributesKnown | rules.StartsKnown | rules.StartsAsFlagged | rules.SymbolsReadable,
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
		effect := "the last FRE applies to code after the function"
		if f.Size() < j.size[p] {
			bare := j.bareBytes(p)
			if bare == 0 || proof.CodeOf(c.Object).EndsInConstants(f, uint64(j.size[p])) {
				continue
			}
			effect = "the rest of the function has no FRE"
			if bare < j.size[p]-f.Size() {
				effect = fmt.Sprintf("%s of the function have no FRE", rules.Count(int(bare), "byte"))
			}
		}
		c.FDE(f, model.FDEFuncSize, "%s is %d, but st_size of the function's symbol is %d: %s", c.Section.FieldName(model.FDEFuncSize), f.Size(), j.size[p], effect)
	}
})

// bareBytes returns how many bytes of the symbol at a place no FDE covers after that of the function.
func (j *join) bareBytes(p int) (n uint32) {
	at, end := j.t.keys[p]+uint64(j.t.sizes[p]), j.t.keys[p]+uint64(j.size[p])
	for p++; p < len(j.t.keys) && j.t.keys[p] < end && at < end; p++ {
		if j.t.keys[p] > at {
			n += uint32(j.t.keys[p] - at)
		}
		at = j.t.keys[p] + uint64(j.t.sizes[p])
	}
	if at < end {
		n += uint32(end - at)
	}
	return n
}

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
