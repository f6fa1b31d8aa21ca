package proof

import "github.com/sframe-lint/sframe-lint/model"

// Point is what the code says before an instruction.
type Point struct {
	PC  uint64
	Len int // bytes
	// Reason is Known, or why the rest is not.
	Reason Reason
	// Row has the rules that are right there, Invalid if unknown. Where the row that was passed has
	// the value in memory, so has this one.
	model.Row
	Signed bool // RA is signed (AArch64)
	// Wrong has a bit, 1<<Aspect, for each rule of the row that the code proves wrong. If that is the CFA's, no
	// other one is judged.
	Wrong uint8
	// Proven says that it proves all rules of the row right. If nothing is wrong, either, the row is not judged there.
	Proven bool
}

// Points yields what the code says before each instruction that is reached, by address, and where it proves
// rows wrong, as Check does. rows are those of Check, and may be empty.
func (f *Function) Points(rows []Row, yield func(*Point)) {
	c := &checker{f: f, u: f.u, rows: rows, marks: map[uint64]uint8{}}
	f.check(c, func() {
		u := f.u
		u.walk(f.part, func(k int32, s *state) {
			p := Point{PC: u.pc(k), Len: int(u.ins[k].len), Reason: u.state(s).Reason}
			if p.Reason == Known {
				row := &Row{}
				if r := c.rowAt(p.PC); r >= 0 {
					row = &rows[r]
				}
				p.CFA, p.RA, p.FP = c.truth(WrongCFA, row.CFA, s), c.truth(WrongRA, row.RA, s), c.truth(WrongFP, row.FP, s)
				p.Signed = c.signed(p.RA, s)
			}
			mark := c.marks[p.PC]
			if p.Wrong, p.Proven = mark&^proven, mark == proven; p.Wrong&(1<<WrongCFA) != 0 {
				p.Wrong = 1 << WrongCFA
			}
			yield(&p)
		})
	})
}

// signed reports whether the return address that a rule leads to is signed.
func (c *checker) signed(ra model.Recovery, s *state) bool {
	switch ra.Kind {
	case model.Unchanged:
		return int(c.u.arch.ra) < c.u.arch.Regs && s.regs[c.u.arch.ra].Signed
	case model.FromCFA:
		v, _ := s.word(CFA, 0, ra.Offset)
		return v.Signed
	}
	return false
}
