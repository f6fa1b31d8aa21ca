package crosscheck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// CoverageID is the ID of the rule that fails a file if its SFrame data covers less of the code than the user
// requires.
const CoverageID = "SF6020"

// named is the number of functions that a message names.
const named = 5

// Measure returns an analyzer that measures the coverage of an object. It lists up to most gaps, but at least named.
// Functions of inputs whose names match a pattern in allowed do not count.
func Measure(most int, allowed []string) *analysis.Analyzer {
	return prereq.OfObject("coverage", "which code the FDEs of the object cover", func(pass *analysis.Pass) *coverage.Measured {
		o, _ := prereq.Input(pass)
		f, err := coverage.Measure(o, max(named, most), allowed...)
		return &coverage.Measured{File: f, Err: err}
	})
}

// Covered returns the rule that requires a share of the bytes of all functions. The analyzer measure provides the
// coverage.
func Covered(least coverage.Percent, measure *analysis.Analyzer) (r *rules.Rule) {
	r = rules.New(rules.Rule{
		ID:       CoverageID,
		Scope:    rules.PerObject,
		OptIn:    true,
		Files:    rules.ELFFiles,
		Requires: []*analysis.Analyzer{measure},
	}, func(c *rules.Context) {
		switch m := prereq.Get[*coverage.Measured](c.Pass, measure); {
		case m.Err != nil:
			c.HoldBack(rules.Absence{Fact: rules.SymbolsReadable, Reason: m.Err.Error()})
		case m.Below(least):
			said, help := message(m.File, least)
			if i := slices.Index(help, ""); i >= 0 {
				help[i] = r.Remedy()
			}
			c.With(rules.Help(strings.Join(help, "; "))).File(at(c.Object), "%s", said)
		}
	})
	return r
}

// at returns the count of FDEs, or the ELF header of a file without SFrame data.
func at(o *reader.Object) model.Span {
	for _, sf := range o.SFrames {
		if sf.Section != nil {
			sp := model.HdrNumFDEs.Span()
			sp.Off += sf.Offset
			return sp
		}
	}
	return elf64.Ehdr
}

func message(f *coverage.File, least coverage.Percent) (said string, help []string) {
	var b strings.Builder
	fmt.Fprintf(&b, "FDEs cover %v, less than the required %v: a tracer stops in ", f.Share, least.String())
	gaps := f.Gaps[:min(named, len(f.Gaps))]
	for i, g := range gaps {
		if i > 0 {
			b.WriteString(", ")
		}
		if g.Function != "" {
			b.WriteString(escape.Quoted(g.Function))
		} else {
			fmt.Fprintf(&b, "0x%x", g.Start)
		}
		if i+1 == len(gaps) || gaps[i+1].Reason != g.Reason || gaps[i+1].Detail != g.Detail {
			fmt.Fprintf(&b, " (%s)", cmp.Or(g.Detail, g.Reason.Text()))
		}
		if !slices.Contains(help, g.Help) {
			help = append(help, g.Help)
		}
	}
	missing := 0
	for _, r := range f.Missing {
		missing += r.Functions
	}
	if more := missing - len(gaps); more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String(), help
}
