package proof

import "github.com/sframe-lint/sframe-lint/model"

// Marks of a PC besides the aspects that are wrong there.
const (
	all    = 1<<WrongCFA | 1<<WrongRA | 1<<WrongFP
	proven = 1 << 7 // the code proves all rules of the row right
	unseen = Reason(NumReasons)
)

// Open returns, for each of the rows that Check has judged last, why the code does not decide it: Known if it is right at
// each instruction, or wrong at one.
func (f *Function) Open() []Reason { return f.open }

// mark notes whether a row is proven right at an instruction.
func (c *checker) mark(r int, pc uint64, right bool, s *state) {
	why := Lost
	switch row := &c.rows[r]; {
	case right:
		if why = Known; c.marks != nil {
			c.marks[pc] |= proven
		}
	case row.Signal || row.RA.Kind == model.Undefined:
		why = Exempt
	default:
		if t := c.u.state(s); t.Reason != Known {
			why = t.Reason
		}
	}
	if c.open[r] == unseen || c.open[r] == Known {
		c.open[r] = why
	}
}

// undecided returns why rows are not judged, once all contradictions are confirmed.
func (c *checker) undecided() []Reason {
	p := &c.u.parts[c.f.part]
	c.u.missed(p, func(off int) {
		if r := c.rowAt(p.Start + uint64(off)); r >= 0 && (c.open[r] == unseen || c.open[r] == Known) {
			c.open[r] = NotReached
		}
	})
	for i := range c.out {
		c.open[c.out[i].Row] = Known
	}
	for r := range c.open {
		if c.open[r] == unseen { // no more than what fills space
			c.open[r] = Known
		}
	}
	return c.open
}
