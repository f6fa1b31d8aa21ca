package execute

import "github.com/sframe-lint/sframe-lint/internal/evidence/insn"

// entry is what is below a frame.
type entry uint8

const (
	called  entry = iota // the function was called
	handled              // a signal interrupted the caller: the frame is the trampoline's
	bottom               // nothing: the thread began here
	unknown              // the checker has lost the callers
)

// frame is what is true of the caller of a function that has not returned.
type frame struct {
	kind entry
	// SP, PC and FP of the caller after the return. On a handled frame, they are those
	// that were interrupted.
	sp, ra, fp uint64
	noFP       bool // fp is not known
	noRA       bool // ra is not known
	// first is the start of the function that the thread began in: the rules for a bottom
	// frame hold from the next function on, because clone returns twice in one.
	first uint64
	// transit and from are those of the thread when the signal of a handled frame arrived.
	transit bool
	from    uint64
}

// returns reports whether the function of the frame goes back to a place that is known.
func (f *frame) returns() bool { return f.kind == called || f.kind == handled }

// stack is a shadow stack: a thread has one for each coroutine. The last frame is that of
// the function that is executing.
type stack struct {
	frames []frame
	sp     uint64 // when the thread left it
}

// last returns the index of the last frame that fits, 0 if none but the first one may.
func (s *stack) last(fits func(f *frame) bool) int {
	for i := len(s.frames) - 1; i > 0; i-- {
		if fits(&s.frames[i]) {
			return i
		}
	}
	return 0
}

// mark is what a function like setjmp returned to: it may return again.
type mark struct {
	stack *stack
	depth int
	top   [2]frame // the last frames after the return
	n     int      // of them
}

type returnTo struct{ pc, sp uint64 }

// thread is a thread of a process.
type thread struct {
	id     int
	cur    *stack
	others []*stack
	marks  map[returnTo]mark

	prev  Regs
	at    *site // of prev
	fresh bool  // no step was seen
	// transit says that SP was set to another stack, or to another frame of this one, and
	// that the branch that makes it valid is still to come. from is SP before it.
	transit bool
	from    uint64
	since   int // steps since the last check of all frames
}

// Bounds of the shadow stacks of a thread, which a program decides.
const (
	maxFrames = 1 << 20
	maxStacks = 1 << 12
	maxMarks  = 1 << 10
)

func (t *thread) top() *frame { return &t.cur.frames[len(t.cur.frames)-1] }

// push adds the frame of a function that was called.
func (t *thread) push(f frame) {
	if len(t.cur.frames) >= maxFrames {
		t.cur.frames = append(t.cur.frames[:0], frame{kind: unknown})
	}
	t.cur.frames = append(t.cur.frames, f)
}

// pop removes the frames from index i on. One remains.
func (t *thread) pop(i int) {
	if i == 0 {
		t.forgetCallers()
		return
	}
	t.cur.frames = t.cur.frames[:i]
}

// forgetCallers forgets all callers.
func (t *thread) forgetCallers() { t.cur.frames = append(t.cur.frames[:0], frame{kind: unknown}) }

// clone returns a thread that begins with the frames of another one.
func (t *thread) clone(id int) *thread {
	n := &thread{id: id, prev: t.prev, at: t.at, marks: map[returnTo]mark{}}
	same := map[*stack]*stack{}
	for _, s := range append(t.others[:len(t.others):len(t.others)], t.cur) {
		same[s] = &stack{append([]frame(nil), s.frames...), s.sp}
		n.others = append(n.others, same[s])
	}
	n.cur, n.others = same[t.cur], n.others[:len(n.others)-1]
	for k, m := range t.marks {
		if s := same[m.stack]; s != nil {
			m.stack = s
			n.marks[k] = m
		}
	}
	return n
}

