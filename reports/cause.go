package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Causes returns a renderer that passes on one finding for those of an input that have one cause: with their number
// and the first functions.
func Causes(r Renderer) Renderer { return listing{r, mergeCauses} }

// Whole returns a renderer that passes on each finding for itself, also those of one cause.
func Whole(r Renderer) Renderer {
	return listing{r, func(o *lint.Object) []rules.Finding { return o.Including(lint.ByCause) }}
}

// Everything returns a renderer that also passes on the findings that the run omits, with the reason.
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
