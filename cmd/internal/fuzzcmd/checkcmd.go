package fuzzcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance/build"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/reports"
)

const checkLong = `Tests a new reader in one run. It tests a --decoder with the conformance suite and with
random cases, then all of --decoder, --library and --target in a campaign of --time. It
prints what was compared and found, and what was not compared, as a table. "help
conformance" and "help run" describe the parts. Build with the sanitizers if you can.

Exit status 1 means that there is a find, 3 that a part compared nothing.`

const checkExample = `  sframe-fuzz check --decoder './my-decoder --json'
  sframe-fuzz check --decoder ./my-decoder --library own=./my-reader.so --target './my-dump @@' --time 10m
  sframe-fuzz check --decoder ./my-decoder --first`

func (a *app) checkCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use: "check --decoder COMMAND [--library KIND=PATH] [--target COMMAND] [flags]", Short: "Test a new reader: suite, random cases and campaign", Long: checkLong,
		Example: checkExample, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return a.check(&f)
		},
	}
	f.flags(c)
	c.Flags().DurationVar(&f.opts.Time, "time", 2*time.Minute, "end the campaign after `TIME`, minimizing included")
	c.Flags().BoolVar(&f.opts.First, "first", false, "stop at the first find, and print how many seconds and inputs it took")
	program.Format(c, &f.format, "text", "json")
	return c
}

// part is a part of a check.
type part struct {
	Part        string                 `json:"part"`
	Target      string                 `json:"target"`
	Inputs      int64                  `json:"inputs"`
	Seconds     float64                `json:"seconds"`
	Compared    []string               `json:"compared"`
	NotCompared []campaign.NotCompared `json:"not_compared,omitempty"`
	Finds       []string               `json:"finds"`
}

// outcome is the result of a check.
type outcome struct {
	Parts []part          `json:"parts"`
	First *campaign.First `json:"first,omitempty"`
	Dir   string          `json:"dir,omitempty"` // of the reports
}

// suite is the pattern of the cases of a check, and randomCases the number of random ones. A test asks fewer.
var suite, randomCases = "", 2000

// answerTime bounds the time for an answer to a case: sections have up to 4 MB.
const answerTime = 10 * time.Second

func (a *app) check(f *runFlags) error {
	ctx, stop := program.UntilInterrupted()
	defer stop()
	if f.opts.Time == 0 {
		return errors.New("--time: must be above 0")
	}
	dir, own := f.opts.Dir, f.opts.Dir == ""
	if own {
		var err error
		if dir, err = os.MkdirTemp("", "sframe-fuzz-check-"); err != nil {
			return program.Failed(err)
		}
	}
	r := &outcome{}
	err := a.checkAll(ctx, f, r, dir)
	if own && !r.found() {
		err = errors.Join(err, os.RemoveAll(dir))
	} else {
		r.Dir = dir
	}
	if f.format == "json" {
		b, _ := campaign.Indent(r)
		_, failed := a.stdout.Write(b)
		err = errors.Join(err, failed)
	} else {
		err = errors.Join(err, r.text(a.stdout))
	}
	switch {
	case err != nil:
	case r.found():
		a.status = program.ExitFindings
	case slices.ContainsFunc(r.Parts, func(p part) bool { return len(p.Compared) == 0 }):
		err = errNothing
	}
	return program.Failed(err)
}

// checkAll runs the parts, and ends after the first find if that is asked for.
func (a *app) checkAll(ctx context.Context, f *runFlags, r *outcome, dir string) error {
	begun := time.Now()
	for _, t := range f.opts.Targets {
		args, ok := t.Decoder()
		if !ok {
			continue
		}
		for _, name := range []string{"suite", "random"} {
			if err := a.askCases(ctx, f, r, &conformance.Process{Command: args, Env: f.env, Timeout: answerTime}, name, t.Name, dir); err != nil {
				return err
			}
			if f.opts.First && r.found() {
				r.first(begun, r.Parts[len(r.Parts)-1].Inputs)
				return nil
			}
		}
	}
	var groups [][]*campaign.Target
	for _, inProcess := range []bool{true, false} {
		some := slices.DeleteFunc(slices.Clone(f.opts.Targets), func(t *campaign.Target) bool { return t.InProcess() != inProcess })
		if len(some) > 0 {
			groups = append(groups, some)
		}
	}
	for i, targets := range groups {
		opts := f.opts
		opts.Targets, opts.Count, opts.Time = targets, 0, f.opts.Time/time.Duration(len(groups))
		opts.Dir = filepath.Join(dir, fmt.Sprint("campaign", i))
		s, err := a.runCampaign(ctx, opts, f.format)
		if err != nil {
			return err
		}
		r.campaign(s)
		if f.opts.First && s.First != nil {
			r.first(begun, s.First.Inputs)
			return nil
		}
	}
	return nil
}