// advance brings the shadow stack of a thread from its previous step to this one.
func (p *Process) advance(t *thread, s *Step, pl *site) {
	r, last := s.Regs, t.at
	sp, was := r.Value[p.abi.SP], t.prev.Value[p.abi.SP]
	switch {
	case p.handler(t, s):
		return
	case s.Gap:
		p.afterGap(t, s, pl)
		return
	case last.class.call && (r.Addr != t.next() || pl.start()):
		t.transit = false
		fp, ok := r.Register(p.abi.FP)
		t.push(frame{sp: sp + p.entry, ra: t.next(), fp: fp, noFP: !ok}) // on AMD64, the return address is at SP
		return
	case last.class.kernel && p.sigreturn(t, r):
		return
	case r.Addr == t.next() || r.Addr == t.prev.Addr || last.class.len == 0 && r.Addr-t.prev.Addr <= insn.MaxLen:
		// In sequence, or once more for "rep". A call of the next instruction pushes its
		// address for a pop.
		if sp != was && last.class.sets {
			p.moved(t, was, r)
		}
		return
	}
	p.branched(t, r, pl)
}

// next returns the address after the previous instruction.
func (t *thread) next() uint64 { return t.prev.Addr + uint64(t.at.class.len) }

// moved records that SP was set to a value that may be on another stack. A frame that is
// left only for its caller is not in transit.
func (p *Process) moved(t *thread, was uint64, r *Regs) {
	top, sp := t.top(), r.Value[p.abi.SP]
	fp, known := r.Register(p.abi.FP)
	switch {
	case t.transit:
	case top.kind == called && sp <= top.sp-p.entry && sp >= was:
		// leave, or the end of the scope of an alloca
	case sp < was && was-sp < largeAlloca && (!known || fp >= was && fp < top.sp) && t.suspendedStack(sp) == nil:
		// The frame is extended: FP is in it, as nothing else could release it.
	default:
		t.transit, t.from = true, was
	}
}

// largeAlloca is the maximum number of bytes by which an instruction such as "mov %rax,%rsp" extends a
// frame.
const largeAlloca = 1 << 20

// suspendedStack returns the stack that was left at about SP, nil for none.
func (t *thread) suspendedStack(sp uint64) (best *stack) {
	least := uint64(near)
	for _, s := range t.others {
		if d := max(sp, s.sp) - min(sp, s.sp); d < least {
			best, least = s, d
		}
	}
	return best
}

// near is the maximum distance, in bytes, between the SP at which a stack is left and the SP at which it is entered again.
const near = 4096

// branched follows a branch. The frame may have been left, by a return or by any other
// branch to the return address.
func (p *Process) branched(t *thread, r *Regs, pl *site) {
	sp := r.Value[p.abi.SP]
	top := t.top()
	ret := t.at.class.ret
	switch {
	case t.transit:
		p.resolve(t, r, pl)
	case top.returns() && r.Addr == top.ra && (sp == top.sp || ret && sp >= top.sp && sp-top.sp < largePop):
		p.returned(t, len(t.cur.frames)-1, r)
	case top.kind == bottom || top.kind == unknown:
		// A function that was not seen may have returned. The frame at the top was not called.
		if i := t.cur.last(func(f *frame) bool { return f.kind == called && f.ra == r.Addr && f.sp == sp }); i > 0 {
			p.returned(t, i, r)
		}
	case sp+p.entry <= top.sp:
		// A branch in the function, or a tail call. Where the call has stored nothing, a
		// jump from a function without a frame to its caller looks the same.
		if p.entry == 0 && sp == top.sp && !pl.start() && pl.fn != t.at.fn && pl.fn != 0 && p.fn(top.ra-1) == pl.fn {
			p.resolve(t, r, pl)
		}
	case !ret && pl.fn != 0 && pl.fn == t.at.fn:
		// RA was moved to a register for a while.
	case pl.start() && p.tailOfCaller(t, sp):
	default:
		t.from = t.prev.Value[p.abi.SP]
		p.resolve(t, r, pl)
	}
}

// largePop is the maximum number of bytes of arguments that a return pops.
const largePop = 1 << 16

// tailOfCaller pops the frame of a function that went to another one as if its caller had
// jumped there: the "ret" of a retpoline.
func (p *Process) tailOfCaller(t *thread, sp uint64) bool {
	n := len(t.cur.frames)
	if n < 2 || t.cur.frames[n-2].kind != called || t.cur.frames[n-2].sp != sp+p.entry {
		return false
	}
	t.pop(n - 1)
	return true
}

