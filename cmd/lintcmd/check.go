package lintcmd

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// check looks at one path. It returns nil for a file that was met in a
// directory and is none of ours.
func (r *run) check(t *task) *checked {
	c := &check{run: r, task: t, file: &lint.File{Path: t.path, Err: t.err}, ours: t.named}
	if t.stdin {
		c.file.Path = stdinName
	}
	if t.err != nil {
		return c.result()
	}
	left, ok := c.within(r.flags.limits.timeout, c.scan)
	if ok && !t.stdin && c.file.Err == nil && fixable(c.file) {
		ok = c.fix(left)
	}
	if !ok {
		return c.abandoned()
	}
	return c.result()
}

// checked is what comes of a task.
type checked struct {
	*lint.File
	diff    []byte
	remarks []string // on fixes
}

// check is the look at one path.
type check struct {
	*run
	task *task

	mu      sync.Mutex
	file    *lint.File
	diff    []byte // what fixes would change
	remarks []string
	ours    bool
	thin    bool
	stopped bool // given up; whatever comes now is not wanted
}

// errStopped ends a scan whose result nobody waits for.
var errStopped = errors.New("given up")

// within does something in the time that is left, and returns what of it is
// left then; 0 is for any time. A rule can't be interrupted: where the time
// is over, ok is false, what is under way is left to itself, and nothing that
// follows is begun.
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

// guard does something and keeps the error, or the panic, that it ends in.
func (c *check) guard(do func() error) {
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
	err = do()
}

// abandoned is what was known when the time was over.
func (c *check) abandoned() *checked {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := *c.file
	f.Err = fmt.Errorf("given up after %s (--timeout)", c.flags.limits.timeout)
	return &checked{File: &f}
}

// result is what a scan has brought, nil if the file is none of ours.
func (c *check) result() *checked {
	if !c.ours && c.file.Err == nil {
		return nil
	}
	return &checked{c.file, c.diff, c.remarks}
}

// scan looks at all that is in the file.
func (c *check) scan() error {
	if c.task.stdin {
		return scanStream(c.stdin, c.opts, c.object)
	}
	return reader.Scan(c.task.path, c.opts, c.object)
}

// object runs the rules over an object and keeps what they find.
func (c *check) object(o *reader.Object) error {
	if !c.wanted(o) {
		return nil
	}
	res := c.driver.Run(o)
	out := lint.Object{
		Input: lint.InputOf(o), Findings: res.Findings, Excepted: res.Dropped, Failures: res.Failures, Cut: res.Cut, HeldBack: res.HeldBack,
	}
	if c.isThin(o) && !missing(o) {
		if path, ok := memberFile(c.task.path, o); ok {
			out.Input.File = path
		} else {
			out.Unfixed = dropFixes(out.Findings)
		}
	}
	if c.out.wantBytes() {
		out.Excerpts = excerpts(o, out.Input.Place(), out.Findings)
	}
	return c.add(out)
}

// missing tells of a member of a thin archive that could not be had: what is said
// of it is about the archive.
func missing(o *reader.Object) bool {
	return slices.ContainsFunc(o.Faults, func(f reader.Fault) bool { return f.Code == reader.MemberUnreadable })
}

// isThin tells whether the object is a member of a thin archive.
func (c *check) isThin(o *reader.Object) bool {
	if o.Member == "" || c.task.stdin {
		return false
	}
	if len(c.file.Objects) == 0 {
		c.thin = isThin(c.task.path)
	}
	return c.thin
}

func dropFixes(findings []rules.Finding) int {
	n := 0
	for i := range findings {
		if len(findings[i].Fixes) > 0 {
			findings[i].Fixes = nil
			n++
		}
	}
	return n
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

func (c *check) add(o lint.Object) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return errStopped
	}
	c.file.Objects = append(c.file.Objects, o)
	return nil
}
