package lintcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/lint/baseline"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// knownFlags say which findings are known already.
type knownFlags struct {
	path   string
	write  string
	strict bool
}

func (f *knownFlags) flags(fl *pflag.FlagSet) {
	fl.StringVar(&f.path, "baseline", "", "leave out the findings that this `FILE` lists")
	fl.StringVar(&f.write, "write-baseline", "", "list all findings of this run in `FILE`, for --baseline")
	fl.BoolVar(&f.strict, "baseline-strict", false, "what the baseline lists and is gone makes the exit status 1")
}

// known is what a run knows of the findings of earlier ones.
type known struct {
	*baseline.Baseline
	recorder *baseline.Recorder // nil if nothing is to be written
	looked   map[string]bool    // files of which all findings are there
	partly   map[part]bool      // what rules have not looked at all of, or not told all of
	cut      rules.Severity     // the gravest of findings beyond the limit
	driver   *rules.Driver
}

// part is what a rule has to say of files of a name.
type part struct{ file, rule string }

func (f *knownFlags) open(d *rules.Driver) (*known, error) {
	k := &known{Baseline: &baseline.Baseline{}, looked: map[string]bool{}, partly: map[part]bool{}, cut: rules.Off, driver: d}
	if f.write != "" {
		k.recorder = &baseline.Recorder{}
		// A run of an hour must not fail at its end.
		if _, err := os.Stat(filepath.Dir(f.write)); err != nil {
			return nil, program.Failed(err)
		}
	}
	if f.path == "" {
		return k, nil
	}
	b, err := baseline.Load(f.path)
	if errors.Is(err, fs.ErrNotExist) && f.write != "" && absolute(f.write) == absolute(f.path) {
		return k, nil // it is to be written for the first time
	}
	if err != nil {
		return nil, program.Failed(err)
	}
	k.Baseline = b
	return k, nil
}

// file drops what is known of a file's findings.
func (k *known) file(f *lint.File) {
	whole := f.Err == nil
	name := reports.ValidUTF8(filepath.Base(f.Path))
	for i := range f.Objects {
		o := &f.Objects[i]
		for id := range o.Cut {
			k.partly[part{name, id}] = true
			k.cut = max(k.cut, k.severity(id))
		}
		for _, h := range o.HeldBack {
			k.partly[part{name, h.Rule}] = true
		}
		whole = whole && len(o.Failures) == 0
		before := len(o.Findings)
		o.Findings = slices.DeleteFunc(o.Findings, func(x rules.Finding) bool {
			if k.recorder != nil {
				k.recorder.Add(&x)
			}
			return k.Has(&x)
		})
		o.Known = before - len(o.Findings)
	}
	if seen, ok := k.looked[name]; !ok || seen {
		k.looked[name] = whole
	}
}

// severity returns what a rule of the run reports its findings with.
func (k *known) severity(id string) rules.Severity {
	for _, r := range k.driver.Rules {
		if r.ID == id {
			return k.driver.SeverityOf(r)
		}
	}
	return rules.Off
}

// stale returns the entries that this run should have found again.
func (k *known) stale() []baseline.Stale {
	return k.Stale(func(id baseline.Identity) bool {
		return k.looked[id.File] && !k.partly[part{id.File, id.Rule}] &&
			slices.ContainsFunc(k.driver.Rules, func(r *rules.Rule) bool { return r.ID == id.Rule })
	})
}

// save writes the baseline. What rules had no look at in this run, it has as the
// old one had it.
func (k *known) save(path string) error {
	k.recorder.Carry(k.Baseline, func(id baseline.Identity) bool { return k.partly[part{id.File, id.Rule}] })
	return k.recorder.Save(path)
}

// maxStale is how many stale entries are listed.
const maxStale = 20

// tellStale says which entries of the baseline have become stale.
func (r *run) tellStale(all []baseline.Stale) {
	if len(all) == 0 || r.flags.quiet && !r.flags.known.strict {
		return
	}
	path := reports.Escape(r.flags.known.path)
	for i, s := range all {
		if i == maxStale && !r.flags.verbose {
			r.say("%s: and %d more (-v)", path, len(all)-i)
			break
		}
		r.say("%s: stale: %s", path, staleText(&s))
	}
}

func staleText(s *baseline.Stale) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s", s.Rule, reports.Name(s.File, s.Member))
	if s.Function != "" {
		fmt.Fprintf(&b, ", %q", reports.Escape(s.Function))
	}
	fmt.Fprintf(&b, ", %s", reports.Escape(s.Place))
	if s.Count > 1 {
		fmt.Fprintf(&b, ": %d of %d are gone", s.Gone, s.Count)
	} else {
		b.WriteString(": gone")
	}
	return b.String()
}
