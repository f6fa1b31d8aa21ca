package main

import (
	"cmp"
	"errors"
	"slices"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// finding is an error or a warning, and the addresses that it names. Two
// sections have a finding in common if all of it is equal.
type finding struct {
	rule    string
	message string
	named   reader.AddrRange
	placed  bool // it names addresses
}

// ranges are addresses of functions.
type ranges []reader.AddrRange

func (r ranges) overlaps(x reader.AddrRange) bool {
	return slices.ContainsFunc(r, func(y reader.AddrRange) bool { return x.First <= y.Last && y.First <= x.Last })
}

func (r ranges) contains(pc uint64) bool { return r.overlaps(reader.AddrRange{First: pc, Last: pc}) }

var (
	linter    = newLinter()
	structure = newLinter("SF1", "SF2", "SF3", "SF4") // the fast rules, which need nothing but the section
)

func newLinter(selected ...string) *lint.Linter {
	l, err := lint.New(lint.Options{Select: selected, Profile: "toolchain"})
	if err != nil {
		panic(err)
	}
	return l
}

// lint returns the errors and warnings in a file with the section s.
func (in *input) lint(linter *lint.Linter, data []byte, s *model.Section) (map[finding]int, error) {
	found := map[finding]int{}
	err := in.scan(data, func(o *reader.Object) error {
		res := linter.Check(o)
		if len(res.Failures) > 0 {
			return errors.New("a rule failed")
		}
		for i := range res.Findings {
			if f := &res.Findings[i]; f.Severity >= rules.Warning {
				found[describe(f, s)]++
			}
		}
		return nil
	})
	return found, err
}

func describe(f *rules.Finding, s *model.Section) finding {
	d := finding{rule: f.Rule.ID, message: f.Message}
	switch {
	case f.HasPC:
		d.named, d.placed = reader.AddrRange{First: f.PC, Last: f.PC}, true
	case f.FDE >= 0 && f.FDE < s.NumFDEs():
		fde := s.FDE(f.FDE)
		d.named, d.placed = reader.AddrRange{First: fde.Start(), Last: max(fde.Start(), fde.End()-1)}, true
	}
	return d
}

// verdict is what the linter says of a mutant.
type verdict uint8

const (
	silent verdict = iota // nothing new
	astray                // new findings, none of which names the function
	found                 // a new finding names the function
)

// flagged reports whether there is an error or a warning that the intact file does
// not have. Most faults break the structure, and do not need the slower rules.
func (in *input) flagged(x *variant, s *model.Section) (bool, error) {
	for _, l := range []*lint.Linter{structure, linter} {
		now, err := in.lint(l, x.data, s)
		if err != nil {
			return false, err
		}
		for f, n := range now {
			if n > x.base[f] {
				return true, nil
			}
		}
	}
	return false, nil
}

// judge compares the findings of a mutant with those of the file before.
func (v *variant) judge(now map[finding]int, touched ranges) (out verdict, said []finding) {
	for f, n := range now {
		if n <= v.base[f] {
			continue
		}
		said = append(said, f)
		got := astray
		if f.placed && touched.overlaps(f.named) {
			got = found
		}
		out = max(out, got)
	}
	slices.SortFunc(said, func(a, b finding) int { return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.message, b.message)) })
	return out, said
}
