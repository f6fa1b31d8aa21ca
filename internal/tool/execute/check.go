package execute

import (
	"errors"

	"github.com/sframe-lint/sframe-lint/unwind"
)

// What differs from what is true.
const (
	whatCFA    = "cfa"
	whatRA     = "ra"
	whatFP     = "fp"
	whatBottom = "bottom"    // RA is to be undefined, and is not
	whatTop    = "outermost" // RA is undefined, and there is a caller
	whatSignal = "signal"    // a trampoline without the mark of a signal frame
	whatStop   = "stop"      // the cursor stops
)

// check compares what the row of a PC says of the caller with what is true.
func (p *Process) check(t *thread, r *Regs, pl *site) {
	f := t.top()
	switch {
	case pl.stop != nil && pl.stop.Reason != unwind.Outermost:
		p.stats.NoFDE++
		return
	case t.transit:
		p.stats.Transit++
		return
	case f.kind == unknown, f.kind == bottom && f.first != 0 && f.first == pl.fn:
		p.stats.NoCallers++
		return
	}
	p.cursor.Restart(r, &pl.proc)
	var next unwind.Frame
	stop := pl.stop
	if stop == nil {
		next, stop = p.cursor.Caller(pl.rules)
	}
	if stop != nil && errors.Is(stop.Err, ErrUnknown) {
		p.stats.Unread++
		return
	}
	p.stats.Checked++
	pl.row.steps++
	if p.opts.Claims != nil {
		p.opts.Claims.check(p, f, r, pl)
	}
	what := f.differs(&next, stop, pl)
	if what != "" {
		p.recordWrong(t, r, pl, what, &next, stop)
	} else if pl.otherCFI {
		p.checkCFI(t, r, pl)
	}
	if p.opts.Every > 0 {
		if t.since++; t.since >= p.opts.Every && what == "" { // else all frames below are wrong too
			t.since = 0
			p.checkAll(t, r, pl)
		}
	}
}

// differs returns what of a caller is not as it is in truth, "" for nothing.
func (f *frame) differs(next *unwind.Frame, stop *unwind.Stop, pl *site) string {
	outermost := stop != nil && stop.Reason == unwind.Outermost
	switch {
	case f.kind == bottom && (outermost || stop != nil && stop.Reason == unwind.ZeroPC):
		return ""
	case f.kind == bottom:
		return whatBottom
	case outermost:
		return whatTop
	case f.kind == handled && pl != nil && !pl.proc.Signal() && pl.proc.HasFDE && pl.proc.FDE.Section().Version().Info().Signal:
		return whatSignal
	case stop != nil && (stop.Value == "RA" || stop.Reason == unwind.ZeroPC):
		return whatRA
	case stop != nil && stop.Value == "FP":
		return whatFP
	case stop != nil && (stop.Value == "CFA" || stop.Reason == unwind.NotAdvancing):
		return whatCFA
	case stop != nil:
		return whatStop
	case next.SP != f.sp:
		return whatCFA
	case next.PC != f.ra && !f.noRA:
		return whatRA
	case !f.noFP && next.FPKnown && next.FP != f.fp:
		return whatFP
	}
	return ""
}

// checkCFI compares the rules of the CFI, which are not those of the SFrame data.
func (p *Process) checkCFI(t *thread, r *Regs, pl *site) {
	next, stop := p.cursor.Caller(pl.cfi)
	if stop != nil && errors.Is(stop.Err, ErrUnknown) {
		return
	}
	if what := t.top().differs(&next, stop, nil); what != "" {
		p.report(t, r, pl, what, &next, stop, CauseCFI)
	}
}

// checkAll compares all frames of a thread, only by the cursor.
func (p *Process) checkAll(t *thread, r *Regs, pl *site) {
	p.stats.Stacks++
	c := p.cursor
	fs := t.cur.frames
	for i := len(fs) - 1; i >= 0; i-- {
		at := c.Frame()
		f := &fs[i]
		if f.kind == unknown || f.noRA {
			return
		}
		stop := c.Step()
		if stop != nil && !stop.Complete() {
			if i == len(fs)-1 {
				return // it was reported
			}
			switch stop.Reason {
			case unwind.Unreadable, unwind.NoModule, unwind.NoSection, unwind.NoFDE, unwind.NoFRE, unwind.SignalFrame, unwind.TopmostOnly, unwind.NoRegister, unwind.TooManyFrames:
				return
			}
		}
		next := c.Frame()
		if i < len(fs)-1 {
			p.stats.Frames++
			if f.kind == bottom && f.first != 0 {
				return
			}
			if what := f.differs(&next, stop, nil); what != "" {
				p.recordDeeper(r, what, &at, f, &next, stop)
				return
			}
		}
		if stop != nil || f.kind == bottom {
			return
		}
	}
}
