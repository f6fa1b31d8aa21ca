package lintcmd

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/tool/config"
	"github.com/sframe-lint/sframe-lint/internal/tool/html"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/internal/tool/shard"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

var batchReport = command{
	name: "report", args: "DIR",
	short: "Join the results of a list",
	long: `Joins the results that runs of 'batch run' have kept in DIR, and reports them
as one run would: in the same formats, and with the same gate. The baseline is then that of
the whole distribution.

Results of inputs that the list no longer has do not count, and neither do those of another
program, other rules or another configuration than those of the last run. A result states
the path and the digest of its input. One of another path, or of other bytes than an input
that is there, does not count either.

Inputs are judged as a whole by --min-coverage and --require-sframe: a package may have
files with less.`,
	status: [3]string{"no finding at or above --fail-on",
		"at least one finding at or above --fail-on, or an input with less SFrame data than\n--min-coverage or --require-sframe demand",
		"an input has no result, its process failed three times, an input could not be\nread, or a part of one was not checked; takes precedence over 1"},
	example: `  sframe-lint batch report --statistics results
  sframe-lint batch report --min-coverage 95% --fail-on never -q results
  sframe-lint batch report --baseline distribution.json --format html=report.html --format markdown results`,
	start: func(a *app, c *cobra.Command) func([]string) error {
		f, d := &lintFlags{shared: &a.shared}, &demands{}
		f.reports(c)
		f.addGateFlags(c)
		limitFlag(c, &f.limits, []budget.Bound{*budget.Output.Bound()})
		a.completeLint(c)
		return func(args []string) error {
			d.least, d.some = f.minCoverage, f.requireSFrame
			return a.collect(f, d, args[0])
		}
	},
}

// collect joins the results in a directory.
func (a *app) collect(f *lintFlags, d *demands, dir string) error {
	var s setup
	units, err := shard.Load(dir, &s)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return program.Failed(fmt.Errorf("%s: it has no results of 'batch run'", dir))
	case err != nil:
		return program.Failed(err)
	case s.Schema != setupSchema:
		return program.Failed(fmt.Errorf("%s: not a format that this version reads: %q", dir, s.Schema))
	}
	o, severities, err := f.joinOptions(a, &s)
	if err != nil {
		return err
	}
	var unopened error
	if o.Baseline, unopened = f.known.open(shard.Size(dir, units)); unopened != nil {
		return unopened
	}
	if err := f.check(nil); err != nil {
		return err
	}
	needed, err := f.inputFiles([]string{filepath.Join(dir, "setup.json")})
	if err != nil {
		return err
	}
	joined := &joiner{app: a, dir: dir, setup: s.Digest, units: units, rules: map[string]*rules.Rule{}, demands: *d}
	for _, r := range a.rules() {
		joined.rules[r.ID] = r
	}
	replay, err := lint.Replay(a.ctx, o, severities, joined.files())
	if err != nil {
		return flagError(err)
	}
	out, err := a.openOutputs(f, joined.rulesRun(severities), needed)
	if err != nil {
		return err
	}
	out.limit(f.limits)
	r := &run{app: a, flags: f, out: out, Run: replay, active: len(severities)}
	if err := r.all(); err != nil {
		return program.Failed(err)
	}
	if err := r.conclude(); err != nil {
		return err
	}
	joined.conclude(f.quiet)
	return nil
}

// joinOptions returns the options of a run over results.
func (f *lintFlags) joinOptions(a *app, s *setup) (o lint.Options, severities map[string]rules.Severity, err error) {
	severities = map[string]rules.Severity{}
	for id, name := range s.Rules {
		if severities[id], err = rules.ParseSeverity(name); err != nil {
			return o, nil, program.Failed(err)
		}
	}
	if f.settings, err = lint.FindProfile(s.Profile); err != nil {
		return o, nil, program.Failed(err)
	}
	show := cmp.Or(f.show, s.Show)
	switch {
	case f.show == showAll:
		show = s.Show
	case f.verbose && f.show == "":
		show = "note"
	}
	if f.shown, err = config.ParseLevel(show); err != nil {
		return o, nil, fmt.Errorf("--show: %w", err)
	}
	f.failOn = cmp.Or(f.failOn, s.FailOn)
	if err := f.parseFailOn(); err != nil {
		return o, nil, err
	}
	if len(f.formats) == 0 {
		f.formats = []string{a.defaultFormat(f)}
	}
	o = lint.Options{
		Extra: a.extra, Profile: s.Profile, Show: f.lowestListed(f.shown), Record: f.known.write != "", AllowEmpty: f.allowEmpty, Limits: f.limits,
		Configuration: s.Configuration,
	}
	if !f.quiet && program.IsTerminal(a.stderr) {
		o.Progress = a.showProgress
	}
	return o, severities, nil
}

