package container

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// relocClause is the chapter of the manual that defines start fields.
const relocClause = "SFrame FDE"

// target is what a relocation of a .sframe section applies to.
type target struct {
	fde   int  // the FDE it lies in, -1 for none
	start bool // it is the start field
}

// array returns the FDEs as a run of bytes: the offset of the first, the
// bytes of one and their number.
func array(c *rules.Context) (off, size int64, n int) {
	s := c.Section
	return s.FDESubsection().Off, int64(model.FDESize(s.Version())), s.NumFDEs()
}

// regular reports whether every FDE has its relocation and there are no
// others, as in all valid objects: the reader resolves a start if it has
// exactly one relocation of the right type.
func regular(c *rules.Context) bool {
	return !c.Survey().Has(model.FunctionUnknown) && len(c.SFrame.Relocs) <= c.Section.NumFDEs()
}

// eachReloc calls yield for the relocations of a section, in the order of
// the file, with their targets.
func eachReloc(c *rules.Context, yield func(r *reader.Reloc, to target)) {
	off, size, n := array(c)
	for i := range c.SFrame.Relocs {
		r := &c.SFrame.Relocs[i]
		to := target{fde: -1}
		if at := r.Offset - off; at >= 0 && at/size < int64(n) {
			to.fde, to.start = int(at/size), at%size == 0
		}
		yield(r, to)
	}
}

// irregular is eachReloc for a section with irregular relocations.
func irregular(c *rules.Context, yield func(r *reader.Reloc, to target)) {
	if !regular(c) {
		eachReloc(c, yield)
	}
}

// live reports whether the relocation has an effect.
func live(c *rules.Context, r *reader.Reloc) bool {
	return !c.Object.ELF.ABI().NoEffect(r.Type)
}

// relocName returns the name of a relocation type.
func relocName(c *rules.Context, typ uint32) string {
	return c.Object.ELF.ABI().RelocName(typ)
}

// startField returns the name of the start field.
func startField(c *rules.Context) string {
	return model.FieldName(c.Section.Version(), model.FDEStart)
}
