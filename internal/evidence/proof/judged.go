package proof

import (
	"cmp"
	"sort"
)

// What is known of a row while its function is checked, besides a Reason.
const (
	unseen  = Reason(NumReasons + iota) // no instruction of it was looked at
	refuted                             // it is wrong
)

// judged notes what the code says of a row at an instruction: the row is open if it is open at one.
func (c *checker) judged(r int, right bool, s *state) {
	if c.open[r] != unseen && c.open[r] != Known {
		return
	}
	switch row := &c.rows[r]; {
	case right:
		c.open[r] = Known
	case !row.ordinary():
		c.open[r] = Exempt
	default:
		c.open[r] = cmp.Or(c.u.state(s).Reason, Lost)
	}
}

// close ends the judgement on all rows, once the contradictions are confirmed.
func (c *checker) close() {
	for r := range c.open {
		if !c.u.anchored {
			c.open[r] = cmp.Or(c.u.reason, NoAnchor)
		}
	}
	for i := range c.out {
		c.open[c.out[i].Row] = refuted
	}
}

// decide records the code that nothing leads to, and passes on which rows of a function the code does not decide.
func (c *collector) decide(f *Function, rows []Row) {
	place, open := f.Range().Place, f.open
	f.Strays(uint64(c.abi.FuncAlign), func(start, end uint64) {
		c.addAside(aside{Range{Place: place, Start: start, End: end}, f.Index(), inside})
	}, func(start, end uint64) {
		for r := sort.Search(len(rows), func(i int) bool { return rows[i].End > start }); r < len(rows) && rows[r].Start < end; r++ {
			if open[r] == unseen || open[r] == Known {
				open[r] = NotReached
			}
		}
	})
	any := false
	for r, why := range open {
		if why >= unseen { // what no instruction is of fills space
			open[r] = Known
		}
		any = any || open[r] != Known
	}
	if any && c.fs.Open != nil {
		c.fs.Open(f.Index(), rows, open)
	}
}
