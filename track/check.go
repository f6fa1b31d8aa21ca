package track

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/track/internal/insn"
)

// verdict is what a state proves of a rule.
type verdict uint8

const (
	open   verdict = iota // nothing
	agrees                // it is right
	wrong
)

// finding is the outcome of judging one rule.
type finding struct {
	verdict verdict
	got     Value
	by      int64
	exact   bool
	proof   [2]int32 // the instructions that prove it; below 0: none, or the entry
}

// checker judges rows of a part.
type checker struct {
	f      *Function
	u      *unit
	rows   []Row
	out    []Contradiction
	last   map[key]int // index in out of the contradiction of a row and kind
	row    int
	before int32   // the instruction before, if it was executed before this one
	drop   []int32 // calls that presumably do not return
	keep   []int32 // calls that must return
}

type key struct {
	row  int
	kind Kind
}

// maxRounds bounds how often a unit is solved again because of calls that do not return.
const maxRounds = budget.TrackRounds

// Check reports what the code proves wrong of rows, which are sorted by address and do not
// overlap. A row may be reported once for each kind.
func (f *Function) Check(rows []Row, report func(Contradiction)) {
	u := f.u
	if len(u.parts[f.part].code) == 0 {
		return
	}
	c := &checker{f: f, u: u, rows: rows}
	var dropped []int32
	for {
		c.out, c.last, c.before, c.drop = nil, map[key]int{}, none, c.drop[:0]
		if u.anchored {
			if slices.ContainsFunc(rows, func(r Row) bool { return r.RA.Kind == model.Undefined }) {
				u.findReturns()
			}
			u.walk(f.part, c.insn)
		}
		if len(c.drop) == 0 || u.rounds >= maxRounds {
			break
		}
		dropped = append(dropped, c.drop...)
		c.stop()
	}
	c.inside()
	slices.SortStableFunc(c.out, func(a, b Contradiction) int { return a.Row - b.Row })
	for i := range c.out {
		report(c.out[i])
	}
	if len(dropped) > 0 {
		for _, k := range dropped {
			u.ins[k].stops = false
		}
		u.again()
	}
}

// stop solves the unit again without the ways after the calls in drop. If nothing else leads to
// the code after one, and no indirect jump may, it does return.
func (c *checker) stop() {
	u := c.u
	for _, k := range c.drop {
		u.ins[k].stops = true
	}
	u.solveAgain()
	back := false
	for _, k := range c.drop {
		if next := u.next(k); next >= 0 && u.ins[next].owner < 0 && !u.opaque() {
			u.ins[k].stops, back = false, true
			c.keep = append(c.keep, k)
		}
	}
	if back {
		u.solveAgain()
	}
}

// solveAgain solves the unit again for a check.
func (u *unit) solveAgain() {
	u.rounds++
	if u.again(); u.reason != Known { // the states are not complete
		u.anchored = false
		u.reset()
	}
}

// opaque reports whether the unit has an indirect jump that may lead to any of its
// instructions.
func (u *unit) opaque() bool {
	for k := range u.ins {
		if i := &u.ins[k]; i.flow == insn.IndirectJump && i.owner >= 0 && !i.resolved && i.via != insn.NoReg {
			return true
		}
	}
	return false
}

// insn judges the rows at an instruction.
func (c *checker) insn(k int32, s *state) {
	u := c.u
	pc, n := u.pc(k), uint64(u.ins[k].len)
	before := c.before
	c.before = k
	r := c.rowAt(pc)
	if r < 0 || s.guess {
		return
	}
	row := &c.rows[r]
	for kind := WrongCFA; kind <= WrongSigning; kind++ {
		f := c.judge(kind, row, s)
		if f.verdict == wrong && row.RA.Kind == model.Undefined {
			f = c.entered(k, f)
		}
		if f.verdict != wrong {
			continue
		}
		if s.weak && row.Start == pc && before >= 0 && u.ins[before].isCall() && u.next(before) == k && !slices.Contains(c.keep, before) {
			c.drop = append(c.drop, before)
			return
		}
		c.add(kind, r, pc, n, s, f)
	}
}

func (i *ins) isCall() bool { return i.flow == insn.Call || i.flow == insn.IndirectCall }

// rowAt returns the index of the row that contains a PC, below 0 if there is none.
func (c *checker) rowAt(pc uint64) int {
	if c.row < len(c.rows) && pc >= c.rows[c.row].Start && pc < c.rows[c.row].End {
		return c.row
	}
	i, ok := slices.BinarySearchFunc(c.rows, pc, func(r Row, pc uint64) int {
		switch {
		case r.Start < pc:
			return -1
		case r.Start > pc:
			return 1
		}
		return 0
	})
	if !ok {
		i--
	}
	if i < 0 || pc >= c.rows[i].End {
		return -1
	}
	c.row = i
	return i
}

