package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// TrailingZeros finds zero bytes behind the FRE sub-section.
var TrailingZeros = rules.New(rules.Rule{
	ID:       "SF1017",
	Title:    "trailing zero bytes",
	Clause:   "SFrame Header",
	Severity: rules.Warning,
	Text: `The FRE sub-section is the last part of the section. Zero bytes behind it are
what a linker leaves that merges the inputs but does not shrink the section, or that
pads it. libsframe tolerates them; they cost space at run time. What an assembler adds
to a relocatable file's section to fill it up to its alignment is no finding.`,
	Fix:  `Set the section's size to where the FRE sub-section ends.`,
	Good: `sh_size = 0xa9, the FREs end at 0xa9`,
	Bad:  `sh_size = 0xb0, the FREs end at 0xa9, 7 zero bytes follow`,
}, func(c *rules.Context) {
	if t, ok := trailing(c); ok && !t.NonZero && !filledUp(c, t) {
		c.WithFix(shrink(c, t.Off, true)).At(t.Span, "%s behind the FRE sub-section, which ends the section; a linker has not shrunk the section after merging, or has padded it", rules.Count(int(t.Len), "zero byte"))
	}
})

// sectionAlign is what producers align an SFrame section to, in bytes.
const sectionAlign = 8

// filledUp tells whether trailing zeros only round a relocatable file's
// section up to its alignment, as gas does for s390x.
func filledUp(c *rules.Context, t model.Gap) bool {
	return c.Relocatable() && t.Len < sectionAlign && c.Section.Size()%sectionAlign == 0
}

// TrailingData finds other bytes behind the FRE sub-section.
var TrailingData = rules.New(rules.Rule{
	ID:       "SF1018",
	Title:    "trailing data",
	Clause:   "SFrame Header",
	Severity: rules.Error,
	Text: `The FRE sub-section is the last part of the section. Bytes behind it that are
not zero are data which no consumer reads: rows that a wrong sfh_fre_len cuts off, or
what a linker left of its inputs. libsframe rejects such a section when it has to
change its byte order.`,
	Fix:  `Correct sfh_fre_len or sfh_freoff; if a linker left the bytes, shrink the section.`,
	Good: `sh_size = 0xa9, the FREs end at 0xa9`,
	Bad:  `sh_size = 0xa9, the FREs end at 0x9f`,
	Bugs: []string{"binutils ld 2.40 -r"},
}, func(c *rules.Context) {
	if t, ok := trailing(c); ok && t.NonZero && pieces(c, t.Span).count == 0 {
		c.WithFix(shrink(c, t.Off, false)).At(t.Span, "%s, not all zero, behind the FRE sub-section, which ends the section at 0x%x: sfh_fre_len %d is too small, or a linker has left data of its inputs behind", rules.Count(int(t.Len), "byte"), t.Off, c.Section.Header().FRELen)
	}
})

// Unmerged finds sections that a linker has put one behind the other.
var Unmerged = rules.New(rules.Rule{
	ID:       "SF1019",
	Title:    "unmerged concatenation",
	Clause:   "SFrame Section",
	Severity: rules.Error,
	Text: `A linker that does not know SFrame puts the sections of its inputs one behind
the other, each with its own header. A consumer reads the first header and sees the
functions of the first input alone; those of all others are lost without a word, and
the flag that the FDEs are sorted, if set, holds for the first piece only. lld and gold
do this, and mold did before 2.42.`,
	Fix:  `Link with a linker that merges SFrame sections: GNU ld, mold 3 or later.`,
	Good: `one header, sfh_num_fdes = 690`,
	Bad:  `a header with sfh_num_fdes = 84; behind its FREs the next header`,
	Bugs: []string{"https://github.com/rui314/mold/issues/1511", "https://github.com/davidlattimore/wild/issues/1576"},
}, func(c *rules.Context) {
	t, ok := trailing(c)
	if !ok || !t.NonZero {
		return
	}
	if p := pieces(c, t.Span); p.count > 0 {
		c.At(t.Span, "%s joined on unmerged behind the first one: consumers see %s and miss %s of the others; the linker does not know SFrame",
			rules.Count(p.count, "further SFrame section"), rules.Count(c.Section.NumFDEs(), "FDE"), rules.Count(p.fdes, "FDE"))
	}
})

// trailing returns what lies behind the last part of the section.
func trailing(c *rules.Context) (model.Gap, bool) {
	s := c.Section
	if !s.Version().Known() || !fdesFit(s) || !fresFit(s) {
		return model.Gap{}, false
	}
	end := max(s.FDESubsection().End(), s.FRESubsection().End(), s.HeaderEnd())
	if end >= s.Size() {
		return model.Gap{}, false
	}
	g := model.Gap{Span: model.Span{Off: end, Len: s.Size() - end}}
	for _, b := range s.Bytes(g.Span) {
		g.NonZero = g.NonZero || b != 0
	}
	return g, true
}

// joined counts what follows the first section of a concatenation.
type joined struct{ count, fdes int }

// pieces follows the headers in a run of bytes. Linkers that concatenate
// keep the sections' alignment, so up to 7 zero bytes may stand in front of
// each.
func pieces(c *rules.Context, sp model.Span) joined {
	data := c.SFrame.Data
	var p joined
	off := sp.Off
	for off < sp.End() {
		for pad := 0; pad < 7 && off < sp.End() && data[off] == 0; pad++ {
			off++
		}
		if off >= sp.End() || !hasMagic(data[off:]) {
			return p
		}
		s, _ := reader.DecodeSection(data[off:], reader.SectionOptions{})
		if s == nil || !s.Version().Known() || !fdesFit(s) || !fresFit(s) {
			return p
		}
		p.count++
		p.fdes += s.NumFDEs()
		off += max(s.FRESubsection().End(), s.FDESubsection().End(), s.HeaderEnd())
	}
	return p
}

func hasMagic(b []byte) bool {
	return len(b) >= model.HeaderSize && (b[0] == 0xe2 && b[1] == 0xde || b[0] == 0xde && b[1] == 0xe2)
}
