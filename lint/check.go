package lint

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/sframe-lint/sframe-lint/reader"
)

// check checks one path. It returns nil for a file that was met in a directory
// and is not a supported input.
func (r *Run) check(ctx context.Context, t *task) *File {
	c := &check{Run: r, ctx: ctx, task: t, file: &File{Path: t.Name, Named: t.Named}, ours: t.Named}
	left, ok := c.within(r.opts.Limits.Timeout, c.scan)
	if ok && !t.Stdin && c.file.Err == nil && fixable(c.file) {
		ok = c.fix(left)
	}
	switch {
	case !ok:
		return c.abandoned()
	case !c.ours && c.file.Err == nil:
		return nil
	}
	return c.file
}

// check is the check of one path.
type check struct {
	*Run
	ctx  context.Context
	task *task

	mu      sync.Mutex
	file    *File
	ours    bool // a supported input
	thin    bool // a thin archive
	stopped bool // abandoned: results are dropped from now on
}

// errStopped ends a scan that was abandoned.
var errStopped = errors.New("abandoned")

// ErrTimeout is the error of a file that took longer than [Limits.Timeout].
var ErrTimeout = errors.New("time limit exceeded")

// within calls do and returns how much of the time that is left remains; 0 stands
// for any time. A rule can't be interrupted: when the time is over, ok is false
// and do is abandoned; it goes on to its next call of object or apply.
func (c *check) within(left time.Duration, do func() error) (rest time.Duration, ok bool) {
	if left == 0 {
		c.guard(do)
		return 0, true
	}
	begun, done := time.Now(), make(chan struct{})
	go func() {
		defer close(done)
		c.guard(do)
	}()
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-done:
		return max(left-time.Since(begun), 1), true
	case <-timer.C:
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	return 0, false
}

// guard calls do and keeps its error or panic.
func (c *check) guard(do func() error) {
	var err error
	defer func() {
		if v := recover(); v != nil {
			err = &InternalError{v, string(debug.Stack())}
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.stopped {
			c.file.Err = err
		}
	}()
	err = do()
}

// abandoned returns the results up to the timeout.
func (c *check) abandoned() *File {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := *c.file
	f.Err = fmt.Errorf("%w: %s", ErrTimeout, c.opts.Limits.Timeout)
	return &f
}

// scan checks the objects in the file.
func (c *check) scan() error { return c.task.Scan(c.opts.Stdin, c.reader, c.object) }

// object runs the rules over an object and keeps the results.
func (c *check) object(o *reader.Object) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if !c.wanted(o) {
		return nil
	}
	res := c.driver.Run(o)
	out := Object{
		Input: InputOf(o), Findings: res.Findings, Excepted: res.Dropped, Failures: res.Failures, Cut: res.Cut, HeldBack: res.HeldBack,
	}
	if c.isThin(o) && !missing(o) {
		if path, ok := memberFile(c.task.Name, o); ok {
			out.Input.File = path
		} else {
			out.Unfixed = dropFixes(out.Findings)
		}
	}
	if c.opts.Excerpts {
		out.Excerpts = excerpts(o, out.Input.Place(), out.Findings)
	}
	return c.add(out)
}

// wanted reports whether the object is to be checked.
func (c *check) wanted(o *reader.Object) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ours && o.Member == "" && o.Status == reader.StatusNotELF {
		return false
	}
	c.ours = true
	return !c.stopped
}

func (c *check) add(o Object) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return errStopped
	}
	c.file.Objects = append(c.file.Objects, o)
	return nil
}

// over returns an error if the check is to end.
func (c *check) over() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return errStopped
	}
	return c.ctx.Err()
}