// returned pops the frames from index i on, whose function has returned.
func (p *Process) returned(t *thread, i int, r *Regs) {
	t.pop(i)
	t.transit = false
	if t.at == nil || !p.returnsTwice(t.at) {
		return
	}
	if t.marks == nil || len(t.marks) >= maxMarks {
		t.marks = map[returnTo]mark{}
	}
	m := mark{stack: t.cur, depth: len(t.cur.frames)}
	m.n = copy(m.top[:], t.cur.frames[max(0, m.depth-2):])
	t.marks[returnTo{r.Addr, r.Value[p.abi.SP]}] = m
}

// resolve finds the frame that a branch led to which is neither in the function, nor a call
// nor a return: longjmp, a handler of an exception, or the switch to another stack.
func (p *Process) resolve(t *thread, r *Regs, pl *site) {
	t.transit = false
	sp := r.Value[p.abi.SP]
	all := append([]*stack{t.cur}, t.others...)
	for _, s := range all { // a return to a caller, of this stack or another one
		if i := s.last(func(f *frame) bool { return f.returns() && f.ra == r.Addr && f.sp == sp }); i > 0 {
			t.change(s)
			p.returned(t, i, r)
			return
		}
	}
	if m, ok := t.marks[returnTo{r.Addr, sp}]; ok && t.restore(m) {
		return
	}
	// A function that has not returned, with the SP of its calls.
	if i := t.cur.last(func(f *frame) bool { return (f.kind == called || f.kind == handled && !f.noRA) && f.sp == sp }); i > 0 {
		t.pop(i)
		return
	}
	if pl.start() {
		p.begin(t, r)
		return
	}
	for _, s := range t.others { // or on another stack
		if i := s.last(func(f *frame) bool { return f.kind == called && f.sp == sp && p.fn(f.ra-1) == pl.fn }); i > 0 {
			t.change(s)
			t.pop(i)
			return
		}
	}
	if pl.fn != 0 { // or with another SP
		for i := len(t.cur.frames) - 1; i > 0; i-- {
			f := &t.cur.frames[i]
			if f.kind == called && p.fn(f.ra-1) == pl.fn && sp >= f.sp && (i == 1 || sp <= t.cur.frames[i-1].sp) {
				t.pop(i)
				return
			}
		}
	}
	if s := t.suspendedStack(sp); s != nil {
		t.change(s)
	} else {
		t.change(&stack{})
	}
	t.forgetCallers()
}

// change leaves the stack of a thread for another one.
func (t *thread) change(to *stack) {
	if to == t.cur {
		return
	}
	t.cur.sp = t.from
	keep := t.others[:0]
	for _, s := range append(t.others, t.cur) {
		if s != to {
			keep = append(keep, s)
		}
	}
	if len(keep) > maxStacks {
		keep = keep[len(keep)-maxStacks:]
	}
	t.others, t.cur = keep, to
}

// begin starts a new stack with the function that a branch led to: a coroutine. One that had
// the same bottom is gone. After code that was not seen, the function may have been called by
// one that has not returned.
func (p *Process) begin(t *thread, r *Regs) {
	f := p.entryFrame(r)
	if i := t.cur.last(func(g *frame) bool {
		return g.kind == called && g.sp == f.sp && !f.noRA && p.fn(g.ra-1) == p.fn(f.ra-1)
	}); i > 0 {
		t.pop(i)
		t.push(f)
		return
	}
	for i, s := range t.others {
		if len(s.frames) > 1 && s.frames[1].sp == f.sp {
			t.others = append(t.others[:i:i], t.others[i+1:]...)
			break
		}
	}
	t.change(&stack{frames: []frame{{kind: unknown}}})
	t.push(f)
}

// entryFrame returns the frame of a function at its first instruction.
func (p *Process) entryFrame(r *Regs) frame {
	sp := r.Value[p.abi.SP]
	f := frame{sp: sp + p.entry, fp: r.Value[p.abi.FP], noFP: r.Known>>p.abi.FP&1 == 0, ra: r.Value[p.abi.RA]}
	if p.entry != 0 {
		var err error
		f.ra, err = p.word(sp)
		f.noRA = err != nil
	}
	return f
}
