package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// TrailingZeros finds zero bytes after the FRE sub-section.
var TrailingZeros = rules.New(rules.Rule{
	ID:       "SF1017",
	Title:    "trailing zero bytes",
	Clause:   "SFrame Header",
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Warning,
	Text: `The FRE sub-section is the last part of the section. Zero bytes after it come
from a linker that merges its inputs without shrinking the section, or that pads it.
libsframe accepts them, but they cost memory at run time. The rule ignores the bytes
that an assembler adds to round the section of a relocatable file up to its alignment.`,
	Fix:  `Set the size of the section to the end of the FRE sub-section.`,
	Good: `sh_size = 0xa9, the FREs end at 0xa9`,
	Bad:  `sh_size = 0xb0, the FREs end at 0xa9, 7 zero bytes follow`,
}, func(c *rules.Context) {
	if t, ok := trailing(c); ok && !t.NonZero && !filledUp(c, t) {
		c.WithFix(shrink(c, t.Off, true)).At(t.Span, "%s after the last sub-section: a linker did not shrink the section after merging, or padded it", rules.Count(int(t.Len), "zero byte"))
	}
})

// sectionAlign is what producers align an SFrame section to, in bytes.
const sectionAlign = 8

// filledUp reports whether trailing zeros only round a relocatable file's
// section up to its alignment, as gas does for s390x.
func filledUp(c *rules.Context, t model.Gap) bool {
	return c.Relocatable() && t.Len < sectionAlign && c.Section.Size()%sectionAlign == 0
}

// TrailingData finds bytes after the FRE sub-section that are not zero.
var TrailingData = rules.New(rules.Rule{
	ID:       "SF1018",
	Title:    "trailing data",
	Clause:   "SFrame Header",
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Error,
	Text: `The FRE sub-section is the last part of the section. No consumer reads the
bytes after it. If they are not zero, they are FREs that a wrong sfh_fre_len cuts off,
or remains of a linker's inputs. libsframe rejects such a section when it has to swap
its byte order.`,
	Fix:  `Correct sfh_fre_len or sfh_freoff. If the bytes are a linker's remains, shrink the section.`,
	Good: `sh_size = 0xa9, the FREs end at 0xa9`,
	Bad:  `sh_size = 0xa9, the FREs end at 0x9f`,
	Bugs: []string{"binutils ld 2.40 -r"},
}, func(c *rules.Context) {
	if t, ok := trailing(c); ok && t.NonZero && pieces(c, t.Span).count == 0 {
		c.WithFix(shrink(c, t.Off, false)).At(t.Span, "%s, not all zero, after the last sub-section, which ends at 0x%x: sfh_fre_len %d is too small, or a linker left remains of its inputs", rules.Count(int(t.Len), "byte"), t.Off, c.Section.Header().FRELen)
	}
})

// Unmerged finds sections that a linker has concatenated.
var Unmerged = rules.New(rules.Rule{
	ID:       "SF1019",
	Title:    "unmerged concatenation",
	Clause:   "SFrame Section",
	Severity: rules.Error,
	Text: `A linker without SFrame support concatenates the sections of its inputs, each
with its own header. A consumer reads the first header and finds the functions of the
first input; it misses all others without an error. If SORTED is set, it holds for the
first piece only. lld and gold concatenate, and so did mold before 2.42.`,
	Fix:  `Use a linker that merges SFrame sections: GNU ld, or mold 3 or later.`,
	Good: `one header, sfh_num_fdes = 690`,
	Bad:  `a header with sfh_num_fdes = 84; after its FREs the next header`,
	Bugs: []string{"https://github.com/rui314/mold/issues/1511", "https://github.com/davidlattimore/wild/issues/1576"},
}, func(c *rules.Context) {
	t, ok := trailing(c)
	if !ok || !t.NonZero {
		return
	}
	if p := pieces(c, t.Span); p.count > 0 {
		c.At(t.Span, "%s concatenated after the first one: consumers find %s and miss %s of the others; link with a linker that merges SFrame sections",
			rules.Count(p.count, "further SFrame section"), rules.Count(c.Section.NumFDEs(), "FDE"), rules.Count(p.fdes, "FDE"))
	}
})

// trailing returns the bytes after the last part of the section.
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

// joined counts the sections and FDEs after the first of a concatenation.
type joined struct{ count, fdes int }

// pieces follows the headers in a run of bytes. Linkers that concatenate
// keep the alignment of sections, so up to 7 zero bytes may precede each.
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
