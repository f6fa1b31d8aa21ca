package crosscheck

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/cfi"
	"github.com/sframe-lint/sframe-lint/internal/coverage"
	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/internal/glob"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// inputNeeds are the facts on which rules on the inputs of a link rest.
var inputNeeds = append([]rules.Fact{rules.AllFDEsKnown, rules.SymbolsReadable}, rangeNeeds...)

// gaps are the inputs with functions that no FDE covers, once they have been found.
type gaps struct {
	made   bool
	inputs []coverage.Input
	finder *coverage.Inputs
	own    map[uint64]bool // single functions without an FDE, by their starts: whether each is the one of an input
}

var foundGaps = prereq.OfSection("gaps", "the inputs of a link with functions that no FDE of a section covers",
	func(*analysis.Pass) *gaps { return new(gaps) })

// newInputRule makes a rule on the inputs of a link with functions that no FDE covers.
func newInputRule(r rules.Rule, report func(*rules.Context, []coverage.Input)) *rules.Rule {
	r.Clause, r.Files, r.Needs = "Generating Stack Traces using SFrame", rules.LinkedFiles, inputNeeds
	r.Requires = []*analysis.Analyzer{foundGaps}
	return newCFIRule(r, 1<<cfi.NoFDE, func(c *rules.Context, f *cfi.Frames) (func(*cfi.Difference), func(*cfi.Comparison)) {
		if pltAlone(c) || !c.Has(rules.SingleSection) {
			return func(*cfi.Difference) {}, nil
		}
		var all []coverage.Uncovered
		g := prereq.Get[*gaps](c.Pass, foundGaps)
		each := func(d *cfi.Difference) {
			if (!d.Both || g.single(c, f, d)) && !inPLT(c, d.Place, d.Start) && expressible(c, f, d) && c.Object.Hold(uncoveredCost) == nil {
				all = append(all, coverage.Uncovered{Section: d.Section, Off: d.CFI.Off, Addr: d.Start, Bytes: d.PCs})
			}
		}
		return each, func(*cfi.Comparison) {
			if len(all) > 0 {
				g.make(c, f, all)
				report(c, g.inputs)
			}
		}
	})
}

// uncoveredCost is about the bytes of a function in a list, which grows by half.
const uncoveredCost = 64

// make finds the inputs of functions.
func (g *gaps) make(c *rules.Context, f *cfi.Frames, all []coverage.Uncovered) {
	if g.made {
		return
	}
	g.made = true
	if x := g.find(c, f); x != nil {
		g.inputs = x.Group(all)
	}
}

// find returns what finds the inputs of functions, nil if the budget is exceeded, which is reported.
func (g *gaps) find(c *rules.Context, f *cfi.Frames) *coverage.Inputs {
	if g.finder == nil {
		t := linkedTable(c, prereq.PCRel(c.Section))
		g.finder, _ = coverage.NewInputs(c.Object, f, func(addr uint64) bool {
			p := t.search(addr)
			return p < len(t.keys) && t.keys[p] == addr || p > 0 && addr-t.keys[p-1] < uint64(t.sizes[p-1])
		})
	}
	return g.finder
}

// mostSingle is the number of single functions that are looked up in debug information.
const mostSingle = 64

// single reports whether a single function without an FDE is the one of an input, by debug information.
func (g *gaps) single(c *rules.Context, f *cfi.Frames, d *cfi.Difference) bool {
	own, known := g.own[d.Start]
	if known || !c.Linked() || len(g.own) == mostSingle {
		return own
	}
	if g.own == nil {
		g.own = map[uint64]bool{}
	}
	x := g.find(c, f)
	own = x != nil && x.Own(d.Start, d.Neighbours) != ""
	g.own[d.Start] = own
	return own
}

