package execute

import ()

// handler adds the frames of a signal handler and of the trampoline that it returns to, if
// the step is the first one of a handler.
func (p *Process) handler(t *thread, s *Step) bool {
	r := s.Regs
	sp, was := r.Value[p.abi.SP], t.prev.Value[p.abi.SP]
	if sp == was || s.Signal == 0 && r.Addr == t.next() || !p.entersHandler(p, r, &t.prev) {
		return false
	}
	// The frame of the trampoline is that of the function that was interrupted.
	in := frame{kind: handled, noRA: true, noFP: true, transit: t.transit, from: t.from}
	if at, ok := p.interrupted(sp + p.entry); ok && at.PC() != 0 {
		in.ra, in.noRA = at.PC(), false
		in.sp, _ = at.Register(p.abi.SP)
		in.fp, _ = at.Register(p.abi.FP)
		in.noFP = false
	} else {
		in.sp = was
		in.fp, in.noFP = t.prev.Value[p.abi.FP], t.prev.Known>>p.abi.FP&1 == 0
	}
	t.transit = false
	t.push(in)
	t.push(p.entryFrame(r))
	return true
}

// interrupted returns the registers that the kernel saved, given SP in the trampoline.
func (p *Process) interrupted(sp uint64) (*Regs, bool) {
	return interrupted(p.abi, p.space, sp)
}

// isSigreturn reports whether a system call with these registers ends a handler. next is the address
// after the instruction, which has the number on s390x.
func (p *Process) isSigreturn(r *Regs, next uint64) bool {
	if p.abi.CallNumber >= 0 {
		return p.abi.Sigreturn(r.Value[p.abi.CallNumber])
	}
	var b [1]byte
	return p.space.Code(next-1, b[:]) == 1 && p.abi.Sigreturn(uint64(b[0]))
}

// sigreturn pops the frames of a handler and of its trampoline after the system call that
// ends it, and reports whether it was that.
func (p *Process) sigreturn(t *thread, r *Regs) bool {
	if !p.isSigreturn(&t.prev, t.next()) {
		return false
	}
	for i := len(t.cur.frames) - 1; i > 0; i-- {
		f := &t.cur.frames[i]
		if f.kind != handled {
			continue
		}
		same := f.noRA || f.sp == r.Value[p.abi.SP] // the handler may have changed PC
		transit, from := f.transit, f.from
		t.pop(i)
		if same {
			t.transit, t.from = transit, from
			return true
		}
		break
	}
	t.from = t.prev.Value[p.abi.SP]
	p.resolve(t, r, p.place(r.Addr))
	return true
}
