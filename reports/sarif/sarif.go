package sarif

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// MaxResults is how many results a report has. GitHub's code scanning rejects a
// run with more.
const MaxResults = 25000

// Options describe the run.
type Options struct {
	Tool reports.Tool
	// Rules are the rules that were run.
	Rules []*rules.Rule
	// Root is the absolute path of the directory that relative paths count from; ""
	// leaves it out.
	Root string
}

// Renderer collects the findings of a run and writes the report at its end, since
// the most severe findings come first.
type Renderer struct {
	w         io.Writer
	opts      Options
	results   []result
	notes     []*sarif.Notification
	failed    bool
	ruleIndex map[string]int
	uris      map[string]string
	seen      ordinals // of the whole run: files in different directories have one name
	max       int
}

// result is a finding with what the results of its file add to it.
type result struct {
	rules.Finding
	fingerprint
	file string // that offsets count in
}

// New returns a renderer that writes SARIF.
func New(w io.Writer, opts Options) *Renderer {
	r := &Renderer{w: w, opts: opts, ruleIndex: map[string]int{}, uris: map[string]string{}, seen: ordinals{}, max: MaxResults}
	for i, rule := range opts.Rules {
		r.ruleIndex[rule.ID] = i
	}
	return r
}

// File adds the results of a path.
func (r *Renderer) File(f *lint.File) error {
	for i := range f.Objects {
		o := &f.Objects[i]
		for j := range o.Findings {
			r.results = append(r.results, result{o.Findings[j], r.seen.fingerprint(&o.Findings[j]), o.Input.Place()})
		}
		for _, x := range o.Failures {
			r.failed = true
			r.notes = append(r.notes, r.failure(x))
		}
		r.cut(o)
		r.skipped(o)
		for _, g := range o.HiddenGaps() {
			r.notify(sarif.LevelError, f.Path, "%s: %s",
				reports.Name(o.Input.Path, o.Input.Member), reports.NotRead(&o.Input, g))
		}
		if o.Hidden() {
			r.failed = true
		}
	}
	if f.Err != nil {
		r.failed = true
		r.notify(sarif.LevelError, f.Path, "%s: %s", reports.Name(f.Path, ""), reports.Escape(f.Reason()))
	}
	return nil
}

// cut notes the findings of an input beyond the limit.
func (r *Renderer) cut(o *lint.Object) {
	for _, rule := range r.opts.Rules {
		if n := o.Cut[rule.ID]; n > 0 {
			r.notify(sarif.LevelNote, o.Input.Path, "%s: %d more findings of %s are not reported",
				reports.Name(o.Input.Path, o.Input.Member), n, rule.ID)
		}
	}
}

// skipped notes which rules did not check an input.
func (r *Renderer) skipped(o *lint.Object) {
	for _, n := range o.NotChecked() {
		level := sarif.LevelWarning
		switch {
		case n.Hidden:
			level = sarif.LevelError
		case n.Limit:
			level = sarif.LevelNote
		}
		r.notify(level, o.Input.Path, "%s: %s: %s", reports.Name(o.Input.Path, o.Input.Member), reports.NotChecked(&n), strings.Join(n.Rules, ", "))
	}
}

// Close writes the report.
func (r *Renderer) Close(s lint.Summary) error {
	r.failed = r.failed || s.Failed > 0
	// The order of the input stays among results of one severity.
	slices.SortStableFunc(r.results, func(a, b result) int { return int(b.Severity) - int(a.Severity) })
	if n := len(r.results); n > r.max {
		r.results = r.results[:r.max]
		r.notify(sarif.LevelWarning, "", "%d of %d findings are reported, the most severe first", r.max, n)
	}
	run := sarif.NewRun()
	run.WithTool(sarif.NewTool().WithDriver(r.driver()))
	if r.opts.Root != "" {
		run.WithOriginalUriBaseIds(map[string]sarif.ArtifactLocation{
			rootID: *location(strings.TrimSuffix(fileURI(r.opts.Root), "/") + "/"),
		})
	}
	if s.Empty {
		r.failed = true
		r.notify(sarif.LevelError, "", "%s", reports.NothingChecked)
	}
	invocation := sarif.NewInvocation().
		WithExecutionSuccessful(!r.failed).
		WithToolExecutionNotifications(append([]*sarif.Notification{}, r.notes...))
	if c := s.Configuration; c != nil {
		level := sarif.LevelNote
		if c.Weakens() {
			level = sarif.LevelWarning
		}
		invocation.AddToolConfigurationNotification(r.notification(level, c.Path, reports.Configuration(c)))
	}
	run.AddInvocation(invocation)
	for i := range r.results {
		run.AddResult(r.result(&r.results[i]))
	}
	if err := sarif.NewReport().AddRun(run).Write(r.w); err != nil {
		return err
	}
	_, err := io.WriteString(r.w, "\n")
	return err
}

