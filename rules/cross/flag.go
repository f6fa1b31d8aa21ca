package cross

import (
	"sort"

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

// inCode tells whether most functions start in executable sections. Where
// they do not, other rules report the starts.
func (j *join) inCode(c *rules.Context) bool {
	code := c.Object.ELF.ExecRanges()
	n := 0
	for _, k := range j.t.keys {
		i := sort.Search(len(code), func(i int) bool { return code[i].Last >= k })
		if i < len(code) && code[i].First <= k {
			n++
		}
	}
	return 2*n >= len(j.t.keys)
}
