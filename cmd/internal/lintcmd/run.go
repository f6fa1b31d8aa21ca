package lintcmd

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// run is one run of the main command: it reports what a run of the library
// returns.
type run struct {
	*app
	*lint.Run
	flags  *lintFlags
	out    outputs
	inputs int // objects reported
	active int // rules
	skips  skips
	tables *tables // of the pages of files

	leftOut bool // a report is not whole
}

// all checks and reports everything.
func (r *run) all() error {
	var err error
	for f := range r.Files() {
		r.progress.Clear()
		if err = r.report(f); err != nil {
			break
		}
	}
	r.progress.Clear()
	if err == nil && r.Err() != nil {
		err = fmt.Errorf("not all files were checked: %w", r.Err())
	}
	sum := r.Summary()
	if err != nil {
		sum.Failed++ // the reports that can still be written must not look whole
	}
	cerr := r.out.close(sum)
	var out *reports.LeftOut
	if errors.As(cerr, &out) {
		r.printLine("%v", out)
		r.leftOut, cerr = true, nil
	}
	if err = cmp.Or(err, cerr); err == nil {
		r.summary()
	}
	return err
}

// report passes on the results of a path.
func (r *run) report(f *lint.File) error {
	if err := r.out.file(f); err != nil {
		return err
	}
	if len(f.Diff) > 0 {
		w := escape.NewWriter(r.stdout, escape.Text)
		_, err := w.Write(f.Diff)
		if err := cmp.Or(err, w.Close()); err != nil {
			return err
		}
	}
	r.printRemarks(f)
	return nil
}

// conclude writes the baseline and settles the exit status.
func (r *run) conclude() error {
	failOn := r.flags.fails
	sum, path := r.Summary(), r.flags.known.write
	stale := r.Stale()
	r.reportStale(stale)
	if path != "" {
		recorded, err := r.Recorded()
		if errors.Is(err, lint.ErrIncomplete) {
			r.fail("%s: not written: %v", reports.Escape(path), err)
			return nil
		}
		recorded.Reason = cmp.Or(r.flags.known.reason, recorded.Reason)
		if err := recorded.Save(path); err != nil {
			return program.Failed(err)
		}
		if !r.flags.quiet {
			r.printLine("%s: %s recorded", reports.Escape(path), rules.Count(recorded.Len(), "finding"))
		}
	}
	switch {
	case sum.Failed > 0, sum.Empty, r.leftOut:
		r.status = program.ExitFailed
	case path == "" && failOn != rules.Off && (sum.AtLeast(failOn) > 0 || sum.GravestCut >= failOn):
		r.status = program.ExitFindings
	case sum.Damaged > 0, sum.Hidden > 0:
		r.status = program.ExitFailed // a finding reports it, but one that does not count
	case r.flags.known.strict && len(stale) > 0:
		r.status = program.ExitFindings
	}
	return nil
}
