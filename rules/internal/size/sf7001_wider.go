package size

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var wideStarts = advice(byStarts, rules.Rule{ID: "SF7001"})

var wideWords = advice(byWords, rules.Rule{ID: "SF7002"})

var repeats = advice(byRows, rules.Rule{ID: "SF7003"})

var mergeable = advice(byStubs, rules.Rule{ID: "SF7004"})

// advice makes a rule that reports the result of an advisor once.
func advice(by *analysis.Analyzer, r rules.Rule) *rules.Rule {
	r.Needs = rules.FREsKnown
	r.Requires = []*analysis.Analyzer{by}
	return rules.New(r, func(c *rules.Context) {
		s := prereq.Get[saving](c.Pass, by)
		if s.count == 0 {
			return
		}
		// The finding is about the section. It gives the first place but no
		// function, whose symbol would have to be looked up.
		at := "in"
		if s.count > 1 {
			at = "first in"
		}
		c.At(s.at, "%s %s (%s FDE %d): %d of the section's %d bytes could be saved",
			rules.Count(s.count, s.noun), s.what, at, s.fde, s.bytes, c.Section.Size())
	})
}

// findWideStarts skips functions with missing FREs, one of which may need the
// width.
func findWideStarts(c *rules.Context) saving {
	out := saving{noun: "function", what: "with a wider FRE type than needed"}
	c.SFrame.Survey().Each(model.StartsWide, func(f model.FDE) {
		if f.NumFREs() == 0 || f.NumFREs() != int(f.ClaimedFREs()) || f.FREType() == model.SFRAME_FRE_TYPE_ADDR1 {
			return
		}
		need := model.FRETypeFor(f.FRE(f.NumFREs() - 1).Start())
		if less := f.FREType().Width() - need.Width(); less > 0 {
			out.add(int64(less*f.NumFREs()), f.FieldSpan(model.FDEInfo), f.Index(), -1)
		}
	})
	return out
}

func findWideWords(c *rules.Context) saving {
	out := saving{noun: "FRE", what: "with wider data words than needed"}
	wide := func(r model.FRE) bool { return narrower(r) > 0 }
	c.Rows(wide, func(r model.FRE) {
		out.add(int64(narrower(r)*r.NumWords()), r.InfoSpan(), r.FDEIndex(), r.Index())
	})
	return out
}

// narrower returns by how many bytes each data word of the FRE could shrink.
func narrower(r model.FRE) int {
	words := r.DataWords()
	if size, ok := words.Size(); ok && words.N > 0 {
		return max(r.WordSize().Width()-size.Width(), 0)
	}
	return 0
}

func findRepeats(c *rules.Context) saving {
	out := saving{noun: "FRE", what: "with the same contents as the FRE before"}
	c.SFrame.Survey().Each(model.RowsRepeat, func(f model.FDE) {
		var prev model.FRE
		for r := range f.FREs() {
			if r.Index() > 0 && same(prev, r) {
				out.add(r.Span().Len, r.Span(), r.FDEIndex(), r.Index())
			}
			prev = r
		}
	})
	return out
}

// same reports whether two FREs have the same contents.
func same(a, b model.FRE) bool {
	if a.Info() != b.Info() {
		return false
	}
	for k := range a.NumWords() {
		if a.Word(k) != b.Word(k) {
			return false
		}
	}
	return true
}

func findMergeable(c *rules.Context) saving {
	out := saving{noun: "MASK FDE", what: "that could be merged into the FDE before"}
	c.SFrame.Survey().EachMask(func(f model.FDE) {
		if f.Index() == 0 || f.RepSize() == 0 {
			return
		}
		prev := c.Section.FDE(f.Index() - 1)
		if prev.Mask() && continues(prev, f) {
			out.add(f.Span().Len+f.DataSpan().Len, f.Span(), f.Index(), -1)
		}
	})
	return out
}

// continues reports whether the stubs of b continue those of a.
func continues(a, b model.FDE) bool {
	if !a.Resolved() || !b.Resolved() || a.Place() != b.Place() || a.End() != b.Start() ||
		a.Info() != b.Info() || a.Info2() != b.Info2() || a.RepSize() != b.RepSize() ||
		a.Size()%uint32(a.RepSize()) != 0 || a.NumFREs() != b.NumFREs() {
		return false
	}
	if a.ClaimedFREs() != b.ClaimedFREs() || a.NumFREs() != int(a.ClaimedFREs()) {
		return false // FREs that cannot be decoded may differ
	}
	if a.NumFREs() == 0 {
		return true
	}
	p, q, ok := a.FRE(0), b.FRE(0), true
	for ok {
		if p.Start() != q.Start() || !same(p, q) {
			return false
		}
		q, _ = q.Next()
		p, ok = p.Next()
	}
	return true
}
