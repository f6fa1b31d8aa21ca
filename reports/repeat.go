package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

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