// add records that a row is wrong at an instruction.
func (c *checker) add(kind Kind, r int, pc, n uint64, s *state, f finding) {
	if i, ok := c.last[key{r, kind}]; ok {
		o := &c.out[i]
		o.PCs += n
		if o.End == pc {
			o.End = pc + n
		}
		if o.Shift == Early || o.Shift == Late && o.End != c.rows[r].End {
			o.Shift = NoShift
		}
		return
	}
	row := &c.rows[r]
	o := Contradiction{Kind: kind, Row: r, Start: pc, End: pc + n, PCs: n, Got: f.got, By: f.by, Exact: f.exact}
	o.Says, o.Truth = c.says(kind, row), c.truth(kind, s)
	for _, k := range f.proof {
		if k >= 0 {
			o.Proof = append(o.Proof, c.u.pc(k))
		}
	}
	slices.Sort(o.Proof)
	o.Proof = slices.Compact(o.Proof)
	switch {
	case pc == row.Start && pc+n < row.End && r > 0 && c.rows[r-1].End == pc && c.judge(kind, &c.rows[r-1], s).verdict == agrees:
		o.Shift = Early
	case pc+n == row.End && pc > row.Start && r+1 < len(c.rows) && c.rows[r+1].Start == pc+n && c.judge(kind, &c.rows[r+1], s).verdict == agrees:
		o.Shift = Late
	}
	c.last[key{r, kind}] = len(c.out)
	c.out = append(c.out, o)
}

// says returns the rule that a contradiction is about.
func (c *checker) says(kind Kind, row *Row) model.Recovery {
	switch kind {
	case WrongCFA:
		return row.CFA
	case WrongFP, StaleFP:
		return row.FP
	}
	return row.RA
}

// judge judges one rule of a row.
func (c *checker) judge(kind Kind, row *Row, s *state) finding {
	a := c.u.arch
	switch {
	case row.Signal || c.foreign(row, s):
		return finding{}
	case row.RA.Kind == model.Undefined:
		if kind == WrongRA {
			return c.outermost(s)
		}
		return finding{}
	}
	switch kind {
	case WrongCFA:
		return c.cfa(row.CFA, s)
	case WrongRA:
		return c.value(row.RA, a.ra, s)
	case WrongFP:
		return c.value(row.FP, a.fp, s)
	case StaleFP:
		return c.stale(row.FP, s)
	}
	if !a.abi.Pauth {
		return finding{}
	}
	f := c.value(row.RA, a.ra, s)
	if f.verdict != agrees {
		return finding{}
	}
	if f.got.Signed != row.Signed || row.Signed && f.got.KeyB != row.KeyB {
		f.verdict = wrong
	}
	return f
}

// foreign reports whether a row may describe another frame than the one that is tracked, as that
// of a switch to another stack does: its CFA counts from a register that is not known to
// point into the stack. While SP is where it was, it describes no other frame.
func (c *checker) foreign(row *Row, s *state) bool {
	r := row.CFA
	if r.Kind != model.InRegister || r.Reg >= uint32(c.u.arch.n) || insn.Reg(r.Reg) == c.u.arch.fp {
		return false
	}
	return !s.regs[r.Reg].inStack() && (r.Deref || !c.astray(r.Reg, s))
}

// astray reports whether a register certainly has no address of the frame: SP is in the frame, and
// the register has a result, or a value of the caller's that is no argument: libffi passes its
// frame.
func (c *checker) astray(reg uint32, s *state) bool {
	a, v := c.u.arch, s.regs[reg]
	return s.regs[a.sp].Base == CFA && reg < a.abi.AddrRegs && (v.plain() || v.Base == Entry && a.args&bit(v.Reg&31) == 0)
}

// cfa judges the rule of the CFA.
func (c *checker) cfa(r model.Recovery, s *state) (f finding) {
	a := c.u.arch
	if r.Kind != model.InRegister || r.Reg >= uint32(a.n) {
		return f
	}
	v := s.regs[r.Reg]
	f.proof = [2]int32{s.by[r.Reg], none}
	if r.Deref {
		if v.Base != CFA && v.Base != Aligned {
			return f
		}
		if off := v.Off + r.Offset; v.Base == CFA && off >= 0 && c.f.evidence&(Called|Returns) != 0 {
			if _, ok := s.find(CFA, 0, off); !ok { // a word of the caller's
				f.verdict = wrong
				return f
			}
		}
		v, f.proof[1] = s.word(v.Base, v.At, v.Off+r.Offset)
		r.Offset = 0
		if v.Base == Other || v.Base == Entry {
			f.verdict, f.got = wrong, v
		}
	}
	f.got = v
	switch v.Base {
	case CFA:
		f.by, f.exact, f.verdict = v.Off+r.Offset, true, agrees
		if f.by != 0 {
			f.verdict = wrong
		}
	case Aligned:
		// The aligned value is from off-align+1 to off above the CFA.
		o, ok := c.u.origins[int32(v.At)]
		need := -(v.Off + r.Offset)
		if ok && !o.many && (need > o.off || need <= o.off-o.align) {
			f.verdict = wrong
		}
	case Entry, Other, Const, element, target:
		// A register of an argument may point to the stack: libffi passes its frame.
		passed := v.Base == Entry && v.Reg != a.fp
		if !r.Deref && (insn.Reg(r.Reg) == a.fp && !passed || c.astray(r.Reg, s)) {
			f.verdict = wrong
		}
	}
	return f
}

