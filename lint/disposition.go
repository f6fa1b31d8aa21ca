package lint

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Disposition reports whether a run shows a finding and, if not, why.
type Disposition uint8

const (
	Shown       Disposition = iota
	ByException             // an exception in the configuration covers it
	ByBaseline              // the baseline contains it
	ByLimit                 // its rule reached --limit max-findings
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

// Omitted is a finding that a run does not show, with the reason.
type Omitted struct {
	rules.Finding
	Why    Disposition
	Reason string // reason given in the exception or baseline; otherwise what caused the omission

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

// Including returns, in order, the findings that the run shows and those that it omits for one of these reasons.
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

// Counted returns the findings that affect the exit status, in order.
func (o *Object) Counted() []rules.Finding { return o.Including(ByQuirk, BySeverity, ByCause) }

// Exception covers the findings that satisfy all of its conditions.
type Exception struct {
	Paths     []string // globs
	Members   []string // globs
	Functions []string // globs
	Rules     []string // IDs or prefixes of IDs, in capital letters
	Reason    string
	Line      int // line in the configuration file
}

// exceptions are those of the options.
type exceptions []exception

type exception struct {
	Exception
	used atomic.Int64
}

func newExceptions(o *Options) exceptions {
	x := make(exceptions, len(o.Exceptions))
	for i := range o.Exceptions {
		x[i].Exception = o.Exceptions[i]
	}
	return x
}

// absolute returns a path from the root on, for patterns of directories.
func absolute(path string) string {
	if path != Stdin {
		path = edit.Absolute(path)
	}
	return filepath.ToSlash(path)
}

// excuses returns the first exception that covers the finding, nil if none does. All that do
// are marked as used.
func (x exceptions) excuses(path string, f *rules.Finding) *exception {
	var first *exception
	for i := range x {
		if e := &x[i]; e.covers(path, f) {
			e.used.Add(1)
			first = cmp.Or(first, e)
		}
	}
	return first
}

func (e *exception) covers(path string, f *rules.Finding) bool {
	return (len(e.Rules) == 0 || matches(e.Rules, f.Rule.ID)) &&
		matchesAny(e.Paths, path, lookup.MatchPath) && matchesAny(e.Members, f.Member, lookup.Match) && matchesAny(e.Functions, f.Function, lookup.Match)
}

// matchesAny reports whether one of the patterns matches. No patterns are no
// condition; an empty name matches none.
func matchesAny(patterns []string, name string, match func(pattern, name string) bool) bool {
	if len(patterns) == 0 {
		return true
	}
	return name != "" && slices.ContainsFunc(patterns, func(p string) bool { return match(p, name) })
}

// unusedExceptions returns the exceptions that excused nothing.
func (x exceptions) unusedExceptions() []*Exception {
	var out []*Exception
	for i := range x {
		if x[i].used.Load() == 0 {
			out = append(out, &x[i].Exception)
		}
	}
	return out
}

// noteQuirks makes notes of the findings that are named quirks of the producer that the
// object shows, unless an override sets the severity of their rules.
func (o *Options) noteQuirks(obj *reader.Object, all []rules.Finding) {
	if obj.ELF == nil {
		return
	}
	var look *producers.Look
	for i := range all {
		f := &all[i]
		if len(f.Rule.Quirk) == 0 || f.Severity <= rules.Note || o.overrides(f.Rule.ID) {
			continue
		}
		if look == nil {
			if look = producers.Of(obj); look == nil {
				return
			}
		}
		if habit := look.Habit(f.Rule.ID, functionSection(obj, f)); habit != "" {
			f.Severity, f.Quirk = rules.Note, habit
			f.Message += "; a known quirk of " + habit
		}
	}
}

func (o *Options) overrides(id string) bool {
	return slices.ContainsFunc(o.Severity, func(s Override) bool { return strings.HasPrefix(id, s.ID) })
}

// functionSection returns the name of the section that the function of a finding is in, "" if it is about none.
func functionSection(o *reader.Object, f *rules.Finding) string {
	for _, sf := range o.SFrames {
		if f.FDE >= 0 && sf.Index == f.SectionIndex && sf.Section != nil && f.FDE < sf.Section.NumFDEs() {
			return producers.FunctionSection(o.ELF, sf.Section.FDE(f.FDE))
		}
	}
	return ""
}

// ErrIncomplete is the error for a run that missed something: an input was damaged or unreadable, or findings
// exceeded the limit.
var ErrIncomplete = errors.New("the findings are incomplete")

// known has the findings of earlier runs, and records those of this one.
type known struct {
	*Baseline
	recorder *Recorder       // nil if nothing is recorded
	checked  map[string]bool // files, by name; false: not to their end
	partly   map[part]bool   // what rules were not run on all of, or reported in part
	cut      bool            // there are findings beyond the limit
	driver   *rules.Driver
	idle     bool // there is no baseline, and nothing is recorded
}

// part is what a rule reports of the files of a name.
type part struct{ file, rule string }

func newKnown(o *Options, d *rules.Driver) known {
	k := known{Baseline: o.Baseline, checked: map[string]bool{}, partly: map[part]bool{}, driver: d,
		idle: o.Baseline == nil && !o.Record}
	if k.Baseline == nil {
		k.Baseline = &Baseline{}
	}
	if o.Record {
		k.recorder = &Recorder{}
	}
	return k
}

// note notes what the rules did not check of a file.
func (k *known) note(f *File) {
	if k.idle {
		return
	}
	whole := f.Err == nil
	name := baselineFile(f.Path)
	for i := range f.Objects {
		o := &f.Objects[i]
		for id := range o.Cut {
			k.partly[part{name, id}] = true
			k.cut = true
		}
		for _, h := range o.HeldBack {
			k.partly[part{name, h.Rule}] = true
		}
		whole = whole && len(o.Failures) == 0
	}
	if seen, ok := k.checked[name]; !ok || seen {
		k.checked[name] = whole
	}
}

// has reports whether the baseline has a finding, and records it.
func (k *known) has(f *rules.Finding) bool {
	if k.recorder != nil {
		k.recorder.Add(f)
	}
	return !k.idle && k.Has(f)
}

// staleEntries returns the entries that this run should have found again.
func (k *known) staleEntries() []Stale {
	run := sync.OnceValue(func() map[string]rules.Severity { return active(k.driver) })
	return k.Stale(func(id Identity) bool {
		return k.checked[id.File] && !k.partly[part{id.File, id.Rule}] && run()[id.Rule] > rules.Off
	})
}

// newBaseline returns the findings of this run, and what the old baseline has of
// rules that were not run, or not on all of the data.
func (k *known) newBaseline() *Recorder {
	if k.recorder != nil {
		k.recorder.Reason = k.Reason
		run := active(k.driver)
		k.recorder.Carry(k.Baseline, func(id Identity) bool {
			return k.partly[part{id.File, id.Rule}] || run[id.Rule] == rules.Off
		})
	}
	return k.recorder
}
