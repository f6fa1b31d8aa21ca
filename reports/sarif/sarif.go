package sarif

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/spool"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// MaxResults is the maximum number of results in a report. GitHub's code
// scanning rejects a run with more.
const MaxResults = 25000

// Options describe the run.
type Options struct {
	Tool reports.Tool
	// Rules are the rules that ran. The report describes those with results.
	Rules []*rules.Rule
	// Baseline says that the report omits known findings, so all results are new.
	Baseline bool
	// Anchor, unless nil, is the location of each result that has no source line below Root. Some services require
	// one. The place in the binary becomes a related location.
	Anchor *Anchor
	// Root is the absolute path of the directory to which relative paths and paths of sources refer; "" omits it.
	Root string
	// Dir is the absolute path of the directory to which paths of inputs refer; "" means Root.
	Dir string
}

// Anchor is a line of a source file.
type Anchor struct {
	Path string // relative to the same directory as paths of inputs
	Line int    // from 1
}

// ParseAnchor reads FILE or FILE:LINE.
func ParseAnchor(s string) (*Anchor, error) {
	a := &Anchor{Path: s, Line: 1}
	if at := strings.LastIndexByte(s, ':'); at >= 0 {
		n, err := strconv.ParseUint(s[at+1:], 10, 31)
		if err != nil || n == 0 {
			return nil, fmt.Errorf("%q is not of the form FILE or FILE:LINE", s)
		}
		a.Path, a.Line = s[:at], int(n)
	}
	if a.Path == "" {
		return nil, fmt.Errorf("%q names no file", s)
	}
	return a, nil
}

// Renderer puts the most severe findings first. It writes errors immediately, and keeps warnings, notes and
// notifications compressed until the end.
type Renderer struct {
	reports.Meter
	out       *bufio.Writer
	doc       document
	opts      Options
	later     [rules.Error]spool.Spool // results below the severity of errors
	notes     spool.Spool
	judged    spool.Spool // what decides the FREs of sections
	written   int         // results
	found     int         // findings that the limit on results concerns
	failed    bool
	used      []*rules.Rule  // those that results and notifications name
	ruleIndex map[string]int // in used
	path, uri string         // the last one
	seen      ordinals       // of the whole run: files in different directories have one name
	max       int
}

// New returns a renderer that writes SARIF.
func New(w io.Writer, opts Options) *Renderer {
	out := bufio.NewWriter(w)
	r := &Renderer{out: out, doc: document{w: escape.NewWriter(out, escape.JSON)}, opts: opts,
		ruleIndex: map[string]int{}, seen: ordinals{}, max: MaxResults}
	return r
}

// judged has what decides the FREs of a section of an input.
type judged struct {
	Input string `json:"input"`
	rules.Judged
}

// index returns the index of a rule among those that are described, false for a rule that
// was not run.
func (r *Renderer) index(id string) (int, bool) {
	if i, ok := r.ruleIndex[id]; ok {
		return i, true
	}
	for _, rule := range r.opts.Rules {
		if rule.ID == id {
			r.ruleIndex[id] = len(r.used)
			r.used = append(r.used, rule)
			return r.ruleIndex[id], true
		}
	}
	return 0, false
}

// File adds the results of a path.
func (r *Renderer) File(f *lint.File) error {
	for i := range f.Objects {
		o := &f.Objects[i]
		for j := range o.Findings {
			r.add(&o.Findings[j], o.Input.Place())
		}
		for j := range o.Omitted {
			if x := &o.Omitted[j]; x.Why.Accepted() {
				r.suppressed(x, o.Input.Place())
			}
		}
		for _, x := range o.Failures {
			r.failed = true
			r.note(r.failure(x))
		}
		r.cut(o)
		r.skipped(o)
		for _, j := range reports.Judged(o) {
			if line := r.doc.marshal(judged{reports.Name(o.Input.Path, o.Input.Member), j}); r.Other(len(line)) && !r.judged.Add(line) {
				r.Full()
			}
		}
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
		r.notify(sarif.LevelError, f.Path, "%s: %s", reports.Name(f.Path, ""), escape.Message(f.Reason()))
	}
	return nil
}

