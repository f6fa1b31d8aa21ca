// Package gate has the rule that fails a file whose SFrame data cover too little of
// its code. The user sets how much is too little.
package gate

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/coverage"
	"github.com/sframe-lint/sframe-lint/internal/elf64"
	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// ID is the identifier of the rule.
const ID = "SF6020"

// Named is how many functions a message names.
const Named = 5

// Measure returns the coverage of an object with at least [Named] gaps.
type Measure func(*reader.Object) (*coverage.File, error)

// Rule returns the rule for a share of the bytes of all functions. measure may be nil.
func Rule(least coverage.Percent, measure Measure) *rules.Rule {
	if measure == nil {
		measure = func(o *reader.Object) (*coverage.File, error) { return coverage.Measure(o, Named) }
	}
	return rules.New(rules.Rule{
		ID:       ID,
		Title:    "code covered less than required",
		Clause:   "Generating Stack Traces using SFrame",
		Severity: rules.Error,
		Scope:    rules.PerObject,
		OptIn:    true,
		Files:    rules.ELFFiles,
		Text: `The FDEs cover a smaller share of the code than ` + "`--min-coverage`" + ` requires (all of it if
the rule is selected without that flag). The rule counts the bytes of functions: those of
the symbol table, of ` + "`.eh_frame` and `.debug_frame`" + `, and of the FDEs, without the stubs of a
PLT. A linker that drops the data of some of its inputs, as GNU ld 2.47 does if their versions differ, leaves a
section that is correct and covers a part of the program. ` + "`sframe-lint coverage`" + ` lists all
functions that are not covered, and why.`,
		Fix:  `Assemble all inputs with ` + "`--gsframe`" + ` of one assembler, and read the linker's warnings.`,
		Good: `--min-coverage 99%, and FDEs for 39,800 of 40,000 bytes`,
		Bad:  `--min-coverage 99%, and FDEs for 20,000 of 40,000 bytes`,
	}, func(c *rules.Context) {
		f, err := measure(c.Object)
		switch {
		case err != nil:
			c.HoldBack(rules.Absence{Fact: rules.SymbolsReadable, Reason: err.Error()})
		case f.Below(least):
			c.File(at(c.Object), "%s", message(f, least))
		}
	})
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

func message(f *coverage.File, least coverage.Percent) string {
	var b strings.Builder
	fmt.Fprintf(&b, "FDEs cover %v, less than %v of the bytes; not ", f.Share, least.String())
	gaps := f.Gaps[:min(Named, len(f.Gaps))]
	for i, g := range gaps {
		if i > 0 {
			b.WriteString(", ")
		}
		name := g.Function
		if name == "" {
			name = fmt.Sprintf("0x%x", g.Start)
		}
		b.WriteString(escape.Name(name))
		if i+1 == len(gaps) || gaps[i+1].Reason != g.Reason {
			fmt.Fprintf(&b, " (%s)", g.Reason.Text())
		}
	}
	missing := 0
	for _, r := range f.Missing {
		missing += r.Functions
	}
	if more := missing - len(gaps); more > 0 {
		fmt.Fprintf(&b, " and %s", rules.Count(more, "more function"))
	}
	b.WriteString(": a tracer stops there")
	return b.String()
}
