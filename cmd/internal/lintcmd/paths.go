package lintcmd

import (
	"bytes"
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

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
			part.fail("%s", reports.Escape(err.Error()))
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
		a.fail("nothing was read: no path has a file that can have SFrame data")
	}
}
