package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Finding is an error or a warning, and the addresses that it names. Two
// sections have a finding in common if all of it is equal.
type Finding struct {
	Rule       string
	Message    string
	Help       string
	Correction string // a line for each directive: its offset and text
	Named      reader.AddrRange
	Placed     bool // it names addresses
}

// Ranges are addresses of functions.
type Ranges []reader.AddrRange

// Overlaps reports whether some addresses are among those of a range.
func (r Ranges) Overlaps(x reader.AddrRange) bool {
	return slices.ContainsFunc(r, func(y reader.AddrRange) bool { return x.First <= y.Last && y.First <= x.Last })
}

// Contains reports whether an address is among them.
func (r Ranges) Contains(pc uint64) bool { return r.Overlaps(reader.AddrRange{First: pc, Last: pc}) }

// Span returns the addresses of a function.
func Span(start uint64, size uint32) reader.AddrRange {
	return reader.AddrRange{First: start, Last: start + uint64(max(size, 1)) - 1}
}

// Linter has the rules that producers of SFrame data run.
var Linter = NewLinter()

// NewLinter returns a linter with some of these rules.
func NewLinter(selected ...string) *lint.Linter {
	l, err := lint.New(lint.Options{Select: selected, Profile: "toolchain"})
	if err != nil {
		panic(err)
	}
	return l
}

// Lint returns the errors and warnings in a version of the file with the section s.
func (f *File) Lint(linter *lint.Linter, data []byte, s *model.Section) (map[Finding]int, error) {
	found := map[Finding]int{}
	err := f.Scan(data, func(o *reader.Object) error {
		res := linter.Check(o)
		if len(res.Failures) > 0 {
			return errors.New("a rule failed")
		}
		counted := res.Counted()
		for i := range counted {
			if f := &counted[i]; f.Severity >= rules.Warning {
				found[describe(f, s)]++
			}
		}
		return nil
	})
	return found, err
}

// New returns what is found now and was not before, in order of the addresses.
func New(now, before map[Finding]int) (out []Finding) {
	for f, n := range now {
		if n > before[f] {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Named.First, b.Named.First), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	return out
}

// Verdicts on a mutant.
const (
	Silent = "silent"         // nothing new
	Astray = "wrong function" // new findings, none of which names the function
	Found  = "found"          // a new finding names the function
)

// Verdicts are all of them.
var Verdicts = []string{Found, Silent, Astray}

// Judge returns the verdict on what is new, and the findings that name addresses that a mutant changes.
func Judge(found []Finding, touched Ranges) (verdict string, here []Finding) {
	verdict = Silent
	for _, f := range found {
		switch {
		case f.Placed && touched.Overlaps(f.Named):
			verdict, here = Found, append(here, f)
		case verdict == Silent:
			verdict = Astray
		}
	}
	return verdict, here
}

func describe(f *rules.Finding, s *model.Section) Finding {
	d := Finding{Rule: f.Rule.ID, Message: f.Message, Help: f.Help}
	for _, m := range f.Directives() {
		d.Correction += fmt.Sprintf("%d %s\n", m.Offset, m.Text)
	}
	has := f.FDE >= 0 && f.FDE < s.NumFDEs()
	switch {
	case f.HasPC && !(has && f.PC == s.FDE(f.FDE).End()): // an FRE may start where its function ends
		d.Named, d.Placed = reader.AddrRange{First: f.PC, Last: f.PC}, true
	case has:
		fde := s.FDE(f.FDE)
		d.Named, d.Placed = reader.AddrRange{First: fde.Start(), Last: max(fde.Start(), fde.End()-1)}, true
	}
	return d
}
