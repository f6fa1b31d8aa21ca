package crosscheck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// comparison is that of a section with the call frame information of its file.
type comparison struct {
	frames *cfi.Frames
	// all are the differences, unless there were more than maxKept: then each rule
	// makes another comparison.
	all   []cfi.Difference
	kinds cfi.Kinds // of all differences
	n     cfi.Comparison
	many  bool
}

// maxKept bounds the differences that are kept. Sound files have few.
const maxKept = 1000

// compared gives a rule the comparison of its section, nil where the file has no call
// frame information.
var compared = prereq.OfSection("cfi", "the FREs of a section beside the call frame information of its file", func(pass *analysis.Pass) *comparison {
	f, s := prereq.Get[*cfi.Frames](pass, rules.CallFrames), rules.Look(pass).Section
	if s.NumFDEs() == 0 || f == nil || !f.Any() && len(f.Damage()) == 0 {
		return nil
	}
	x := &comparison{frames: f}
	x.n = cfi.Compare(s, f, func(d cfi.Difference) {
		x.kinds.Add(d.Kind)
		if x.many = len(x.all) == maxKept; !x.many {
			x.all = append(x.all, d)
		}
	})
	return x
}, rules.CallFrames)

// hasNone reports whether there are no differences of some kinds. For no kinds it
// reports whether all of the call frame information could be decoded.
func (x *comparison) hasNone(kinds cfi.Kinds) bool {
	if kinds == 0 {
		return x.n.Damage.Count == 0 && len(x.frames.Damage()) == 0
	}
	return x.kinds&kinds == 0
}

// pass passes the differences of some kinds to a rule.
func (x *comparison) pass(s *model.Section, kinds cfi.Kinds, each func(*cfi.Difference)) {
	hear := func(d *cfi.Difference) {
		if kinds.Has(d.Kind) {
			each(d)
		}
	}
	if x.many {
		cfi.Compare(s, x.frames, func(d cfi.Difference) { hear(&d) })
		return
	}
	for i := range x.all {
		hear(&x.all[i])
	}
}

// rowNeeds are the facts on which rules on the rows of CFI rest.
const rowNeeds = rules.FREsKnown | rules.AttributesKnown | rules.ABIKnown | rules.RAKnown | rules.FPKnown | rules.StartsKnown | rules.StartsAsFlagged | rules.CFIReadable

// rangeNeeds are those of rules on the code that FDEs cover.
const rangeNeeds = rules.FDEsKnown | rules.AttributesKnown | rules.ABIKnown | rules.StartsKnown | rules.StartsAsFlagged | rules.CFIReadable

// uncoveredNeeds are those of rules on the code that no FDE covers. Where all FDEs are known, so are their attributes.
const uncoveredNeeds = rules.AllFDEsKnown | rangeNeeds&^(rules.FDEsKnown|rules.AttributesKnown)

// newCFIRule makes a rule on some kinds of difference, or on damage for none. It finds nothing
// where there are none. listen returns what is called for each
// of them, and what is called at the end or nil.
func newCFIRule(r rules.Rule, kinds cfi.Kinds, listen func(*rules.Context, *cfi.Frames) (each func(*cfi.Difference), done func(*cfi.Comparison))) *rules.Rule {
	r.Files = cmp.Or(r.Files, rules.ELFFiles)
	r.Requires = append(r.Requires, compared, wrongStubs, rules.CodeProofs, prereq.Located, prereq.Elsewhere)
	return rules.New(r, func(c *rules.Context) {
		if c.Section.NumFDEs() == 0 || kinds.Has(cfi.NoFDE) && !counts(c) || !c.Has(rules.CFIReadable) {
			return
		}
		x := prereq.Get[*comparison](c.Pass, compared)
		if x == nil || x.hasNone(kinds) {
			return
		}
		each, done := listen(c, x.frames)
		x.pass(c.Section, kinds, func(d *cfi.Difference) {
			if d.Kind != cfi.NoFDE || !isDescribedElsewhere(c, d.Start) {
				each(d)
			}
		})
		if done != nil {
			done(&x.n)
		}
	})
}

// rowDiffers are the kinds of difference that SF6018 reports where it has the code of stubs.
const rowDiffers = cfi.Kinds(1<<cfi.CFADiffers | 1<<cfi.RADiffers | 1<<cfi.FPDiffers | 1<<cfi.OutermostDiffers)

// contradiction makes a rule that reports each difference of some kinds, but for the rows of
// FDEs of which SF6018 reports that the code of their stubs contradicts them.
func contradiction(r rules.Rule, kinds cfi.Kinds, report func(*rules.Context, *cfi.Frames, *cfi.Difference)) *rules.Rule {
	r.Text += contradictionText
	if r.Needs == 0 {
		r.Needs = rowNeeds
	}
	return newCFIRule(r, kinds, func(c *rules.Context, f *cfi.Frames) (func(*cfi.Difference), func(*cfi.Comparison)) {
		return func(d *cfi.Difference) {
			if !d.Inexpressible && !c.Cut() && !(rowDiffers.Has(d.Kind) && wrongStubFDE(c, d.FDE)) {
				report(c, f, d)
			}
		}, nil
	})
}

func wrongStubFDE(c *rules.Context, fde int) bool {
	return slices.ContainsFunc(prereq.Get[[]wrongStub](c.Pass, wrongStubs), func(w wrongStub) bool { return w.fre.FDEIndex() == fde })
}

// span writes the PCs of a difference: those of its first run.
func span(c *rules.Context, d *cfi.Difference) string {
	return "from " + c.Object.Address(d.Place, d.Start) + " to " + c.Object.Address(d.Place, d.End)
}

// source writes where the CFI is: the instructions of the row, or the FDE.
func source(f *cfi.Frames, d *cfi.Difference) string {
	off := d.CFI.Off
	if d.Code.Len > 0 {
		off = d.Code.Off
	}
	return fmt.Sprintf("%s+0x%x", f.Sections[d.Section].Name, off)
}

// moreRuns writes how many more runs of PCs differ, "" for none.
func moreRuns(d *cfi.Difference) string {
	if d.Runs < 2 {
		return ""
	}
	return fmt.Sprintf("; %s, %s in all", rules.Count(d.Runs-1, "more range"), rules.Count(int(d.PCs), "byte"))
}

// otherDifferences writes the other differences at the same PCs.
func otherDifferences(c *rules.Context, d *cfi.Difference) string {
	var words []string
	for _, k := range []struct {
		kind cfi.Aspect
		name string
	}{{cfi.RADiffers, "RA"}, {cfi.FPDiffers, "FP"}} {
		if d.Also.Has(k.kind) {
			sframe, cfi := d.Of(k.kind)
			words = append(words, fmt.Sprintf("; %s is %s in the FRE, but %s in the CFI", k.name, sframe.Format(c.Section.ABI()), cfi.Format(c.Section.ABI())))
		}
	}
	return strings.Join(words, "")
}
