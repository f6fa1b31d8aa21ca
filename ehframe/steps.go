package ehframe

import (
	"math/bits"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// steps executes programs like a [Runner], but remembers what it has executed: programs
// mostly consist of the same few instructions in the same few states. Its states are
// numbers, and a step from one to the next is made by the bytes of several instructions.
type steps struct {
	s      *Section
	cie    *CIE // the current one
	ok     bool // it is plain
	of     meaning
	run    Runner
	states []knownState
	names  map[stateName]int32
	count  int                  // of steps
	left   int                  // steps that may still be learned
	heads  [1 << slotBits]*step // the first of the steps of a hash
}

const slotBits = 10

// meaning is what steps, and the FREs that agree, depend on besides their bytes.
type meaning struct {
	start            state
	code, data       int64
	ra               uint32
	abi              model.ABI
	version          model.Version
	fixedFP, fixedRA int8
	big              bool
}

// stateName is what a state consists of.
type stateName struct {
	state
	below int32 // the state that is remembered last, with those before it; -1 for none
	flex  bool  // it is compared with FREs of flexible FDEs
}

type knownState struct {
	stateName
	fre   uint64 // info byte and data words of an FRE that agrees
	known bool   // fre is
}

// step is the execution of instructions up to one that advances or the end of the
// program, or of a part of them.
type step struct {
	bytes, mask  uint64 // of the instructions
	advance      uint64 // mask of the field by which it advances, 0 if it does not
	fre, freMask uint64 // info byte and data words of an FRE at the row that begins; 0 before one has agreed
	from, to     int32
	other        *step // a further one of the same hash
	shift, len   uint8 // of the field in bits; bytes of the instructions
	freLen       uint8 // bytes of fre
	swap         bool  // the field has another byte order
	ends         bool  // there are no more instructions, except for some without effect
}

// mostStates and mostSteps bound the memory. Beyond them all are forgotten. mostLearned is how
// many steps are learned for a comparison: where more differ, few are met again.
const mostStates, mostSteps, mostLearned = 1 << 12, 1 << 13, 1 << 16

// usedSteps are steps that no comparison uses. Objects of a program mostly have the same
// ones.
var usedSteps = sync.Pool{New: func() any { return new(steps) }}

// release makes the steps available to other comparisons.
func (m *steps) release() {
	m.s, m.cie, m.run = nil, nil, Runner{stack: m.run.stack[:0]}
	usedSteps.Put(m)
}

// use prepares for functions of a CIE.
func (m *steps) use(s *Section, k *CIE, fres *model.Section) {
	h := fres.Header()
	m.s, m.cie = s, k
	if m.ok = k != nil && k.Fault.Code == NoFault && k.startErr.Code == NoFault && k.start.plain() && s.in.ABI.ID == h.ABI && k.CodeAlign-1 < 1<<16; !m.ok {
		return
	}
	of := meaning{k.start, int64(k.CodeAlign), k.DataAlign, k.RA, h.ABI, h.Version, h.FixedFPOffset, h.FixedRAOffset, fres.BigEndian()}
	if of != m.of || m.names == nil {
		m.of = of
		m.forget()
	}
	m.run.prepare(s, k, model.Span{})
	m.run.base = k.start
}

// forget drops all steps, and makes the states that functions begin with.
func (m *steps) forget() {
	m.states, m.count, m.heads = m.states[:0], 0, [len(m.heads)]*step{}
	if m.names == nil {
		m.names = map[stateName]int32{}
	}
	clear(m.names)
	m.state(stateName{m.of.start, -1, false})
	m.state(stateName{m.of.start, -1, true})
}

// begin returns the state that functions with FREs of a type begin with.
func (m *steps) begin(t model.FDEType) int32 {
	if m.full() && m.left > 0 {
		m.forget()
	}
	if t == model.SFRAME_FDE_TYPE_FLEX {
		return 1
	}
	return 0
}

// state returns the number of a state.
func (m *steps) state(n stateName) int32 {
	i, ok := m.names[n]
	if !ok {
		i = int32(len(m.states))
		m.states = append(m.states, knownState{stateName: n})
		m.names[n] = i
	}
	return i
}

// next executes the instructions from p up to one that advances, or to the end. It
// returns by how much, the largest number at the end of the program, the place of the next
// instruction and the last step. If the program is not plain, it returns 0.
func (m *steps) next(from int32, p, end int) (by uint64, next int, last *step) {
	for {
		w := window(m.s.in.Data, p, end)
		t := m.find(from, w)
		if t == nil || int(t.len) > end-p {
			if t = m.learn(from, p, end); t == nil {
				return 0, 0, nil
			}
		}
		if t.ends {
			if end-p <= 8 {
				return ^uint64(0), end, t
			}
			p += 8
			continue
		}
		p, from = p+int(t.len), t.to
		if by := t.by(w); by != 0 {
			return by * uint64(m.of.code), p, t
		}
	}
}

// by returns by how much a step advances, before the CIE's factor.
func (t *step) by(w uint64) uint64 {
	by := w >> (t.shift & 63) & t.advance
	if t.swap {
		by = bits.ReverseBytes64(by << (64 - bits.Len64(t.advance)))
	}
	return by
}

// window returns the next 8 bytes of a program, the first one lowest; 0 for those after its
// end. Such instructions have no effect.
func window(b []byte, p, end int) uint64 {
	w := number.Window(b[p:])
	if left := end - p; left < 8 {
		w &= 1<<(8*left&63) - 1
	}
	return w
}

// find returns the step from a state with the first of some bytes, nil if there is none.
func (m *steps) find(from int32, w uint64) *step {
	slot := &m.heads[slotOf(from, w)]
	for last, t := (*step)(nil), *slot; t != nil; last, t = t, t.other {
		if t.from == from && w&t.mask == t.bytes {
			if last != nil { // make it the first one
				last.other, t.other, *slot = t.other, *slot, t
			}
			return t
		}
	}
	return nil
}

// slotOf returns the hash of a state and the first instructions of some bytes.
func slotOf(from int32, w uint64) uint64 {
	w &= uint64(firstBits[uint8(w)] & thirdBits[uint8(w>>16)])
	return (uint64(from)<<24 ^ w) * 0x9e3779b97f4a7c15 >> (64 - slotBits)
}

// firstBits and thirdBits select what steps share of their first three bytes, by the first
// and the third of them. Steps that differ in where they advance to share all.
var firstBits, thirdBits = func() (first, third [256]uint32) {
	for op := range first {
		switch first[op], third[op] = 0xff, 0xffff; {
		case op&0xc0 == cfaAdvanceLoc:
			first[op] = 0xc0
		case op&0xc0 == cfaOffset:
			first[op], third[op] = 0xffff, 0xffffff
		case op == cfaDefCFAOffset, op == cfaDefCFARegister:
			first[op] = 0xffffff
		case op == cfaDefCFA:
			first[op] = 0xffff
		}
	}
	return first, third
}()

// learn executes the instructions from p on, as many as a step can have. It returns nil
// if the program is not plain.
func (m *steps) learn(from int32, p, end int) *step {
	if m.left--; m.full() || m.left < 0 {
		return nil
	}
	r, of := &m.run, m.states[from].stateName
	r.now, r.stack, r.fault, r.loc = of.state, m.remembered(of.below, r.stack[:0]), Fault{}, 0
	r.c = cursor{b: m.s.in.Data[:end], pos: p, big: m.s.in.ABI.Big}
	w := window(r.c.b, p, end)
	t := &step{from: from, ends: w == 0 && end-p <= 8}
	for r.c.pos < end && t.advance == 0 && !t.ends {
		at, now, stack := r.c.pos, r.now, r.stack
		op, to := r.c.b[at], uint64(0)
		advances := r.step(at, &to)
		if r.fault.Code != NoFault || op == cfaSetLoc || !r.now.plain() {
			return nil
		}
		if r.c.pos-p > 8 { // leave it to the next step
			r.c.pos, r.now, r.stack = at, now, stack
			break
		}
		if advances {
			t.advanceBy(op, at-p, r.c.pos-at-1, r.c.big)
		}
	}
	if t.len = uint8(r.c.pos - p); t.len == 0 && !t.ends {
		return nil
	}
	if t.mask = ^uint64(0) >> (64 - 8*t.len) &^ (t.advance << t.shift); t.ends {
		t.mask = ^uint64(0)
	}
	t.bytes, t.to = w&t.mask, m.state(stateName{r.now, m.below(r.stack, of.flex), of.flex})
	slot := &m.heads[slotOf(from, w)]
	t.other, *slot = *slot, t
	m.count++
	return t
}

// remember notes that an FRE agrees with the state at the row that the step begins.
func (t *step) remember(fre uint64, words int) {
	t.fre, t.freMask, t.freLen = fre, ^uint64(0)>>((56-8*words)&63), uint8(1+words)
}

// advanceBy sets the field by which an instruction advances: that of the opcode, or one of
// some bytes after it.
func (t *step) advanceBy(op byte, at, width int, big bool) {
	if width == 0 {
		t.shift, t.advance = uint8(8*at), 0x3f
		return
	}
	t.shift, t.advance, t.swap = uint8(8*at+8), 1<<(8*width)-1, big
}

// full reports whether there is no room for another step.
func (m *steps) full() bool {
	return len(m.states)+MaxRemembered >= mostStates || m.count >= mostSteps
}

// remembered appends the states from one on that are remembered, the last one at the end.
func (m *steps) remembered(below int32, to []state) []state {
	if below < 0 {
		return to
	}
	return append(m.remembered(m.states[below].below, to), m.states[below].state)
}

// below returns the number of the last state of a stack with those before it.
func (m *steps) below(stack []state, flex bool) int32 {
	n := int32(-1)
	for _, s := range stack {
		n = m.state(stateName{s, n, flex})
	}
	return n
}

// plain reports whether the state has no expressions, whose bytes are elsewhere.
func (s *state) plain() bool {
	return max(s.cfa.Kind, s.ra.Kind, s.fp.Kind, s.sp.Kind) < Expression && s.sign&RAUnknown == 0
}

// agree compares an FRE with a state, and remembers it if they agree.
func (m *steps) agree(x *knownState, fre uint64, r model.FRE) bool {
	of := FDE{s: m.s, CIE: m.cie}
	says := of.Recover(&Row{CFA: x.cfa, RA: x.ra, FP: x.fp}, 0)
	if r.Row() != says.Row || says.CFAReason|says.RAReason|says.FPReason != Comparable ||
		m.s.in.ABI.Pauth && r.MangledRA() != (x.sign&RASigned != 0) {
		return false
	}
	x.fre, x.known = fre, true
	return true
}
