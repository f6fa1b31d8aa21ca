// Package size holds the advice on smaller sections: family SF7. Each rule
// reports once for a section, at the first place, and says how many bytes
// could be saved in all.
package size

import (
	"github.com/sframe-lint/sframe-lint/internal/survey"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Rules are the rules of the family, by ID.
var Rules = []*rules.Rule{
	advice(wideStarts, rules.Rule{
		ID:     "SF7001",
		Title:  "FRE type wider than needed",
		Clause: "The SFrame FRE Types",
		Text: `All rows of a function have start offsets of the width that its FRE type gives: 1,
2 or 4 bytes. What counts is the start of the last row, not the size of the function. A
wider type than that start needs wastes bytes in every row. No consumer misreads it; the
program is larger, on disk and in memory.`,
		Fix:  `Choose the FRE type by the start of the function's last row.`,
		Good: `last row at 0xf0: ADDR1`,
		Bad:  `last row at 0xf0: ADDR2`,
	}),
	advice(wideWords, rules.Rule{
		ID:     "SF7002",
		Title:  "data words wider than needed",
		Clause: "The SFrame FRE Info Word",
		Text: `The size of the data words is chosen for each row. A row whose words would all fit
a smaller size wastes bytes. No consumer misreads it; the program is larger, on disk and
in memory.`,
		Fix:  `Choose the smallest size that holds all words of the row.`,
		Good: `words 16, -16: 1 byte each`,
		Bad:  `words 16, -16: 2 bytes each`,
	}),
	advice(repeats, rules.Rule{
		ID:     "SF7003",
		Title:  "identical neighbouring FREs",
		Clause: "SFrame FRE",
		Text: `A row covers all PCs up to the next one. A row that says the same as the one in
front of it can be left out without any change in meaning. Producers write such rows where
CFI changes a register that SFrame does not track. No consumer misreads it; tracers walk
one row more.`,
		Fix:  `Leave the second row out.`,
		Good: `rows at 0 and 4 that differ`,
		Bad:  `rows at 0 and 4 with the same info byte and words`,
	}),
	advice(mergeable, rules.Rule{
		ID:     "SF7004",
		Title:  "neighbouring stubs in several FDEs",
		Clause: "The SFrame FDE PC Types",
		Text: `One FDE of PC type MASK describes any number of stubs that follow one another.
Neighbouring MASK FDEs with the same stub size and the same rows could be one. No consumer
misreads them; tracers search among more FDEs.`,
		Fix:  `Describe all stubs with one FDE.`,
		Good: `MASK, 0x40 bytes, rep_size 16`,
		Bad:  `two FDEs: MASK, 0x20 bytes, rep_size 16`,
	}),
	unsorted, total,
}

// saving is what an advice would bring.
type saving struct {
	bytes int64
	count int
	at    model.Span // the first place
	fde   int
	fre   int // -1 for a whole function
	noun  string
	what  string
}

func (s *saving) add(bytes int64, at model.Span, fde, fre int) {
	if s.count == 0 {
		s.at, s.fde, s.fre = at, fde, fre
	}
	s.count++
	s.bytes += bytes
}

// advisors are what the total adds up.
var advisors = []func(*rules.Context) saving{wideStarts, wideWords, repeats, mergeable}

// advice makes a rule that reports once what find has found.
func advice(find func(*rules.Context) saving, r rules.Rule) *rules.Rule {
	r.Severity, r.Needs = rules.Note, []rules.Fact{rules.FREsKnown}
	return rules.New(r, func(c *rules.Context) {
		s := find(c)
		if s.count == 0 {
			return
		}
		// The finding is about the section: it names the first place, and not
		// a function, whose symbol would have to be looked up.
		c.At(s.at, "%s %s, in FDE %d first: %d of the section's %d bytes could be saved",
			rules.Count(s.count, s.noun), s.what, s.fde, s.bytes, c.Section.Size())
	})
}

// wideStarts leaves out functions with missing rows: the one that needs the
// width may be among them.
func wideStarts(c *rules.Context) saving {
	out := saving{noun: "function", what: "with a wider FRE type than the start of the last row needs"}
	if !c.Survey().Has(survey.StartsWide) {
		return out
	}
	c.EachFDE(func(f model.FDE) {
		if f.NumFREs() == 0 || f.NumFREs() != int(f.ClaimedFREs()) || f.FREType() == model.SFRAME_FRE_TYPE_ADDR1 {
			return
		}
		need := model.SFRAME_FRE_TYPE_ADDR1
		for last := f.FRE(f.NumFREs() - 1).Start(); last > need.MaxStart(); {
			need++
		}
		if less := f.FREType().Width() - need.Width(); less > 0 {
			out.add(int64(less*f.NumFREs()), f.FieldSpan(model.FDEInfo), f.Index(), -1)
		}
	})
	return out
}

func wideWords(c *rules.Context) saving {
	out := saving{noun: "row", what: "with wider data words than the values need"}
	wide := func(r model.FRE) bool { return narrower(r) > 0 }
	if !c.Survey().AnyRow(wide) {
		return out
	}
	c.EachRow(func(r model.FRE) {
		if n := narrower(r); n > 0 {
			out.add(int64(n*r.NumWords()), r.InfoSpan(), r.FDEIndex(), r.Index())
		}
	})
	return out
}

// narrower returns how many bytes each data word of the row could lose.
func narrower(r model.FRE) int {
	if r.NumWords() == 0 || r.WordSize().Width() < 2 {
		return 0
	}
	flex := r.FDEType() == model.SFRAME_FDE_TYPE_FLEX
	need := 1
	ctl := 0 // index of the next control word
	for k := range r.NumWords() {
		v := int64(r.Word(k))
		lo, hi := int64(-1)<<7, int64(1)<<7
		if flex && k == ctl {
			v, lo, hi = int64(r.Control(k)), 0, 1<<8
			ctl += 2
			if v == 0 {
				ctl--
			}
		}
		switch {
		case v < lo<<8 || v >= hi<<8:
			return 0
		case v < lo || v >= hi:
			need = 2
		}
	}
	return max(r.WordSize().Width()-need, 0)
}

func repeats(c *rules.Context) saving {
	out := saving{noun: "row", what: "saying the same as the one in front"}
	if !c.Survey().Has(survey.RowsRepeat) {
		return out
	}
	var prev model.FRE
	c.EachRow(func(r model.FRE) {
		if r.Index() > 0 && same(prev, r) {
			out.add(r.Span().Len, r.Span(), r.FDEIndex(), r.Index())
		}
		prev = r
	})
	return out
}

// same tells whether two rows have the same content.
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

func mergeable(c *rules.Context) saving {
	out := saving{noun: "MASK FDE", what: "continuing the stubs of the one in front"}
	c.Survey().EachMask(func(f model.FDE) {
		if f.Index() == 0 || f.RepSize() == 0 {
			return
		}
		prev := c.Section.FDE(f.Index() - 1)
		if prev.PCType() == model.SFRAME_FDE_PCTYPE_MASK && continues(prev, f) {
			out.add(f.Span().Len+f.DataSpan().Len, f.Span(), f.Index(), -1)
		}
	})
	return out
}

// continues tells whether b's stubs are more of a's.
func continues(a, b model.FDE) bool {
	if !a.Resolved() || !b.Resolved() || a.Place() != b.Place() || a.End() != b.Start() ||
		a.Info() != b.Info() || a.Info2() != b.Info2() || a.RepSize() != b.RepSize() ||
		a.Size()%uint32(a.RepSize()) != 0 || a.NumFREs() != b.NumFREs() {
		return false
	}
	if a.ClaimedFREs() != b.ClaimedFREs() || a.NumFREs() != int(a.ClaimedFREs()) {
		return false // what can't be read may say something else
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
