package lintcmd

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

// check looks at one path. It returns nil for a file that was met in a
// directory and is none of ours.
func (r *run) check(t *task) *reports.File {
	c := &check{run: r, task: t, file: &reports.File{Path: t.path, Err: t.err}, ours: t.named}
	if t.path == "-" {
		c.file.Path = stdinName
	}
	switch {
	case t.err != nil:
		return c.file
	case r.flags.limits.timeout > 0:
		return c.within(r.flags.limits.timeout)
	}
	c.scan()
	return c.result()
}

// check is the look at one path.
type check struct {
	*run
	task *task

	mu      sync.Mutex
	file    *reports.File
	ours    bool
	stopped bool // given up; whatever comes now is not wanted
}

// errStopped ends a scan whose result nobody waits for.
var errStopped = errors.New("given up")

// within is scan with a limit of time. A rule can't be interrupted: one that
// is under way when the time is over is left to itself, and nothing that
// follows is begun.
func (c *check) within(limit time.Duration) *reports.File {
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.scan()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return c.result()
	case <-timer.C:
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	f := *c.file
	f.Err = fmt.Errorf("given up after %s (--timeout)", limit)
	return &f
}

// result is what a scan has brought, nil if the file is none of ours.
func (c *check) result() *reports.File {
	if !c.ours && c.file.Err == nil {
		return nil
	}
	return c.file
}

// scan looks at all that is in the file.
func (c *check) scan() {
	var err error
	defer func() {
		if v := recover(); v != nil {
			err = &internalError{v, string(debug.Stack())}
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.stopped {
			c.file.Err = err
		}
	}()
	if c.task.path == "-" {
		err = scanStream(c.stdin, c.opts, c.object)
	} else {
		err = reader.Scan(c.task.path, c.opts, c.object)
	}
}

// object runs the rules over an object and keeps what they find.
func (c *check) object(o *reader.Object) error {
	if !c.wanted(o) {
		return nil
	}
	res := c.driver.Run(o)
	return c.add(reports.Object{
		Input: reports.InputOf(o), Findings: res.Findings, Failures: res.Failures, Cut: res.Cut, Skips: res.Skips,
	})
}

// wanted tells whether the object is to be looked at.
func (c *check) wanted(o *reader.Object) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ours && o.Member == "" && o.Status == reader.StatusNotELF {
		return false
	}
	c.ours = true
	return !c.stopped
}

func (c *check) add(o reports.Object) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return errStopped
	}
	c.file.Objects = append(c.file.Objects, o)
	return nil
}
