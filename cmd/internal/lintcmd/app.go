// Package lintcmd is the command line of sframe-lint. Package lint checks files
// without a command line.
package lintcmd

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
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

// nameOf names an object in messages.
func nameOf(o *reader.Object) string { return reports.Name(o.Path, o.Member) }

// reason returns the text of an error, which may name what is in an input.
func reason(err error) string { return reports.Escape(err.Error()) }

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
	a.fail("%s: %s", nameOf(o), outcome(&in))
	return true
}

// nothingRead fails since no input of any path can have SFrame data.
func (a *app) nothingRead() { a.fail("nothing was read: no path has a file that can have SFrame data") }

// reportOutcome says how an input was read.
func (a *app) reportOutcome(o *reader.Object) {
	in := lint.InputOf(o)
	a.printLine("%s: %s", nameOf(o), outcome(&in))
}

// showProgress shows how many files are done and which one is next.
func (a *app) showProgress(done int, path string) {
	a.progress.Show(func() string { return fmt.Sprintf("%d done, now %.60s", done, reports.Escape(path)) })
}

// useColor reports whether to write colours to w: as --color says, else on a terminal,
// unless one of the usual variables says otherwise.
func (a *app) useColor(w io.Writer) bool {
	switch force := os.Getenv("CLICOLOR_FORCE"); {
	case a.color != "auto":
		return a.color == "always"
	case os.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return os.Getenv("CLICOLOR") != "0" && program.IsTerminal(w)
}

// limitFlag adds the flag for limits.
func limitFlag(c *cobra.Command, l *budget.Limits, bounds []budget.Bound) {
	var rows []string
	for _, b := range bounds {
		rows = append(rows, fmt.Sprintf("%s\t%s (default %s)", b.Flag, strings.ReplaceAll(b.Help, "`", ""), b.Format(b.Default)))
	}
	program.Limits(c, &limits{bounds, l}, rows)
}

// limits is the value of the flag.
type limits struct {
	bounds []budget.Bound
	to     *budget.Limits
}

func (l *limits) String() string { return "" }
func (l *limits) Type() string   { return "limit" }

func (l *limits) Set(s string) error {
	var names []string
	name, text, _ := strings.Cut(s, "=")
	for _, b := range l.bounds {
		if names = append(names, b.Flag); b.Flag == name {
			v, err := b.Parse(text)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			l.to.Set(b.Kind, v)
			return nil
		}
	}
	return lookup.Unknown("limit", name, names, "")
}

// interruptible ends what runs with the arguments when the user interrupts it.
func (a *app) interruptible(run action) action {
	return func(args []string) error {
		ctx, stop := program.UntilInterrupted()
		defer stop()
		a.ctx = ctx
		ended := make(chan error, 1)
		go func() { ended <- run(args) }()
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
		}
		select {
		case err := <-ended:
			return err
		case <-time.After(time.Duration(a.grace.Load())): // it waits for standard input
			return program.Failed(context.Cause(ctx))
		}
	}
}

// grace is how long most commands may take to end after they were interrupted.
const grace = time.Second

// newBudget returns a budget of the command's limits, and a function that ends it.
func (a *app) newBudget() (*budget.Budget, context.CancelFunc) {
	ctx, cancel := budget.WithTimeout(a.ctx, a.limits, 0)
	return budget.New(ctx, a.limits), cancel
}

// budgetError returns the reason why what was done with a budget is not whole, nil if it is.
func budgetError(b *budget.Budget) error {
	for _, e := range b.Exceeded() {
		return e
	}
	return b.Err()
}

// fileOf returns the file that an argument names; "-" is standard input.
func fileOf(arg string) lint.Path {
	if arg == "-" {
		return lint.Path{Name: lint.Stdin, Named: true, Stdin: true}
	}
	return lint.Path{Name: arg, Named: true}
}

// noSection is the message if no section has the name that --section gives.
const noSection = "--section: no section has the name \"%s\""

// scan visits the objects of a file, with a budget of its own unless the options have one. Its errors name the file. It
// fails if no object has the section that the options name.
func (a *app) scan(p lint.Path, opts reader.Options, visit func(*reader.Object) error) error {
	opts.ThinRoots = a.thinRoots
	if opts.Context == nil {
		b, end := a.newBudget()
		defer end()
		opts.Context = b
	}
	seen := opts.Section == ""
	f := lint.File{Path: p.Name, Err: p.Scan(a.stdin, opts, func(o *reader.Object) error {
		seen = seen || o.HasSection(opts.Section)
		return visit(o)
	})}
	if f.Err == nil {
		f.Err = budgetError(budget.Of(opts.Context))
	}
	if f.Err == nil && !seen {
		f.Err = fmt.Errorf(noSection, reports.Escape(opts.Section))
	}
	if f.Err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", f.Path, f.Reason())
}

// each calls work for each file that the paths stand for, for several at once, with an app whose messages
// and status join those of a in the order of the files. What work returns is called in that order, too.
func (a *app) each(paths []string, work func(part *app, p lint.Path) (report func())) {
	type result struct {
		part   *app
		said   *bytes.Buffer
		report func()
	}
	queue := make(chan chan result, program.Jobs(int(a.jobs))-1)
	go func() {
		defer close(queue)
		for p := range (&lint.Exclude{Patterns: a.excluded}).Paths(paths...) {
			if a.ctx.Err() != nil {
				return // the files that were begun say so
			}
			done := make(chan result, 1)
			queue <- done
			go func() {
				said := new(bytes.Buffer)
				part := &app{shared: a.shared, stdin: a.stdin, stdout: a.stdout, stderr: said, extra: a.extra, color: a.color, limits: a.limits, ctx: a.ctx}
				done <- result{part, said, work(part, p)}
			}()
		}
	}()
	for done := range queue {
		r := <-done
		_, _ = a.stderr.Write(r.said.Bytes())
		a.status = max(a.status, r.part.status)
		if r.report != nil {
			r.report()
		}
	}
}

// look visits each object in the files: all of a file that was named, and of others what can have SFrame
// data. For each file, begin returns what visits its objects, whose error ends the file, and what is called
// afterwards, in the order of the files, with the error. A path that can't be read or is not an input is reported.
func (a *app) look(paths []string, opts reader.Options, begin func(part *app) (visit func(*reader.Object) error, end func(path string, err error))) {
	inputs, within := 0, map[string]int{}
	a.each(paths, func(part *app, p lint.Path) func() {
		visit, end := begin(part)
		found := 0
		err := part.scan(p, opts, func(o *reader.Object) error {
			if p.Named || o.Member != "" || o.Status != reader.StatusNotELF {
				if err := visit(o); err != nil {
					return err
				}
			}
			if in := lint.InputOf(o); in.CanHaveSFrame() {
				found++
			} else if p.Named && o.Member == "" && o.Package == "" {
				part.fail("%s: %s", reports.Name(o.Path, ""), outcome(&in))
			}
			part.unread(o)
			return nil
		})
		if err != nil {
			part.fail("%s", reason(err))
		}
		return func() {
			inputs += found
			within[p.Root] += found
			end(p.Name, err)
		}
	})
	for _, path := range paths {
		if inputs > 0 && isDir(path) && within[path] == 0 {
			a.fail("%s: no file in the directory can have SFrame data", reports.Name(path, ""))
		}
	}
	if inputs == 0 && a.status != program.ExitFailed {
		a.nothingRead()
	}
}
