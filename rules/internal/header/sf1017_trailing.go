package header

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var TrailingZeros = rules.New(rules.Rule{
	ID:       "SF1017",
	Needs:    rules.FREsKnown,
	Requires: []*analysis.Analyzer{prereq.TailOf},
}, func(c *rules.Context) {
	if t := prereq.Get[prereq.Tail](c.Pass, prereq.TailOf); t.Len > 0 && !t.NonZero && !filledUp(c, t.Gap) && !ofSegment(c) {
		c.With(shrink(c, t.Off, true)).At(t.Span, "the section has %s after the last sub-section: a linker padded the section, or did not shrink it after merging", rules.Count(int(t.Len), "zero byte"))
	}
})

// ofSegment reports whether the data are those of PT_GNU_SFRAME, in a file without section headers. GNU ld
// makes the segment larger than the section.
func ofSegment(c *rules.Context) bool { return c.Object.ELF != nil && c.SFrame.Index == 0 }

// sectionAlign is what producers align an SFrame section to, in bytes.
const sectionAlign = 8

// filledUp reports whether trailing zeros only round a relocatable file's
// section up to its alignment, as gas does for s390x.
func filledUp(c *rules.Context, t model.Gap) bool {
	return c.Object.Relocatable() && t.Len < sectionAlign && c.Section.Size()%sectionAlign == 0
}

var TrailingData = rules.New(rules.Rule{
	ID:       "SF1018",
	Needs:    rules.FREsKnown,
	Requires: []*analysis.Analyzer{prereq.TailOf},
}, func(c *rules.Context) {
	if t := prereq.Get[prereq.Tail](c.Pass, prereq.TailOf); t.NonZero && len(t.Pieces) == 0 {
		c.With(shrink(c, t.Off, false)).At(t.Span, "the last sub-section ends at 0x%x, before %s of other data: sfh_fre_len (%d) is too small, or a linker left data of its inputs", t.Off, rules.Count(int(t.Len), "byte"), c.Section.Header().FRELen)
	}
})

// Unmerged returns the rule on concatenated sections. Merge, unless nil, returns the fix and help of its findings.
func Unmerged(merge func(*reader.Object, *reader.SFrame) []rules.Option) *rules.Rule {
	return rules.New(rules.Rule{ID: "SF1019", Requires: []*analysis.Analyzer{prereq.TailOf}}, func(c *rules.Context) { reportUnmerged(c, merge) })
}

func reportUnmerged(c *rules.Context, merge func(*reader.Object, *reader.SFrame) []rules.Option) {
	t := prereq.Get[prereq.Tail](c.Pass, prereq.TailOf)
	if len(t.Pieces) == 0 {
		return
	}
	also := ""
	if n := t.Starts(c.SFrame.Relocs); n > 0 {
		also = ", " + rules.Count(n, "relocation")
	}
	if merge != nil {
		c = c.With(merge(c.Object, c.SFrame)...)
	}
	c.At(t.Span, "the linker concatenated %d SFrame sections instead of merging them: consumers find the first section (%s) and miss the rest (%s)",
		len(t.Pieces)+1, rules.Count(c.Section.NumFDEs(), "function"), rules.Count(t.FDEs(), "function")+also)
}

// shrink returns the fix that ends the section at an offset. In an ELF file
// it changes the sizes in the headers and leaves the bytes where they are.
// It truncates a raw section that is not an archive member.
func shrink(c *rules.Context, end int64, safe bool) rules.Fix {
	fix := rules.Fix{Message: "end the section after the FRE sub-section", Safe: safe}
	e := c.Object.ELF
	if e == nil {
		if c.Object.Member == "" && c.Object.Foreign == "" {
			whole := model.Span{Off: end, Len: c.Section.Size() - end}
			fix.Edits = append(fix.Edits, rules.SectionEdit(c.SFrame, whole, nil))
		}
		return fix
	}
	sec, ok := e.SectionOf(c.SFrame)
	if !ok {
		return fix
	}
	put := func(header, field model.Span) {
		fix.Edits = append(fix.Edits, rules.SetELF(c.Object.ELF, elf64.In(header.Off, field), uint64(end)))
	}
	put(sec.Header, elf64.ShdrSizeField)
	for _, p := range e.Segments {
		if p.Type == reader.PT_GNU_SFRAME && p.Offset == sec.Offset && p.Filesz == sec.Size {
			put(p.Header, elf64.PhdrFilesz)
			put(p.Header, elf64.PhdrMemsz)
		}
	}
	return fix
}
