package cross

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// contradicts tells whether the functions of a linked file start at symbols
// only if the start fields are read against the PCREL flag: at most a
// quarter as flagged, more than half the other way.
func (j *join) contradicts(c *rules.Context) bool {
	n := len(j.t.keys)
	if 4*j.named > n {
		return false
	}
	other := linkedTable(c, !flagged(c.Section))
	found := make([]bool, n)
	count := 0
	j.fs.each(func(y symbol) {
		if p := other.at(y.value); p < n && other.keys[p] == y.value && !found[p] {
			found[p] = true
			count++
		}
	})
	return 2*count > n
}

// told tells whether the functions, as flagged, leave the code or overlap so
// often that SF2015 finds the flag wrong without any symbol: at least one
// leaves it, and one in 20 does either.
func (j *join) told(c *rules.Context) bool {
	out, faults := 0, 0
	var end uint64 // of the function in front
	c.EachFDE(func(f model.FDE) {
		leaves := leavesCode(c, f)
		if leaves {
			out++
		}
		if leaves || f.Start() < end {
			faults++
		}
		end = f.End()
	})
	return out > 0 && 20*faults >= len(j.t.keys)
}
