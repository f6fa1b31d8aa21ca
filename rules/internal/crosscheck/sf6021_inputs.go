package crosscheck

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
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
			if g.made || d.Both && !g.isOnlyOfInput(c, f, d) || isStub(c, d) {
				return
			}
			if whyLeftOut(c, f, d).Lost && c.Object.Hold(uncoveredCost) == nil {
				all = append(all, coverage.Uncovered{Section: d.Section, Off: d.CFI.Off, Addr: d.Start, Bytes: d.PCs})
			}
		}
		return each, func(*cfi.Comparison) {
			g.findInputs(c, f, all)
			report(c, g.inputs)
		}
	})
}

// isStub reports whether a function is a linker's stub.
func isStub(c *rules.Context, d *cfi.Difference) bool {
	return inPLT(c, d.Place, d.Start) || producers.LikeStubs(c.Object.ELF, d.Start, d.PCs)
}

// uncoveredCost is about the bytes of a function in a list, which grows by half.
const uncoveredCost = 64

// findInputs finds the inputs of functions.
func (g *gaps) findInputs(c *rules.Context, f *cfi.Frames, all []coverage.Uncovered) {
	made := g.made
	if g.made = true; made || len(all) == 0 {
		return
	}
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

// isOnlyOfInput reports whether a single function without an FDE is the one of an input, by debug information.
func (g *gaps) isOnlyOfInput(c *rules.Context, f *cfi.Frames, d *cfi.Difference) bool {
	own, known := g.own[d.Start]
	if known || !c.Object.Linked() || len(g.own) == mostSingle {
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
		Severity: rules.Warning,
	}, func(c *rules.Context, all []coverage.Input) {
		var inputs []coverage.Input
		n := 0
		for _, in := range all {
			if in.Lost || matches(allowed, in.Name) {
				continue
			}
			inputs, n = append(inputs, in), n+in.Functions
		}
		if n > 0 {
			c.At(model.HdrNumFDEs.Span(), "no FDE covers %s with CFI: %s: a tracer stops there; these have no SFrame data, or the linker ignored it ('sframe-lint link' shows which)",
				rules.Count(n, "function"), inputList(inputs))
		}
	})
}

// inputList names the first inputs, with the number of functions and the first of these.
func inputList(all []coverage.Input) string {
	var words []string
	for _, in := range all[:min(listed, len(all))] {
		name := cmp.Or(escape.Name(in.Name), "inputs "+cmp.Or(in.Between, "that no symbol names"))
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
