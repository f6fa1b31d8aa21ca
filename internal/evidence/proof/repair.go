package proof

import (
	"math"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// Repair is a correction of a row: a CFI directive at the instruction at PC must set the rule New, which the code
// proves right from there on.
type Repair struct {
	Kind Aspect // WrongCFA, WrongRA, WrongFP or WrongSigning
	PC   uint64
	// Old is the wrong rule, and New is the right rule. Both are zero for WrongSigning.
	Old, New model.Recovery
	Starts   bool // a row starts at PC
	// Turns reports whether the previous row's CFA has another base register. The directive at PC, which the repair
	// replaces, then names a register.
	Turns bool
}

// maxRepairs bounds the repairs of a function.
const maxRepairs = 64

// Repairs returns the repairs that the last Check found, by address. There are none if the rows are right or the
// right rules are not known. Like a directive, a repair applies until a row or another repair changes the rule.
func (f *Function) Repairs() []Repair { return f.repairs }

// repairer follows the rules of rows, as they are with the repairs so far.
type repairer struct {
	*checker
	now Row
	// turned is the row with the repaired offset, where the row counts its CFA from another register than the previous one
	// and with the same offset: as the directive that names only a register has it.
	turned Row
	last   int // row; -1: none
	out    []Repair
	pc     uint64
}

// correction collects the repairs.
func (c *checker) correction() []Repair {
	if !c.u.anchored || len(c.out) == 0 && !slices.ContainsFunc(c.rows, func(r Row) bool { return c.u.arch.hasSlotOutside(&r) }) {
		return nil
	}
	m := &repairer{checker: c, last: -1}
	c.u.walk(c.f.part, m.insn)
	return m.out
}

// hasSlotOutside reports whether a row has a slot that is not in the frame, as the row describes it.
func (a *arch) hasSlotOutside(r *Row) bool {
	low := int64(math.MinInt64)
	if r.CFA.Kind == model.InRegister && !r.CFA.Deref && r.CFA.Reg == uint32(a.sp) {
		low = -r.CFA.Offset - a.abi.RedZone
	}
	return outOfFrame(r.RA, low) || outOfFrame(r.FP, low)
}

// savesOnlyFP reports whether FP is saved and RA is not, by the row.
func (a *arch) savesOnlyFP(r *Row) bool {
	return a.abi.TracksRA() && r.FP.Kind == model.FromCFA && r.FP.Deref && r.RA.Kind == model.Unchanged
}

// outOfFrame reports whether a slot is in the caller's frame, or below an offset from the CFA.
func outOfFrame(r model.Recovery, low int64) bool {
	return r.Kind == model.FromCFA && r.Deref && (r.Offset >= 0 || r.Offset < low)
}

// slotOutside returns whether the slot of a rule is not in the frame, and the rule as that of a register.
func (m *repairer) slotOutside(r model.Recovery, s *state) (model.Recovery, bool) {
	low, a := int64(math.MinInt64), m.u.arch
	if sp := s.regs[a.sp]; sp.Base == CFA {
		low = sp.Off - a.abi.RedZone
	}
	if !outOfFrame(r, low) {
		return r, false
	}
	r.Deref = false
	return r, true
}

// insn repairs the rules at an instruction.
func (m *repairer) insn(k int32, s *state) {
	m.pc = m.u.pc(k)
	r := m.rowAt(m.pc)
	if r < 0 {
		return
	}
	m.enter(r)
	if s.guess || m.now.RA.Kind == model.Undefined || len(m.out) >= maxRepairs {
		return
	}
	if m.judge(WrongCFA, &m.now, s).answer == wrong {
		if turned := m.turned; m.judge(WrongCFA, &turned, s).answer == agrees {
			m.set(WrongCFA, turned.CFA)
		} else {
			m.set(WrongCFA, m.truth(WrongCFA, m.now.CFA, s))
		}
	}
	fp, strays := m.slotOutside(m.now.FP, s)
	for _, kind := range [...]Aspect{WrongFP, StaleFP} {
		if m.judge(kind, &m.now, s).answer == wrong || kind == WrongFP && strays {
			m.set(WrongFP, m.truth(kind, fp, s))
		}
	}
	ra, strays := m.slotOutside(m.now.RA, s)
	if f := m.judge(WrongRA, &m.now, s); (f.answer == wrong || strays) && !m.redirected(m.now.RA, s, &f) {
		m.set(WrongRA, m.truth(WrongRA, m.saveWith(ra, m.now.FP), s))
	}
	if m.overwrites(k, &m.now, s) {
		m.set(WrongRA, m.truth(WrongRA, model.Recovery{Deref: true}, s))
	}
	m.saveTogether(s)
	if m.judge(WrongSigning, &m.now, s).answer == wrong {
		m.now.Signed = !m.now.Signed
		m.add(Repair{Kind: WrongSigning})
	}
}

// enter takes the rules that a row has and the previous one has not.
func (m *repairer) enter(r int) {
	row := &m.rows[r]
	if m.last == r {
		return
	}
	if m.last < 0 {
		m.now = *row
		m.last = r
		return
	}
	was := &m.rows[m.last]
	m.turned = Row{}
	if x, y := was.CFA, row.CFA; x.Kind == model.InRegister && y.Kind == model.InRegister && x.Reg != y.Reg && x.Offset == y.Offset && m.now.CFA.Reg == x.Reg {
		m.turned = *row
		m.turned.CFA.Offset = m.now.CFA.Offset
	}
	flipped := m.now.Signed != was.Signed
	for _, x := range [...]struct{ now, was, is *model.Recovery }{
		{&m.now.CFA, &was.CFA, &row.CFA}, {&m.now.RA, &was.RA, &row.RA}, {&m.now.FP, &was.FP, &row.FP},
	} {
		if *x.was != *x.is {
			*x.now = *x.is
		}
	}
	m.now.Start, m.now.End, m.now.KeyB, m.now.Signal = row.Start, row.End, row.KeyB, row.Signal
	m.now.Signed = row.Signed != flipped
	m.last = r
}

// saveWith returns a rule that is a slot if another one is: assemblers cannot state that FP is saved and
// RA is not.
func (m *repairer) saveWith(r, other model.Recovery) model.Recovery {
	r.Deref = r.Deref || m.u.arch.abi.TracksRA() && other.Deref
	return r
}

// saveTogether states where RA is saved if FP is, as far as it is known. If it is not, a repair of FP is that
// of its register, as long as that has the value.
func (m *repairer) saveTogether(s *state) {
	if !m.u.arch.savesOnlyFP(&m.now) {
		return
	}
	if ra := m.truth(WrongRA, m.saveWith(m.now.RA, m.now.FP), s); ra.Deref {
		m.set(WrongRA, ra)
	} else if n := len(m.out); n > 0 && m.out[n-1].PC == m.pc {
		if fp := m.truth(WrongFP, model.Recovery{Kind: model.Unchanged}, s); !fp.Deref {
			m.set(WrongFP, fp)
		}
	}
}

// set gives a rule another value from the instruction on, if it is known.
func (m *repairer) set(kind Aspect, to model.Recovery) {
	rule := map[Aspect]*model.Recovery{WrongCFA: &m.now.CFA, WrongRA: &m.now.RA, WrongFP: &m.now.FP}[kind]
	if to.Kind == model.Invalid || to == *rule {
		return
	}
	m.add(Repair{Kind: kind, Old: *rule, New: to})
	*rule = to
}

func (m *repairer) add(r Repair) {
	r.PC, r.Starts = m.pc, m.rows[m.last].Start == m.pc
	r.Turns = r.Starts && m.last > 0 && r.Kind == WrongCFA && m.rows[m.last-1].CFA.Reg != r.New.Reg
	if n := len(m.out); n > 0 && m.out[n-1].PC == r.PC && m.out[n-1].Kind == r.Kind && r.Kind != WrongSigning {
		r.Old = m.out[n-1].Old
		m.out[n-1] = r
		return
	}
	m.out = append(m.out, r)
}
