package header

import (
	"github.com/sframe-lint/sframe-lint/internal/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// shrink returns the fix that ends the section at an offset. In an ELF file
// it changes the sizes in the headers and leaves the bytes where they are.
// It truncates a raw section that is not an archive member.
func shrink(c *rules.Context, end int64, safe bool) rules.Fix {
	fix := rules.Fix{Message: "end the section after the FRE sub-section", Safe: safe}
	e := c.Object.ELF
	if e == nil {
		if c.Object.Member == "" {
			whole := model.Span{Off: end, Len: c.Section.Size() - end}
			fix.Edits = append(fix.Edits, c.SectionEdit(whole, nil))
		}
		return fix
	}
	sec, ok := e.SectionOf(c.SFrame)
	if !ok {
		return fix
	}
	put := func(header, field model.Span, v uint64) {
		b := make([]byte, 8)
		e.Order.PutUint64(b, v)
		fix.Edits = append(fix.Edits, rules.Edit{Span: elf64.In(header.Off, field), New: b})
	}
	put(sec.Header, elf64.ShdrSizeField, uint64(end))
	for _, p := range e.Segments {
		if p.Type == reader.PT_GNU_SFRAME && p.Offset == sec.Offset && p.Filesz == sec.Size {
			put(p.Header, elf64.PhdrFilesz, uint64(end))
			put(p.Header, elf64.PhdrMemsz, uint64(end))
		}
	}
	return fix
}
