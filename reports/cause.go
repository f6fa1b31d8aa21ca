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
func Causes(r Renderer) Renderer { return causes{r} }

type causes struct{ Renderer }

func (c causes) File(f *lint.File) error {
	merged := *f
	merged.Objects = slices.Clone(f.Objects)
	for i := range merged.Objects {
		o := &merged.Objects[i]
		o.Findings = mergeCauses(o.Findings)
	}
	return c.Renderer.File(&merged)
}

// mergeCauses returns findings with one for each cause that several of them have. It takes the place of the first one.
func mergeCauses(all []rules.Finding) []rules.Finding {
	count := map[*rules.Cause]int{}
	for i := range all {
		if c := all[i].Cause(); c != nil {
			count[c]++
		}
	}
	if len(count) == 0 {
		return all
	}
	var out []rules.Finding
	for i := range all {
		switch n := count[all[i].Cause()]; {
		case n > 1:
			out = append(out, mergeCause(all, all[i].Cause()))
			count[all[i].Cause()] = -1
		case n >= 0:
			out = append(out, all[i])
		}
	}
	return out
}

// mergeCause returns a finding for all with a cause: it has the bytes of the gravest one, and is about none of the functions.
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
		cause.Text, rules.Count(len(functions), "function"), strings.Join(names.names, ", "), names.rest())
	merged.Help = cause.Remedy
	merged.FDE, merged.FRE, merged.Function, merged.At, merged.HasPC = -1, -1, "", nil, false
	merged.Fixes, merged.Mend, merged.Frame, merged.Source = nil, &rules.Mend{Cause: cause}, nil, nil
	return merged
}
