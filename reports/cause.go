package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Causes returns a renderer that merges the findings of an input that have the same cause. The merged finding states
// their number and the first functions.
func Causes(r Renderer) Renderer { return listing{r, mergeCauses} }

// Whole returns a renderer that passes on each finding separately, even if several have the same cause.
func Whole(r Renderer) Renderer {
	return listing{r, func(o *lint.Object) []rules.Finding { return o.Including(lint.ByCause) }}
}

// Everything returns a renderer that also passes on the findings that the run omits. Their messages give the reason.
func Everything(r Renderer) Renderer {
	return listing{r, func(o *lint.Object) []rules.Finding {
		o.Omitted = slices.Clone(o.Omitted)
		for i := range o.Omitted {
			x := &o.Omitted[i]
			x.Message += "; not shown otherwise: " + x.Why.String()
			if x.Reason != "" {
				x.Message += ": " + x.Reason
			}
			if x.Why.Accepted() {
				x.Severity = rules.Note
			}
		}
		all := o.Including(lint.ByException, lint.ByBaseline, lint.ByQuirk, lint.BySeverity, lint.ByCause)
		o.Omitted = nil
		return all
	}}
}

// listing passes on other lists of findings.
type listing struct {
	Renderer
	list func(*lint.Object) []rules.Finding
}

// File renders the file with these lists, and leaves it as it was: an archive has too many objects for a copy.
func (l listing) File(f *lint.File) error {
	was := map[*lint.Object]lint.Object{}
	defer func() {
		for o, x := range was {
			*o = x
		}
	}()
	for i := range f.Objects {
		if o := &f.Objects[i]; len(o.Findings)+len(o.Omitted) > 0 {
			was[o] = *o
			o.Findings = l.list(o)
		}
	}
	return l.Renderer.File(f)
}

// mergeCauses returns the shown findings of an object, with one that stands for all of its cause.
func mergeCauses(o *lint.Object) []rules.Finding {
	whole := o.Including(lint.ByCause)
	if len(whole) == len(o.Findings) {
		return whole
	}
	count := map[*rules.Cause]int{}
	for i := range whole {
		if c := whole[i].Cause(); c != nil {
			count[c]++
		}
	}
	out := slices.Clone(o.Findings)
	for i := range out {
		if c := out[i].Cause(); count[c] > 1 {
			out[i] = mergeCause(whole, c)
		}
	}
	return out
}

// mergeCause returns a finding for all with a cause: it has the bytes of the most severe one, and is about none of the functions.
func mergeCause(all []rules.Finding, cause *rules.Cause) rules.Finding {
	var f *rules.Finding
	var names others
	functions := map[[2]uint64]bool{}
	for i := range all {
		x := &all[i]
		if x.Cause() != cause {
			continue
		}
		if f == nil || x.Severity > f.Severity {
			f = x
		}
		key := [2]uint64{uint64(x.SectionIndex), uint64(x.FDE)}
		if x.FDE < 0 {
			key = [2]uint64{uint64(x.Place), x.PC}
		}
		if !functions[key] {
			functions[key] = true
			names.add(nameOf(x))
		}
	}
	merged := *f
	merged.Message = fmt.Sprintf("%s; the code of %s contradicts it: %s%s: a tracer that interrupts the program there goes wrong",
		cause.Text, rules.Count(len(functions), "function"), strings.Join(names.names, ", "), names.restText())
	merged.Help = cause.Remedy
	merged.FDE, merged.FRE, merged.Function, merged.At, merged.HasPC = -1, -1, "", nil, false
	merged.Fixes, merged.Correction, merged.Frame, merged.Source = nil, &rules.Correction{Cause: cause}, nil, nil
	return merged
}

// repeats finds the findings of several inputs that are one fault of a source: an object file and the programs that
// it is linked into have it.
type repeats struct {
	seen map[fault]*repeat
	all  []*repeat // with other inputs, in the order of the first ones of these
}

// fault is what is the same in all inputs.
type fault struct {
	path           string
	line, end      int
	rule, function string
}

// repeat is a fault with the inputs that have it.
type repeat struct {
	at     rules.Finding // the first one
	others []string      // further inputs, the first ones
	more   int           // inputs beyond those
}

// Bounds of what is remembered. Faults beyond maxFaults are reported again in each input.
const maxFaults, maxAlso = 1 << 14, 8

// first returns the findings of an object that no other input had.
func (r *repeats) first(o *lint.Object) []rules.Finding {
	if !slices.ContainsFunc(o.Findings, func(f rules.Finding) bool { return f.Source != nil }) {
		return o.Findings
	}
	return slices.DeleteFunc(slices.Clone(o.Findings), func(f rules.Finding) bool {
		s := f.Source
		if s == nil {
			return false
		}
		key := fault{s.Path, s.Line, s.EndLine, f.Rule.ID, f.Function}
		x := r.seen[key]
		if x == nil && len(r.seen) < maxFaults {
			if r.seen == nil {
				r.seen = map[fault]*repeat{}
			}
			r.seen[key] = &repeat{at: rules.Finding{Path: f.Path, Member: f.Member, Rule: f.Rule, Severity: f.Severity, Source: s, Function: f.Function}}
		}
		if x == nil || x.at.Path == f.Path && x.at.Member == f.Member {
			return false
		}
		if len(x.others) == 0 {
			r.all = append(r.all, x)
		}
		switch name := Name(f.Path, f.Member); {
		case slices.Contains(x.others, name):
		case len(x.others) < maxAlso:
			x.others = append(x.others, name)
		default:
			x.more++
		}
		return true
	})
}

// String names the other inputs.
func (r *repeat) String() string {
	text := r.at.Rule.ID + " is also in " + strings.Join(r.others, ", ")
	if r.more > 0 {
		text += fmt.Sprintf(" and %d others (-v lists all)", r.more)
	}
	return text
}
