package properties

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// breaks makes known faults in the section, in a drawn container, and checks that
// the rules find each of them at its place, and nothing else.
func (r *run) breaks() {
	kinds := breaks.Containers()
	r.recipe.Container = kinds[r.m.Rand.IntN(len(kinds))]
	p := r.p
	if c := r.conf.Narrow(); c != r.conf {
		// What no tool writes has findings of its own, which could hide that of a break.
		q, err := generator.Generate(c)
		if err != nil {
			return
		}
		p, r.recipe.Config = q, c
	}
	s, err := breaks.New(p, r.recipe.Container)
	if err != nil {
		r.fail("%v", err)
		return
	}
	broken, steps := breaks.Compose(s, 1+r.m.Rand.IntN(3), r.m.Rand)
	r.recipe.Breaks = steps
	r.stats.Breaks += int64(len(steps))
	r.compare(s, broken)
}

// compare checks that the rules find what was broken, at its place.
func (r *run) compare(s, broken *breaks.Subject) {
	before := r.lintSubject(s)
	if wrong := unmet(before, r.lintSubject(broken), broken); wrong != "" {
		r.fail("%v in %s:%s", broken.Breaks(), s.Kind(), wrong)
	}
}

func (r *run) lintSubject(s *breaks.Subject) []rules.Finding {
	return r.lintWith(s.File(), reading(context.Background(), s))
}

// reading returns how a subject is read.
func reading(ctx context.Context, s *breaks.Subject) reader.Options {
	return reader.Options{Raw: s.Kind() == breaks.Raw, RawAddress: s.Addr(),
		Context: ctx, Limits: reader.Limits{reader.MaxSection: s.Limit(), reader.MaxMemory: s.Memory()}}
}

// unmet lists the findings that the breaks of a file must cause and that are
// missing, and other findings that the file without breaks does not have; "" for
// none.
func unmet(before, after []rules.Finding, s *breaks.Subject) string {
	var b strings.Builder
	also := map[string]bool{}
	// A rule may report its earlier findings again, at other places, and twice if a
	// break doubles a section or function.
	known := map[string]int{}
	for _, f := range before {
		known[f.Rule.ID] += 2
	}
	rest := slices.Clone(after)
	for _, e := range s.Expectations() {
		k := slices.IndexFunc(rest, func(f rules.Finding) bool { return meets(f, e) })
		if k < 0 {
			fmt.Fprintf(&b, "\n    %s does not cause %s, in section %v, at 0x%x+%d, 0x%x of the file",
				e.Break, e.Rule, e.InSection, e.Off, e.Len, e.FileOff)
		} else {
			rest = slices.Delete(rest, k, k+1)
		}
		for _, id := range e.Also {
			also[id] = true
		}
	}
	rest = slices.DeleteFunc(rest, func(f rules.Finding) bool {
		known[f.Rule.ID]--
		return also[f.Rule.ID] || known[f.Rule.ID] >= 0
	})
	b.WriteString(complaints(rest, rules.Note))
	return b.String()
}

// meets reports whether a finding is the one that a break must cause.
func meets(f rules.Finding, e breaks.Expectation) bool {
	return f.Rule.ID == e.Rule && f.InSection == e.InSection && f.Span.Off == e.Off && f.Span.Len == e.Len && f.FileOffset == e.FileOff
}
