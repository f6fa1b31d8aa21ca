package execute

// restore makes the state after the first return of a function the current one, if its frame
// is still there.
func (t *thread) restore(m mark) bool {
	alive := m.stack == t.cur
	for _, s := range t.others {
		alive = alive || s == m.stack
	}
	if !alive || len(m.stack.frames) < m.depth-1 {
		return false
	}
	t.change(m.stack)
	t.cur.frames = append(t.cur.frames[:max(0, m.depth-m.n)], m.top[:m.n]...)
	return true
}

// afterGap follows a thread that executed code which was not passed to the checker. It is
// at a return from there, or at a function that was called from there.
func (p *Process) afterGap(t *thread, s *Step, pl *site) {
	r := s.Regs
	sp := r.Value[p.abi.SP]
	t.transit, t.from = false, t.prev.Value[p.abi.SP]
	if i := t.cur.last(func(f *frame) bool { return f.ra == r.Addr && f.sp == sp && f.returns() }); i > 0 {
		p.returned(t, i, r)
		return
	}
	if pl.start() {
		f := p.entryFrame(r)
		if im, ok := p.space.Image(f.ra - 1); ok && p.enteredFromGap(t, f, len(im.Sections) > 0) {
			return
		}
		if t.top().kind == bottom {
			return // the dynamic linker went to the program
		}
	}
	p.resolve(t, r, pl)
}

// enteredFromGap adds the frame of a function that unseen code called. It removes the frames of functions left
// meanwhile: a landing pad may have called the function after an exception. The caller is unknown if it should have
// been seen: a thread passed a breakpoint that was hidden for another one.
func (p *Process) enteredFromGap(t *thread, f frame, steps bool) bool {
	seen := !steps
	for i := len(t.cur.frames) - 1; i > 0; i-- {
		if x := &t.cur.frames[i]; !x.returns() || f.sp < x.sp || f.sp-x.sp >= largeGap {
			break
		}
		seen = seen || p.fn(t.cur.frames[i].ra-1) == p.fn(f.ra-1)
		t.pop(i)
	}
	if top := t.top(); top.returns() && (f.sp > top.sp || top.sp-f.sp >= largeGap) {
		return false
	}
	if !seen {
		t.push(frame{kind: unknown})
	}
	t.push(f)
	return true
}

// largeGap is the maximum number of bytes of stack that code which is not seen takes.
const largeGap = 1 << 20