// Missing returns the rule on inputs without SFrame data. Inputs whose names match a pattern of allowed may
// have none.
func Missing(allowed []string) *rules.Rule {
	return newInputRule(rules.Rule{
		ID:       "SF6021",
		Title:    "inputs of a link without SFrame data",
		Severity: rules.Warning,
		Text: "A linked file has FDEs for some of its functions, and `.eh_frame` or `.debug_frame`" + ` for others
whose CFI is simple. These come from inputs of the link that have no function with an FDE: most likely they were
assembled without SFrame data, as the static libraries of most systems are. Another reason is an input
whose SFrame data the linker ignored, as GNU ld 2.46 and later do with versions 1 and 2; the linked file does
not show the difference, and ` + "`sframe-lint link`" + ` does. A tracer stops in these functions. The message
names libraries (` + "`libc`, `libgcc`, `libgcov`, `libstdc++`" + `) by their functions, and other inputs by their
FILE symbols. Functions of the start files and the few that compilers and the C library add to each program do
not count. Neither do single functions between two that have FDEs, which SF6019
reports. SF6024 reports an input of which a part is lost, SF6014 counts all functions without an FDE.`,
		Fix: `Assemble all inputs with ` + "`--gsframe`" + ` of one assembler, and look for "SFrame section ignored" in the linker's
output. ` + "`--allow-gap NAME`" + ` accepts the gap of a library or an input, and ` + "`--min-coverage`" + ` sets how
much of the code must be covered.`,
		Good: `200 functions of the program, all with FDEs`,
		Bad:  `200 functions of the program, 80 of them, from lcode.c and libgcc, without an FDE`,
	}, func(c *rules.Context, all []coverage.Input) {
		var inputs []coverage.Input
		n := 0
		for _, in := range all {
			if in.Lost || slices.ContainsFunc(allowed, func(p string) bool { return glob.Name(p, in.Name) }) {
				continue
			}
			inputs, n = append(inputs, in), n+in.Functions
		}
		if n > 0 {
			c.Header(model.HdrNumFDEs, "no FDE covers %s with CFI: %s: a tracer stops there; most likely these inputs were assembled without SFrame data ('sframe-lint link' compares them with the output)",
				rules.Count(n, "function"), inputList(inputs))
		}
	})
}

// Lost is the rule on inputs of which a part of the SFrame data is lost.
var Lost = newInputRule(rules.Rule{
	ID:       "SF6024",
	Title:    "SFrame data of an input lost in part",
	Severity: rules.Error,
	Text: "By `.eh_frame` or `.debug_frame`" + ` and the symbol table, functions without an FDE are between functions of the
same input that have FDEs, and their CFI is simple. So the input was assembled with SFrame data, and a part of it was
lost in the link or after it. A tracer stops in these functions. SF6019 reports a single function between two that have
FDEs, and SF6021 inputs without any FDE.`,
	Fix:  `Link again with another version of the linker; ` + "`sframe-lint link`" + ` compares the output with the inputs.`,
	Good: `FDEs for all functions of lcode.c`,
	Bad:  `FDEs for the first 10 and the last 10 of 40 functions of lcode.c`,
}, func(c *rules.Context, all []coverage.Input) {
	all = slices.DeleteFunc(slices.Clone(all), func(in coverage.Input) bool { return !in.Lost })
	n := 0
	for _, in := range all {
		n += in.Functions
	}
	if n > 0 {
		c.Header(model.HdrNumFDEs, "no FDE covers %s with CFI: %s; functions of the same input before and after them have FDEs, so a part of its SFrame data was lost: a tracer stops there",
			rules.Count(n, "function"), inputList(all))
	}
})

// inputList names the first inputs, with the number of functions and the first of these.
func inputList(all []coverage.Input) string {
	var words []string
	for _, in := range all[:min(listed, len(all))] {
		name := "inputs without a FILE symbol and debug information"
		if in.Name != "" {
			name = escape.Name(in.Name)
		}
		text := fmt.Sprintf("%d of %s", in.Functions, name)
		if len(in.First) > 0 && !coverage.Library(in.Name) {
			more := ""
			if in.Functions > len(in.First) {
				more = ", ..."
			}
			text += " (" + strings.Join(in.First, ", ") + more + ")"
		}
		words = append(words, text)
	}
	if more := len(all) - listed; more > 0 {
		n := 0
		for _, in := range all[listed:] {
			n += in.Functions
		}
		words = append(words, fmt.Sprintf("%d of %s", n, rules.Count(more, "other input")))
	}
	return strings.Join(words, ", ")
}
