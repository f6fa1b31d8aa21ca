package shard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// Options say what a run does.
type Options struct {
	Dir   string // of the results
	Reuse string // directory of the results of an earlier run, "" for none
	Units []Unit
	Setup string // digest of the program and its configuration
	// Worker is the command that writes the result of a unit, whose path is in the environment, to standard output.
	Worker  Worker
	Timeout time.Duration // of a worker
	Memory  int64         // of its address space, in bytes; 0: no limit
	Jobs    int           // workers at once
	// RetryFailed checks units again that were given up.
	RetryFailed bool
	// Status, unless nil, is called after each unit and about once a second, by one goroutine at a time.
	Status func(Status)
}

// Status is how far a run has come.
type Status struct {
	Units, Done         int
	Reused, Failed      int // of Done
	Bytes, DoneBytes    int64
	CheckedBytes        int64 // of DoneBytes, without those of results that were reused
	Checked             int
	Elapsed             time.Duration
	total, done, worked int64 // weights
}

// Left estimates the time that is left, 0 if it is not known.
func (s *Status) Left() time.Duration {
	if s.worked == 0 || s.done == s.total {
		return 0
	}
	return time.Duration(float64(s.Elapsed) * float64(s.total-s.done) / float64(s.worked))
}

// runner is a run.
type runner struct {
	Options
	limits string
	left   map[string]bool // see leftovers
	begun  time.Time
	mu     sync.Mutex
	status Status
	again  []Unit
	err    error
}

// Run makes the results that do not exist yet. A unit whose worker fails is tried again after the others, and given up
// after its third failure: its result says so then. Errors: of the directory, a worker that does not start, the
// context's cause.
func Run(ctx context.Context, o Options) (Status, error) {
	r := &runner{Options: o, limits: fmt.Sprintf("%v, %d bytes", o.Timeout, o.Memory), left: leftovers(o.Dir), begun: time.Now()}
	r.status.Units = len(o.Units)
	for i := range o.Units {
		r.status.Bytes += o.Units[i].Size
		r.status.total += o.Units[i].weight()
	}
	stop := r.showStatus()
	defer stop()
	for units := o.Units; len(units) > 0; units = r.again {
		r.again = nil
		r.pass(ctx, units)
		if r.err != nil {
			return r.status, r.err
		}
	}
	return r.status, nil
}

// showStatus shows the status about once a second until it is stopped.
func (r *runner) showStatus() (stop func()) {
	if r.Status == nil {
		return func() {}
	}
	ticker, end := time.NewTicker(time.Second), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-ticker.C:
				r.mu.Lock()
				r.show()
				r.mu.Unlock()
			case <-end:
				return
			}
		}
	})
	return func() {
		ticker.Stop()
		close(end)
		wg.Wait()
	}
}

// show is for callers that hold the lock.
func (r *runner) show() {
	r.status.Elapsed = time.Since(r.begun)
	if r.Status != nil {
		r.Status(r.status)
	}
}

// pass goes through units once.
func (r *runner) pass(ctx context.Context, units []Unit) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan *Unit)
	var wg sync.WaitGroup
	for range min(r.Jobs, len(units)) {
		wg.Go(func() {
			for u := range work {
				if err := r.unit(ctx, u); err != nil {
					cancel(err)
				}
			}
		})
	}
feed:
	for i := range units {
		select {
		case work <- &units[i]:
		case <-ctx.Done():
			break feed
		}
	}
	close(work)
	wg.Wait()
	r.err = context.Cause(ctx)
}

