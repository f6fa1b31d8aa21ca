package lintcmd

import (
	"fmt"
	"sync"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// run is one run of the main command. Files are checked by several workers;
// what comes of them is reported in the order of the input.
type run struct {
	*app
	flags  *lintFlags
	driver *rules.Driver
	judge  *rules.Driver // of fixes
	filter *filter
	known  *known
	out    outputs
	opts   reader.Options
	paths  []string

	sum      lint.Summary
	inputs   int // objects reported
	skips    skips
	progress progress
	turn     chan struct{} // full while a file is being changed, one at a time
}

// ahead is how many files may be done or under way in front of the one that
// is reported next, for each worker. It bounds the findings in memory.
const ahead = 8

// all checks and reports everything.
func (r *run) all() error {
	jobs := program.Jobs(r.flags.jobs)
	if c := r.flags.config.found; c != nil && r.flags.verbose {
		r.say("configuration: %s", reports.Escape(c.Path))
	}
	r.progress = newProgress(r.stderr, !r.flags.quiet)
	defer r.progress.stop()
	work, ordered := make(chan *task), make(chan *task, ahead*jobs)
	quit := make(chan struct{})
	find := walk
	if r.flags.fixes.write {
		find = walkFirst
	}
	go feed(find, r.paths, work, ordered, quit)
	var wg sync.WaitGroup
	for range jobs {
		wg.Go(func() {
			for t := range work {
				t.done <- r.check(t)
			}
		})
	}
	var err error
	for t := range ordered {
		f := r.progress.wait(t)
		if f == nil || err != nil {
			continue
		}
		if err = r.report(f, t.named); err != nil {
			close(quit)
		}
	}
	wg.Wait()
	if err != nil {
		r.sum.Failed++ // the reports that can still be written must not look whole
	}
	if cerr := r.out.close(r.sum); err == nil {
		err = cerr
	}
	if err == nil {
		r.summary()
	}
	return err
}

// feed hands the tasks to the workers and, in order, to the one who reports.
func feed(find walker, paths []string, work, ordered chan<- *task, quit <-chan struct{}) {
	defer close(work)
	defer close(ordered)
	find(paths, func(t task) bool {
		t.done = make(chan *checked, 1)
		select {
		case ordered <- &t:
		case <-quit:
			return false
		}
		work <- &t
		return true
	})
}

// internalError is a panic outside of the rules.
type internalError struct {
	value any
	stack string
}

func (e *internalError) Error() string { return fmt.Sprint("internal error: ", e.value) }

// report passes on what came of a path.
func (r *run) report(f *checked, named bool) error {
	r.known.file(f.File)
	if r.flags.filtered() {
		for i := range f.Objects {
			r.flags.limits.trim(&f.Objects[i])
		}
	}
	r.sum.Add(f.File)
	if err := r.out.file(f.File); err != nil {
		return err
	}
	if len(f.diff) > 0 {
		if _, err := r.stdout.Write(f.diff); err != nil {
			return err
		}
	}
	if !r.flags.quiet {
		for _, text := range f.remarks {
			r.say("%s", text)
		}
	}
	r.remarks(f.File, named)
	return nil
}