// cut notes the findings of an input beyond the limit.
func (r *Renderer) cut(o *lint.Object) {
	for _, rule := range r.opts.Rules {
		if n := o.Cut[rule.ID]; n > 0 {
			r.notify(sarif.LevelNote, o.Input.Path, "%s: %s of %s not reported",
				reports.Name(o.Input.Path, o.Input.Member), rules.Count(n, "more finding"), rule.ID)
		}
	}
}

// skipped notes which rules did not check an input.
func (r *Renderer) skipped(o *lint.Object) {
	for _, n := range o.NotChecked() {
		r.notify(level(n.Severity()), o.Input.Path, "%s: %s: %s", reports.Name(o.Input.Path, o.Input.Member), reports.NotChecked(&n), strings.Join(n.Rules, ", "))
	}
}

// Close writes the rest of the report.
func (r *Renderer) Close(s lint.Summary) error {
	r.failed = r.failed || s.Failed > 0
	r.begin()
	for severity := rules.Error; severity > rules.Off; {
		severity--
		r.doc.note(r.later[severity].Each(func(line []byte) {
			if r.written < r.max {
				r.write(line)
			}
		}))
	}
	if r.found > r.max {
		r.notify(sarif.LevelWarning, "", "%d of %d findings are reported, the most severe first", r.written, r.found)
	}
	if s.Empty {
		r.failed = true
		r.notify(sarif.LevelError, "", "%s", reports.NothingChecked)
	} else if text := reports.Nothing(&s); text != "" {
		r.notify(sarif.LevelWarning, "", "%s", text)
	}
	if r.LeftOut() != nil {
		r.failed = true
	}
	r.doc.close("]")
	r.doc.key("invocations")
	r.doc.open("[")
	r.doc.members(r.invocation(s), "toolExecutionNotifications", func() {
		r.doc.open("[")
		r.doc.note(r.notes.Each(r.doc.element))
		if out := r.LeftOut(); out != nil {
			r.doc.element(r.doc.marshal(r.notification(sarif.LevelError, "", out.Error())))
		}
		r.doc.close("]")
	})
	r.doc.close("]")
	r.doc.key("tool")
	r.doc.write(r.doc.marshal(sarif.NewTool().WithDriver(r.driver())))
	if r.judged.Len() > 0 {
		r.doc.key("properties")
		r.doc.open("{")
		r.doc.key("judged")
		r.doc.open("[")
		r.doc.note(r.judged.Each(r.doc.element))
		r.doc.close("]")
		r.doc.close("}")
	}
	for _, end := range []string{"}", "]", "}"} {
		r.doc.close(end)
	}
	r.doc.print("\n")
	r.doc.note(r.out.Flush())
	return r.Done(r.doc.err)
}

func (r *Renderer) invocation(s lint.Summary) *sarif.Invocation {
	v := sarif.NewInvocation().WithExecutionSuccessful(!r.failed)
	if c := s.Configuration; c != nil {
		level := sarif.LevelNote
		if c.Weakens() {
			level = sarif.LevelWarning
		}
		v.AddToolConfigurationNotification(r.notification(level, c.Path, reports.Configuration(c)))
	}
	return v
}

// begin writes everything before the results, once.
func (r *Renderer) begin() {
	if r.doc.begun() {
		return
	}
	run := sarif.NewRun()
	// Without automationDetails, a service names the run: after the category that the workflow gives,
	// or after the job and its matrix, so that parallel jobs do not replace each other's results.
	if r.opts.Root != "" {
		run.WithOriginalUriBaseIds(map[string]sarif.ArtifactLocation{
			rootID: *location(strings.TrimSuffix(fileURI(r.opts.Root), "/") + "/"),
		})
	}
	// The list that is written bit by bit comes last, and after it only the invocations,
	// which say whether the run has succeeded, and the tool with the rules that are named.
	r.doc.begin(sarif.NewReport(), "runs")
	r.doc.begin(run, "results", "invocations", "tool")
}

// add adds a finding: an error is written at once.
func (r *Renderer) add(f *rules.Finding, file string) {
	r.found++
	if r.written >= r.max || f.Severity < rules.Error && r.later[f.Severity].Len() >= r.max {
		return
	}
	line := r.doc.marshal(r.result(f, file, r.seen.fingerprint(f)))
	switch {
	case !r.Finding(len(line)):
	case f.Severity == rules.Error:
		r.begin()
		r.write(line)
	case !r.later[f.Severity].Add(line):
		r.Full()
	}
}