// askCases asks a decoder about the suite or about random cases, and keeps the report.
func (a *app) askCases(ctx context.Context, f *runFlags, r *outcome, d conformance.Decoder, name, target, dir string) error {
	begun := time.Now()
	each := func(_ int, last *conformance.Result) bool {
		// A valid section that is refused is a find only if the decoder reads others of its version.
		return !f.opts.First || !last.Outcome.Failed() || last.Outcome == conformance.Refused
	}
	var report *conformance.Report
	var err error
	if name == "suite" {
		var cases []conformance.Case
		if cases, err = build.Cases(suite); err != nil {
			return err
		}
		report, err = conformance.Run(ctx, target, d, cases, each)
	} else {
		report, err = conformance.RunRandom(ctx, target, d, f.opts.Seed, randomCases, false, each)
	}
	report.End(d.Close())
	p := part{Part: name, Target: target, Inputs: int64(len(report.Results)), Seconds: time.Since(begun).Seconds(), Finds: []string{}}
	p.Compared, p.NotCompared = report.Compared()
	for i := range report.Results {
		if x := &report.Results[i]; x.Outcome.Failed() {
			p.Finds = append(p.Finds, fmt.Sprintf("%s: %s: %s", x.Case.Name, x.Outcome, x.Detail))
		}
	}
	if errors.Is(err, conformance.ErrSilent) {
		p.Finds, err = append(p.Finds, err.Error()), nil
	}
	r.Parts = append(r.Parts, p)
	if err != nil || len(p.Finds) == 0 {
		return err
	}
	var text strings.Builder
	if err := report.Text(&text); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+"-"+target+".txt"), []byte(text.String()), 0o666)
}

// campaign adds the parts of a campaign.
func (r *outcome) campaign(s *campaign.Summary) {
	inputs := int64(0)
	for _, n := range s.Inputs {
		inputs += int64(n)
	}
	for _, t := range s.Targets {
		p := part{Part: "campaign", Target: t.Name, Inputs: inputs, Seconds: s.Seconds, Compared: t.Compared, NotCompared: t.NotCompared, Finds: []string{}}
		for _, x := range s.Finds {
			if x.Target == t.Name {
				p.Finds = append(p.Finds, x.ID+": "+x.Key)
			}
		}
		r.Parts = append(r.Parts, p)
	}
}

func (r *outcome) first(begun time.Time, inputs int64) {
	for _, p := range r.Parts[:len(r.Parts)-1] {
		if p.Part != "campaign" {
			inputs += p.Inputs
		}
	}
	r.First = &campaign.First{Inputs: inputs, Seconds: time.Since(begun).Seconds()}
}

func (r *outcome) found() bool {
	return slices.ContainsFunc(r.Parts, func(p part) bool { return len(p.Finds) > 0 })
}

// mostFinds bounds the finds of a part that the text names.
const mostFinds = 5

// text writes the table, the finds and what was not compared.
func (r *outcome) text(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "part\ttarget\tinputs\tseconds\tfound\tcompared")
	for _, p := range r.Parts {
		compared := conformance.InShort(p.Compared)
		if compared == "" {
			compared = "nothing"
		}
		fmt.Fprintf(tw, "%s\t%s\t%d\t%.1f\t%d\t%s\n", p.Part, p.Target, p.Inputs, p.Seconds, len(p.Finds), compared)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	for _, p := range r.Parts {
		for _, n := range p.NotCompared {
			fmt.Fprintf(&b, "%s of %s: not compared: %s (%s)\n", p.Part, p.Target, conformance.InShort(n.Forms), reports.Escape(n.Why))
		}
	}
	for _, p := range r.Parts {
		for i, x := range p.Finds {
			if i == mostFinds {
				fmt.Fprintf(&b, "%s of %s: %d more\n", p.Part, p.Target, len(p.Finds)-i)
				break
			}
			fmt.Fprintf(&b, "%s of %s: found: %s\n", p.Part, p.Target, reports.Escape(x))
		}
	}
	if r.First != nil {
		fmt.Fprintf(&b, "the first find took %.1f s and %d inputs\n", r.First.Seconds, r.First.Inputs)
	}
	if r.found() {
		fmt.Fprintf(&b, "reports: %s\n", r.Dir)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
