package lintcmd

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

// named returns the file that an argument names; "-" is standard input.
func named(arg string) lint.Path {
	if arg == "-" {
		return lint.Path{Name: lint.Stdin, Named: true, Stdin: true}
	}
	return lint.Path{Name: arg, Named: true}
}

// scan visits the objects of a file, with a budget of its own unless the options have
// one. Its errors name the file.
func (a *app) scan(p lint.Path, opts reader.Options, visit func(*reader.Object) error) error {
	opts.ThinRoots, opts.MaxSection = a.thinRoots, a.limits[budget.Section]
	if opts.Budget == nil {
		b, end := a.account()
		defer end()
		opts.Budget = b
	}
	f := lint.File{Path: p.Name, Err: p.Scan(a.stdin, opts, visit)}
	if f.Err == nil {
		f.Err = over(opts.Budget)
	}
	if f.Err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", f.Path, f.Reason())
}

// look visits each object in the files: all of a file that was named, and of
// others what can have SFrame data. An error of visit ends a file. It reports what can't
// be read, and calls lost with its path.
func (a *app) look(paths []string, opts reader.Options, visit func(*reader.Object) error, lost func(path string)) {
	for p := range lint.Paths(paths...) {
		err := a.scan(p, opts, func(o *reader.Object) error {
			if p.Named || o.Member != "" || o.Status != reader.StatusNotELF {
				if err := visit(o); err != nil {
					return err
				}
			}
			a.unread(o)
			return nil
		})
		if err != nil {
			a.fail("%s", reports.Escape(err.Error()))
			lost(p.Name)
		}
		if a.ctx.Err() != nil {
			return // the error says so
		}
	}
}
