package lint

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Disposition is whether a run shows a finding or, if not, why.
type Disposition uint8

const (
	Shown       Disposition = iota
	ByException             // an exception of the configuration covers it
	ByBaseline              // the baseline has it
	ByLimit                 // its rule has reached --limit max-findings
	ByQuirk                 // it is a known quirk of the producer, and notes are not shown
	BySeverity              // it is less severe than Options.Show
	ByCause                 // an earlier finding of the input has the same cause
	ByRule                  // another rule reports the fault: [rules.Elsewhere]
	ByDoubt                 // [rules.Excused]

	numDispositions
)

var dispositionNames = [numDispositions]string{"shown", "exception", "baseline", "limit", "quirk", "severity", "cause", "rule", "doubt"}

func (d Disposition) String() string { return dispositionNames[d] }

// Accepted reports whether the user has accepted such findings: they do not count for the exit status.
func (d Disposition) Accepted() bool { return d == ByException || d == ByBaseline }

// Tally counts findings by their disposition.
type Tally [numDispositions]int

// Omitted is a finding that a run does not show.
type Omitted struct {
	rules.Finding
	Why    Disposition
	Reason string // of the exception or the baseline, or the cause

	before int // shown findings that precede it
}

// decider decides about the findings of an object, in their order.
type decider struct {
	*Run
	path   string // absolute
	limit  int    // findings of a rule in a section, below 0 for no limit
	found  map[sectionRule]int
	causes map[*rules.Cause]bool
}

// disposition decides whether the run shows a finding. Nothing else hides one.
func (d *decider) disposition(f *rules.Finding) (why Disposition, reason string) {
	if e := d.exceptions.excuses(d.path, f); e != nil {
		return ByException, e.Reason
	}
	if d.known.has(f) {
		return ByBaseline, d.known.Reason
	}
	at := sectionRule{f.Rule.ID, f.SectionIndex}
	if d.found[at]++; d.limit >= 0 && d.found[at] > d.limit {
		return ByLimit, ""
	}
	if f.Severity < d.opts.Show {
		if f.Quirk != "" {
			return ByQuirk, ""
		}
		return BySeverity, ""
	}
	if c := f.Cause(); c != nil {
		if d.causes[c] {
			return ByCause, c.Text
		}
		d.causes[c] = true
	}
	return Shown, ""
}

// splitFindings separates the findings of a file that the run shows from the others.
func (r *Run) splitFindings(f *File) {
	for i := range f.Objects {
		if o := &f.Objects[i]; len(o.Findings) > 0 {
			r.disposeObject(o)
		}
	}
}

func (r *Run) disposeObject(o *Object) {
	d := decider{r, absolute(o.Input.Path), int(r.opts.limits().Of(budget.Findings)), map[sectionRule]int{}, map[*rules.Cause]bool{}}
	if !r.opts.filtered() {
		d.limit = -1 // the driver has applied it
	}
	shown := 0
	for i := range o.Findings {
		f := &o.Findings[i]
		why, reason := d.disposition(f)
		switch o.Tally[why]++; why {
		case Shown:
			o.Findings[shown] = *f
			shown++
		case ByLimit:
			if o.Cut == nil {
				o.Cut = map[string]int{}
			}
			o.Cut[f.Rule.ID]++
		default:
			if o.Omitted == nil {
				o.Omitted = make([]Omitted, 0, len(o.Findings)-i)
			}
			o.Omitted = append(o.Omitted, Omitted{*f, why, reason, shown})
		}
	}
	clear(o.Findings[shown:])
	o.Findings = o.Findings[:shown:shown]
}

// Including returns the findings that the run shows and those that it omits for one of these reasons, in their order.
func (o *Object) Including(reasons ...Disposition) []rules.Finding {
	if len(o.Omitted) == 0 {
		return o.Findings
	}
	out, next := make([]rules.Finding, 0, len(o.Findings)+len(o.Omitted)), 0
	for i := range o.Omitted {
		x := &o.Omitted[i]
		if slices.Contains(reasons, x.Why) {
			out = append(append(out, o.Findings[next:x.before]...), x.Finding)
			next = x.before
		}
	}
	return append(out, o.Findings[next:]...)
}

// Counted returns the findings that count for the exit status, in their order.
func (o *Object) Counted() []rules.Finding { return o.Including(ByQuirk, BySeverity, ByCause) }
