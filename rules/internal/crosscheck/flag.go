package crosscheck

import (
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// contradicts reports whether the functions of a linked file start at symbols
// only if the start fields are read against the PCREL flag: at most a
// quarter as flagged, more than half the other way.
func (j *join) contradicts(c *rules.Context) bool {
	n := len(j.t.keys)
	if 4*j.named > n {
		return false
	}
	other := linkedTable(c, !prereq.PCRel(c.Section))
	found := make([]bool, n)
	count := 0
	err := j.fs.each(func(y symbol) {
		if p := other.at(y.value); p < n && other.keys[p] == y.value && !found[p] {
			found[p] = true
			count++
		}
	})
	return err == nil && 2*count > n
}