// value judges where the caller's value of a register is.
func (c *checker) value(r model.Recovery, reg insn.Reg, s *state) (f finding) {
	a := c.u.arch
	switch {
	case r.Kind == model.Unchanged && int(reg) < a.n && !(a.onSP && reg == a.ra):
		f.got, f.proof = s.regs[reg], [2]int32{s.by[reg], none}
	case r.Kind == model.FromCFA && r.Deref:
		var by int32
		f.got, by = s.word(CFA, 0, r.Offset)
		f.proof = [2]int32{by, none}
	case r.Kind == model.InRegister && r.Reg < uint32(a.n) && !r.Deref && r.Offset == 0:
		f.got, f.proof = s.regs[r.Reg], [2]int32{s.by[r.Reg], none}
	case r.Kind == model.InRegister && r.Reg < uint32(a.n) && r.Deref:
		v := s.regs[r.Reg]
		if v.Base != CFA && v.Base != Aligned {
			return f
		}
		var by int32
		f.got, by = s.word(v.Base, v.At, v.Off+r.Offset)
		f.proof = [2]int32{s.by[r.Reg], by}
	default:
		return f
	}
	switch v := f.got; v.Base {
	case Unknown:
	case Entry:
		f.verdict = wrong
		if v.Reg == reg && v.Off == 0 {
			f.verdict = agrees
		}
	default:
		f.verdict = wrong
	}
	return f
}

// stale judges a rule by which the caller's FP is in memory at FP.
func (c *checker) stale(r model.Recovery, s *state) (f finding) {
	fp := c.u.arch.fp
	if r.Kind != model.InRegister || !r.Deref || r.Reg != uint32(fp) {
		return f
	}
	if v := s.regs[fp]; v.Base == Entry && v.Reg == fp && v.Off == 0 {
		f.verdict, f.got, f.proof = wrong, v, [2]int32{s.by[fp], none}
	}
	return f
}

// outermost judges a row that says that there is no caller: it is wrong where the return address
// is known, if the function has one.
func (c *checker) outermost(s *state) (f finding) {
	f.proof = [2]int32{none, none}
	if c.truth(WrongRA, s).Kind != model.Invalid {
		f.verdict, f.got = wrong, Value{Base: Entry, Reg: c.u.arch.ra}
	}
	return f
}

// entered drops the finding of outermost unless an instruction has a caller: it leads to a return,
// or a call leads to the function.
func (c *checker) entered(k int32, f finding) finding {
	if to := c.u.exits[k]; to >= 0 {
		f.proof[0] = to
	} else if c.f.evidence&Called == 0 {
		return finding{}
	}
	return f
}

// truth returns the rule that would be right, as far as it is known.
func (c *checker) truth(kind Kind, s *state) model.Recovery {
	a := c.u.arch
	if kind == WrongCFA {
		for _, reg := range [...]insn.Reg{a.sp, a.fp} {
			if v := s.regs[reg]; v.Base == CFA {
				return model.Recovery{Kind: model.InRegister, Reg: uint32(reg), Offset: -v.Off}
			}
		}
		return model.Recovery{}
	}
	want := a.fp
	if kind != WrongFP && kind != StaleFP {
		want = a.ra
	}
	is := func(v Value) bool { return v.Base == Entry && v.Reg == want && v.Off == 0 }
	if int(want) < a.n && !(a.onSP && want == a.ra) && is(s.regs[want]) {
		return model.Recovery{Kind: model.Unchanged}
	}
	for i := range s.slots {
		if p := &s.slots[i]; p.base == CFA && is(p.v) {
			return model.Recovery{Kind: model.FromCFA, Deref: true, Offset: p.off}
		}
	}
	for r := range s.regs[:a.n] {
		if is(s.regs[r]) && !(a.onSP && r >= 16) {
			return model.Recovery{Kind: model.InRegister, Reg: uint32(r)}
		}
	}
	return model.Recovery{}
}

// inside finds rows that start inside an instruction.
func (c *checker) inside() {
	p := &c.u.parts[c.f.part]
	for i := range c.rows {
		start := c.rows[i].Start
		if start <= p.Start || start >= p.End {
			continue
		}
		off := int(start - p.Start)
		if off >= len(p.at) || p.at[off] >= 0 {
			continue
		}
		for back := 1; back < 16 && back <= off; back++ {
			k := p.at[off-back]
			if k < 0 || c.u.ins[k].owner < 0 {
				continue
			}
			if n := int(c.u.ins[k].len); n > back && c.u.ins[k].flow != insn.Bad {
				c.out = append(c.out, Contradiction{Kind: Inside, Row: i, Start: c.u.pc(k), End: c.u.pc(k) + uint64(n),
					PCs: uint64(n), Proof: []uint64{c.u.pc(k)}})
			}
			break
		}
	}
}