// unit makes the result of a unit, unless it is there.
func (r *runner) unit(ctx context.Context, u *Unit) error {
	if ctx.Err() != nil {
		return nil
	}
	h := headerOf(u, r.Setup)
	if r.hasResult(u, &h) {
		return nil
	}
	like := try{SHA256: h.SHA256, Setup: h.Setup, Limits: r.limits}
	starts, failures, last := u.tries(r.Dir, like)
	if starts-failures >= mostLost {
		last = fmt.Sprintf("the run ended %d times while the unit was checked", starts-failures)
	}
	if failures >= mostFailures || starts-failures >= mostLost {
		return r.giveUp(u, &h, last, max(failures, starts-failures))
	}
	if err := u.note(r.Dir, like); err != nil {
		return err
	}
	why, err := r.work(ctx, u, &h)
	if err != nil || why == "" {
		if err == nil {
			r.count(u, func(s *Status) {
				s.Checked, s.CheckedBytes, s.worked = s.Checked+1, s.CheckedBytes+h.Bytes, s.worked+u.weight()
			})
		}
		return err
	}
	failures++
	like.Failed = why
	if err := u.note(r.Dir, like); err != nil {
		return err
	}
	if failures >= mostFailures {
		return r.giveUp(u, &h, why, failures)
	}
	r.mu.Lock()
	r.left[u.ID()] = true
	r.again = append(r.again, *u)
	r.mu.Unlock()
	return nil
}

// hasResult reports whether a result is there, or copies that of an earlier run.
func (r *runner) hasResult(u *Unit, h *Header) bool {
	if h.SHA256 == "" && !h.gone {
		return false
	}
	if old, err := Open(r.Dir, u); err == nil {
		defer old.Close()
		if old.fits(h, r.limits) && !(r.RetryFailed && old.Failed != "") {
			r.mu.Lock()
			left := r.left[u.ID()]
			r.mu.Unlock()
			if left {
				u.removeLeftovers(r.Dir)
			}
			r.reused(u, old)
			return true
		}
	}
	if r.Reuse == "" || h.gone {
		return false
	}
	old, err := Open(r.Reuse, u)
	if err != nil {
		return false
	}
	defer old.Close()
	if !old.fits(h, r.limits) || u.write(r.Dir, func(f *os.File) error { _, err := f.ReadFrom(old.Read()); return err }) != nil {
		return false
	}
	r.reused(u, old)
	return true
}

func (r *runner) reused(u *Unit, old *Result) {
	r.count(u, func(s *Status) {
		s.Reused++
		if old.Failed != "" {
			s.Failed++
		}
	})
}

// giveUp writes the result of a unit that has none.
func (r *runner) giveUp(u *Unit, h *Header, why string, times int) error {
	err := u.write(r.Dir, func(f *os.File) error {
		if err := (&line{Unit: h}).write(f); err != nil {
			return err
		}
		return (&End{Failed: why, Times: times, Limits: r.limits}).write(f)
	})
	if err == nil || r.first(u, h) {
		r.count(u, func(s *Status) { s.Failed++ })
		return nil
	}
	return err
}

// first reports whether another run of the same part has made the result meanwhile, and perhaps removed the file of this one.
func (r *runner) first(u *Unit, h *Header) bool {
	old, err := Open(r.Dir, u)
	if err != nil {
		return false
	}
	defer old.Close()
	return old.fits(h, r.limits)
}

// count counts a unit that is done.
func (r *runner) count(u *Unit, more func(*Status)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status.Done++
	r.status.DoneBytes += u.Size
	r.status.done += u.weight()
	more(&r.status)
	r.show()
}

// work lets a worker write the result of a unit. It returns why the worker failed, "" if it did not.
func (r *runner) work(ctx context.Context, u *Unit, h *Header) (why string, err error) {
	failed := errors.New("the worker failed")
	before := stateOf(u.Path)
	err = u.write(r.Dir, func(f *os.File) error {
		if err := (&line{Unit: h}).write(f); err != nil {
			return err
		}
		var end *End
		if end, why, err = r.Worker.run(ctx, u.Path, f, r.Timeout, r.Memory); err != nil {
			return err
		}
		if why == "" && stateOf(u.Path) != before {
			why = "the file was changed while it was checked"
		}
		if why != "" {
			return failed
		}
		return end.write(f)
	})
	switch {
	case why != "":
		return why, nil
	case err != nil && ctx.Err() == nil && r.first(u, h):
		return "", nil
	}
	return "", err
}