// demands are what each unit must have.
type demands struct {
	least coverage.Percent // of the bytes of its functions
	some  bool             // SFrame data, if it has functions
}

// joiner reads results.
type joiner struct {
	*app
	demands
	low     []string // units that have less, and what they have
	dir     string
	setup   string // digest
	units   []shard.Unit
	rules   map[string]*rules.Rule
	missing []string // units
	stale   int      // of them, those with a result of other bytes or another setup
	failed  int
	seconds float64 // of processors
	bytes   int64
}

// rulesRun returns the rules that were run.
func (j *joiner) rulesRun(severities map[string]rules.Severity) []*rules.Rule {
	return slices.DeleteFunc(j.app.rules(), func(r *rules.Rule) bool { return severities[r.ID] == rules.Off })
}

// rule returns a rule, or one that stands for a rule that this program does not have.
func (j *joiner) rule(id string) *rules.Rule {
	if j.rules[id] == nil {
		j.rules[id] = &rules.Rule{ID: id, Title: "a rule of another program"}
	}
	return j.rules[id]
}

// files passes on the results of all units, in the order of the list.
func (j *joiner) files() iter.Seq[*lint.File] {
	return func(yield func(*lint.File) bool) {
		for i := range j.units {
			if !j.unit(&j.units[i], yield) {
				return
			}
		}
	}
}

func (j *joiner) unit(u *shard.Unit, yield func(*lint.File) bool) (more bool) {
	r, err := shard.Open(j.dir, u)
	if err == nil {
		defer r.Close()
	}
	if err != nil || !r.Current(u, j.setup) {
		if err == nil {
			j.stale++
		}
		j.missing = append(j.missing, u.Path)
		return true
	}
	j.seconds += r.CPU
	j.bytes += r.Bytes
	if r.Failed != "" {
		j.failed++
		return yield(&lint.File{Path: r.Path, Err: fmt.Errorf("given up after %d failures: %s", r.Times, r.Failed)})
	}
	more = true
	var whole coverage.Share
	err = reports.Replay(r.Read(), j.rule, func(f *lint.File) bool {
		for i := range f.Objects {
			if c, ok := f.Objects[i].Coverage.(*coverage.File); ok {
				whole = whole.Plus(c.Share)
				c.Gaps = c.Gaps[:min(len(c.Gaps), html.MaxGaps)]
				c.Sections = c.Sections[:min(len(c.Sections), html.MaxGaps)]
			}
		}
		more = yield(f)
		return more
	})
	if err != nil && more {
		return yield(&lint.File{Path: r.Path, Err: err})
	}
	if whole.Below(j.least) || j.some && whole.Functions > 0 && whole.CoveredFunctions == 0 {
		j.low = append(j.low, fmt.Sprintf("%s: %v", escape.Name(r.Path), whole))
	}
	return more
}

// maxMissing is the number of units that lack something and are named.
const maxMissing = 10

// conclude says what is missing.
func (j *joiner) conclude(quiet bool) {
	if n := len(j.low); n > 0 {
		for _, text := range j.low[:min(n, maxMissing)] {
			j.printLine("%s", text)
		}
		j.printLine("%d of %s with less SFrame data than demanded", n, rules.Count(len(j.units), "unit"))
		j.failIfUnmet(true)
	}
	if n := len(j.missing); n > 0 {
		slices.Sort(j.missing)
		for _, path := range j.missing[:min(n, maxMissing)] {
			j.printLine("%s: no result", escape.Name(path))
		}
		why := ""
		if j.stale > 0 {
			why = fmt.Sprintf(", %d of them only one of other bytes, another program or configuration", j.stale)
		}
		j.fail("%d of %s without a result%s: run the shards again", n, rules.Count(len(j.units), "unit"), why)
	}
	if quiet {
		return
	}
	text := fmt.Sprintf("%s: %s, %.1f MB, %.0f s of processors", j.dir, rules.Count(len(j.units), "unit"), float64(j.bytes)/1e6, j.seconds)
	if j.failed > 0 {
		text += fmt.Sprintf("; %d given up", j.failed)
	}
	j.printLine("%s", reports.Escape(text))
}
