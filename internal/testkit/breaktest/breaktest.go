// Package breaktest compares findings with the findings that breaks of package generator promise.
package breaktest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// Lint runs rules on a file or a section. The failure of a rule is an error.
func Lint(d *rules.Driver, input []byte, opts reader.Options) (all []rules.Finding, wrong error) {
	err := reader.ScanReader("generated", bytes.NewReader(input), int64(len(input)), opts, func(o *reader.Object) error {
		r := d.Run(o)
		for _, f := range r.Failures {
			wrong = errors.Join(wrong, fmt.Errorf("rule %s failed: %s\n%s", f.Rule, f.Reason, f.Stack))
		}
		all = append(all, r.Findings...)
		return nil
	})
	return all, errors.Join(err, wrong)
}

// Reading returns the reader options for a subject.
func Reading(s *breaks.Subject) reader.Options {
	return reader.Options{Raw: s.Kind() == breaks.Raw, RawAddress: s.Addr(),
		Limits: reader.Limits{reader.MaxSection: s.Limit(), reader.MaxMemory: s.Memory()}}
}

// Complaints returns the findings of at least a given severity, except the findings of given rules.
func Complaints(all []rules.Finding, least rules.Severity, except ...string) string {
	var b strings.Builder
	for _, f := range all {
		if f.Severity >= least && f.Rule.ID != catalogue.Obsolete && !slices.Contains(except, f.Rule.ID) {
			fmt.Fprintf(&b, "\n    %s %v FDE %d FRE %d: %s", f.Rule.ID, f.Severity, f.FDE, f.FRE, f.Message)
		}
	}
	return b.String()
}

// Unmet lists expected findings of breaks that are missing, and unexpected findings that the file without breaks does
// not have. It returns "" if there are none.
func Unmet(before, after []rules.Finding, s *breaks.Subject) string {
	var b strings.Builder
	var also []string
	// A rule may report its earlier findings again, at other places, and twice if a
	// break doubles a section or function.
	known := map[string]int{}
	for _, f := range before {
		known[f.Rule.ID] += 2
	}
	rest := slices.Clone(after)
	for _, e := range s.Expectations() {
		k := slices.IndexFunc(rest, func(f rules.Finding) bool {
			return f.Rule.ID == e.Rule && f.InSection == e.InSection && f.Span.Off == e.Off && f.Span.Len == e.Len && f.FileOffset == e.FileOff
		})
		if k < 0 {
			fmt.Fprintf(&b, "\n    %s does not cause %s, in section %v, at 0x%x+%d, 0x%x of the file",
				e.Break, e.Rule, e.InSection, e.Off, e.Len, e.FileOff)
		} else {
			rest = slices.Delete(rest, k, k+1)
		}
		also = append(also, e.Also...)
	}
	rest = slices.DeleteFunc(rest, func(f rules.Finding) bool {
		known[f.Rule.ID]--
		return known[f.Rule.ID] >= 0
	})
	b.WriteString(Complaints(rest, rules.Note, also...))
	return b.String()
}