func (r *Renderer) driver() *sarif.ToolComponent {
	d := sarif.NewToolComponent().WithName(r.opts.Tool.Name).WithInformationURI(r.opts.Tool.URL)
	if r.opts.Tool.Version != "" {
		d.WithVersion(r.opts.Tool.Version)
	}
	for _, rule := range r.opts.Rules {
		d.AddRule(descriptor(rule))
	}
	return d
}

func (r *Renderer) result(x *result) *sarif.Result {
	v := sarif.NewRuleResult(x.Rule.ID).
		WithLevel(level(x.Severity)).
		WithMessage(message(reports.Escape(x.Message))).
		AddLocation(r.place(&x.Finding, x.file)).
		WithPartialFingerprints(x.fingerprint.partial())
	if i, ok := r.ruleIndex[x.Rule.ID]; ok {
		v.WithRuleIndex(i)
	}
	for _, f := range x.Fixes {
		v.AddFixe(r.fix(x, f))
	}
	if p := properties(&x.Finding); len(p.Properties) > 0 {
		v.WithProperties(p)
	}
	return v
}

// properties has what SARIF has no field for, among it addresses: the addresses of
// the format are signed, and half of all addresses would not fit.
func properties(f *rules.Finding) *sarif.PropertyBag {
	p := sarif.NewPropertyBag()
	if f.HasPC {
		p.Add("pc", fmt.Sprintf("0x%x", f.PC))
	}
	if f.InSection {
		p.Add("sectionOffset", fmt.Sprintf("0x%x", f.Span.Off))
	}
	return p
}

// failure is the notification of a rule that failed.
func (r *Renderer) failure(x rules.Failure) *sarif.Notification {
	name := reports.Name(x.Path, x.Member)
	text := fmt.Sprintf("%s: internal error: %s", name, reports.Escape(x.Reason))
	if x.Rule != "" {
		text = fmt.Sprintf("%s: internal error in rule %s: %s", name, x.Rule, reports.Escape(x.Reason))
	}
	n := r.notification(sarif.LevelError, x.Path, text)
	if i, ok := r.ruleIndex[x.Rule]; ok {
		n.WithAssociatedRule(sarif.NewReportingDescriptorReference().WithID(x.Rule).WithIndex(i))
	}
	if x.Stack != "" {
		n.WithException(sarif.NewException().WithKind("panic").WithMessage(reports.ValidUTF8(x.Stack)))
	}
	return n
}

func (r *Renderer) notify(level, path, format string, args ...any) {
	r.notes = append(r.notes, r.notification(level, path, fmt.Sprintf(format, args...)))
}

func (r *Renderer) notification(level, path, text string) *sarif.Notification {
	n := sarif.NewNotification().WithLevel(level).WithMessage(message(text))
	if path != "" {
		n.AddLocation(sarif.NewLocation().WithPhysicalLocation(
			sarif.NewPhysicalLocation().WithArtifactLocation(r.artifact(path))))
	}
	return n
}

func message(text string) *sarif.Message { return sarif.NewMessage().WithText(text) }

func level(s rules.Severity) string {
	switch s {
	case rules.Error:
		return sarif.LevelError
	case rules.Warning:
		return sarif.LevelWarning
	case rules.Note:
		return sarif.LevelNote
	}
	return sarif.LevelNone
}
