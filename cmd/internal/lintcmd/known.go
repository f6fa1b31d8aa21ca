package lintcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
)

// knownFlags name the baselines: the findings that are known already.
type knownFlags struct {
	path   string
	write  string
	reason string
	strict bool
}

func (f *knownFlags) flags(fl *pflag.FlagSet) {
	fl.StringVar(&f.path, "baseline", "", "hide the findings listed in `FILE`")
	fl.StringVar(&f.write, "write-baseline", "", "write all findings of this run to `FILE`, for --baseline")
	fl.StringVar(&f.reason, "baseline-reason", "", "with --write-baseline: record `TEXT` as the reason for accepting the findings\n(default: the reason in --baseline)")
	fl.BoolVar(&f.strict, "baseline-strict", false, "exit with status 1 if the baseline has stale entries")
}

// open reads the baseline, nil if there is none. It may be as large as the results that it is for, in bytes, which is 0 for
// those that are not there yet.
func (f *knownFlags) open(results int64) (*lint.Baseline, error) {
	if f.path == "" {
		return nil, nil
	}
	b, err := lint.LoadBaseline(f.path, results)
	if errors.Is(err, fs.ErrNotExist) && f.write != "" && edit.Absolute(f.write) == edit.Absolute(f.path) {
		return nil, nil // it is to be written for the first time
	}
	return b, program.WrongUsage(openError("--baseline", err))
}

// openError names the flag of a file that could not be opened.
func openError(flag string, err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return fmt.Errorf("%s: %s: %w", flag, e.Path, e.Err)
	}
	return err
}

// maxStale is the number of stale entries that are listed.
const maxStale = 20

// reportStale lists the stale entries of the baseline.
func (r *run) reportStale(all []lint.Stale) {
	if len(all) == 0 || r.flags.quiet && !r.flags.known.strict {
		return
	}
	path := reports.Escape(r.flags.known.path)
	for i, s := range all {
		if i == maxStale && !r.flags.verbose {
			r.printLine("%s: and %d more (-v)", path, len(all)-i)
			break
		}
		r.printLine("%s: stale: %s", path, staleText(&s))
	}
}

func staleText(s *lint.Stale) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s", s.Rule, reports.Name(s.File, s.Member))
	if s.Function != "" {
		fmt.Fprintf(&b, ", %q", reports.Escape(s.Function))
	}
	fmt.Fprintf(&b, ", %s", reports.Escape(s.Place))
	if s.Count > 1 {
		fmt.Fprintf(&b, ": %d of %d not found", s.Gone, s.Count)
	} else {
		b.WriteString(": not found")
	}
	return b.String()
}
