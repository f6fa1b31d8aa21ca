// Package lintcmd is the command line of sframe-lint. Package lint checks files
// without a command line.
package lintcmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

const (
	name     = "sframe-lint"
	homepage = "https://github.com/sframe-lint/sframe-lint"
)

// Main runs the command with the arguments after its name and returns the exit
// status. The extra rules are run in addition to those of the catalogue.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, extra ...*rules.Rule) int {
	// Most of a small run's time would go to the garbage collector. The bound of the
	// heap makes collections more frequent where the heap is large.
	program.TuneMemory(400, program.BaseMemory)
	a := &app{args: args, stdin: stdin, stdout: stdout, stderr: stderr, extra: extra, progress: program.Progress{W: stderr}}
	a.grace.Store(int64(grace))
	if status := program.RunTree(a.command, args, stdin, stdout, stderr); status != program.ExitClean {
		return status
	}
	return a.status
}

// app is one run of the program.
type app struct {
	shared
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
	extra          []*rules.Rule
	progress       program.Progress
	color          string          // auto, always or never
	needed         []string        // files that no report may overwrite
	limits         budget.Limits   // of the commands besides the main one
	ctx            context.Context // theirs: ends when the user interrupts them
	grace          atomic.Int64    // nanoseconds that a command may take to end after it was interrupted
	status         int             // where no error has one
	damaged        int             // inputs
}

// printLine writes a line to standard error. What comes from an input must have
// been escaped.
func (a *app) printLine(format string, args ...any) {
	program.PrintLine(a.stderr, name, format, args...)
}

// fail says what could not be read or written. The command goes on.
func (a *app) fail(format string, args ...any) {
	a.printLine(format, args...)
	a.status = program.ExitFailed
}

// failIfUnmet makes the exit status 1 if what the command asks does not hold, and everything could be read.
func (a *app) failIfUnmet(wrong bool) {
	if wrong && a.status == program.ExitClean {
		a.status = program.ExitFindings
	}
}

// rules returns all rules there are, by ID.
func (a *app) rules() []*rules.Rule { return lint.Rules(a.extra...) }

// unread reports an input that is damaged: the first ones of a file.
func (a *app) unread(o *reader.Object) {
	if o.Status != reader.StatusDamaged {
		return
	}
	a.status = program.ExitFailed
	switch a.damaged++; {
	case a.damaged <= maxUnread:
		a.reportOutcome(o)
	case a.damaged == maxUnread+1:
		a.printLine("%s: more of its inputs are damaged", reports.Name(cmp.Or(o.Package, o.Path), ""))
	}
}

// isForeign reports whether a named file can have no SFrame data, which is then said and a failure.
func (a *app) isForeign(o *reader.Object) bool {
	in := lint.InputOf(o)
	if o.Member != "" || o.Package != "" || in.CanHaveSFrame() {
		return false
	}
	a.fail("%s: %s", reports.Name(o.Path, o.Member), outcome(&in))
	return true
}

// reportOutcome says how an input was read.
func (a *app) reportOutcome(o *reader.Object) {
	in := lint.InputOf(o)
	a.printLine("%s: %s", reports.Name(o.Path, o.Member), outcome(&in))
}

// showProgress shows how many files are done and which one is next.
func (a *app) showProgress(done int, path string) {
	a.progress.Show(func() string { return fmt.Sprintf("%d done, now %.60s", done, reports.Escape(path)) })
}