// suppressed adds a finding that an exception or the baseline leaves out. Such results come
// last, where the limit allows them.
func (r *Renderer) suppressed(x *lint.Omitted, file string) {
	later := &r.later[rules.Off]
	if later.Len() >= r.max {
		return
	}
	v := r.result(&x.Finding, file, r.seen.fingerprint(&x.Finding))
	why := sarif.NewSuppression().WithKind("external").WithStatus("accepted")
	if x.Why == lint.ByBaseline {
		v.WithBaselineState("unchanged")
	}
	why.WithJustification(cmp.Or(escape.Message(x.Reason), "the baseline has it"))
	line := r.doc.marshal(v.WithSuppressions([]*sarif.Suppression{why}))
	if r.Other(len(line)) && !later.Add(line) {
		r.Full()
	}
}

func (r *Renderer) write(line []byte) {
	r.written++
	r.doc.element(line)
}

func (r *Renderer) driver() *sarif.ToolComponent {
	d := sarif.NewToolComponent().WithName(r.opts.Tool.Name).WithInformationURI(r.opts.Tool.URL)
	if v, ok := strings.CutPrefix(r.opts.Tool.Version, "v"); ok {
		d.WithVersion(v).WithSemanticVersion(v)
	} else if v != "" && '0' <= v[0] && v[0] <= '9' {
		d.WithVersion(v)
	} else {
		d.WithVersion("0.0.0").WithFullName(strings.TrimSpace(r.opts.Tool.Name + " " + v))
	}
	for _, rule := range r.used {
		d.AddRule(descriptor(rule))
	}
	return d
}

// result describes a finding. Its offsets count in file.
func (r *Renderer) result(x *rules.Finding, file string, p fingerprint) *sarif.Result {
	v := sarif.NewRuleResult(x.Rule.ID).
		WithLevel(level(x.Severity)).
		WithMessage(message(reports.Message(x))).
		AddLocation(r.place(x, file)).
		WithPartialFingerprints(p.partialFingerprints())
	if i, ok := r.index(x.Rule.ID); ok {
		v.WithRuleIndex(i)
	}
	if r.opts.Baseline {
		v.WithBaselineState("new")
	}
	if at := r.source(x); at != nil {
		v.RelatedLocations = append([]*sarif.Location{v.Locations[0].WithID(1).WithMessage(message("the bytes in the binary"))}, r.calls(x)...)
		v.Locations = []*sarif.Location{at}
		v.WithMessage(message(reports.Name(x.Path, x.Member) + ": " + reports.Message(x)))
	}
	for _, f := range reports.Fixes(x) {
		v.AddFixe(r.fix(x, file, f))
	}
	if p := properties(x); len(p.Properties) > 0 {
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
	text := fmt.Sprintf("%s: internal error: %s", name, escape.Message(x.Reason))
	if x.Rule != "" {
		text = fmt.Sprintf("%s: internal error in rule %s: %s", name, x.Rule, escape.Message(x.Reason))
	}
	n := r.notification(sarif.LevelError, x.Path, text)
	if i, ok := r.index(x.Rule); ok {
		n.WithAssociatedRule(sarif.NewReportingDescriptorReference().WithID(x.Rule).WithIndex(i))
	}
	if x.Stack != "" {
		n.WithException(sarif.NewException().WithKind("panic").WithMessage(reports.ValidUTF8(x.Stack)))
	}
	return n
}

func (r *Renderer) notify(level, path, format string, args ...any) {
	r.note(r.notification(level, path, fmt.Sprintf(format, args...)))
}

func (r *Renderer) note(n *sarif.Notification) {
	if line := r.doc.marshal(n); r.Other(len(line)) && !r.notes.Add(line) {
		r.Full()
	}
}

func (r *Renderer) notification(level, path, text string) *sarif.Notification {
	n := sarif.NewNotification().WithLevel(level).WithMessage(message(text))
	if path != "" {
		n.AddLocation(r.at(path, nil))
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
