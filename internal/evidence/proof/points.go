package proof

import "github.com/sframe-lint/sframe-lint/model"

// Point is what the code proves before an instruction.
type Point struct {
	PC  uint64
	Len int // in bytes
	// Reason is Known, or the reason for which the state is unknown.
	Reason Reason
	// Row has the right rules, which are Invalid if unknown. If a value is both in memory and in a register, Row uses
	// memory where the given row does.
	model.Row
	Signed bool // RA is signed (AArch64)
	// Wrong has the bit 1<<Aspect for each rule of the given row that the code proves wrong. If the CFA is wrong, the
	// other rules are not judged.
	Wrong uint8
	// Proven reports whether the code proves all rules of the given row right. If Wrong is 0 and Proven is false, the
	// row is not decided.
	Proven bool
}

// Points yields a Point for each reached instruction, by address. rows are the rows to judge, as for Check, and may
// be empty.
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
