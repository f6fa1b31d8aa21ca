package main

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/scripts/internal/subject"
)

var linter = subject.NewLinter()

// verdict is what the linter says of a mutant.
type verdict uint8

const (
	silent verdict = iota // nothing new
	astray                // new findings, none of which names the function
	found                 // a new finding names the function
)

// judge compares the findings of a mutant with those of the file before.
func (v *variant) judge(now map[subject.Finding]int, touched subject.Ranges) (out verdict, said []subject.Finding) {
	for f, n := range now {
		if n <= v.base[f] {
			continue
		}
		said = append(said, f)
		got := astray
		if f.Placed && touched.Overlaps(f.Named) {
			got = found
		}
		out = max(out, got)
	}
	slices.SortFunc(said, func(a, b subject.Finding) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	return out, said
}
