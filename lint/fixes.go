package lint

import (
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/rules"
)

// fixes are the fixes of findings in a file that can be applied together.
type fixes struct {
	edit.Plan
	applied []*rules.Finding
	unsafe  bool // unsafe fixes are allowed
}

// chooseFixes returns those of the findings that have the first claim on their bytes, by the first allowed fix of each.
func chooseFixes(path string, findings []*rules.Finding, unsafe bool) *fixes {
	p := &fixes{Plan: edit.Plan{Path: path}, unsafe: unsafe}
	for _, f := range findings {
		if x := p.of(f); x != nil && p.Add(editsOf(f, x)...) {
			p.applied = append(p.applied, f)
		}
	}
	return p
}

// of returns the fix of a finding that is used, nil for none.
func (p *fixes) of(f *rules.Finding) *rules.Fix {
	i := slices.IndexFunc(f.Fixes, func(x rules.Fix) bool { return x.Safe || p.unsafe })
	if i < 0 {
		return nil
	}
	return &f.Fixes[i]
}

// editsOf moves a fix's edits from the object to the file.
func editsOf(f *rules.Finding, x *rules.Fix) (out []edit.Edit) {
	for _, e := range x.Edits {
		why := fmt.Sprintf("%s, %s: %s", rules.Count(e.Span.Len, "byte"), f.Rule.ID, escape.Printable(x.Message))
		out = append(out, edit.Edit{Off: e.Span.Off + f.Base, Len: e.Span.Len, New: e.New, Sum: e.Sum, Why: why})
	}
	return out
}

// keep returns the fixes of the rules whose IDs have a property.
func (p *fixes) keep(has func(rule string) bool) *fixes {
	return chooseFixes(p.Path, slices.DeleteFunc(slices.Clone(p.applied), func(f *rules.Finding) bool { return !has(f.Rule.ID) }), p.unsafe)
}

// without returns the fixes of other rules.
func (p *fixes) without(rule string) *fixes {
	return p.keep(func(id string) bool { return id != rule })
}

// reveals returns the fixes of rules of which one lets rules check more of the file.
func (p *fixes) reveals() *fixes {
	ids := map[string]bool{}
	for _, f := range p.applied {
		ids[f.Rule.ID] = ids[f.Rule.ID] || p.of(f).Reveals
	}
	return p.keep(func(id string) bool { return ids[id] })
}
