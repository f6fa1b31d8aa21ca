package dump

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// relocated finds the function starts that objdump prints.
type relocated struct {
	hdr      model.Header
	addr     uint64           // of the section
	apply    bool             // apply relocations
	sections []reader.Section // of the ELF file
}

func newRelocated(o *reader.Object, s *reader.SFrame) *relocated {
	r := &relocated{hdr: s.Section.Header(), addr: s.Section.Addr()}
	if o != nil && o.ELF != nil && o.ELF.Type == elf.ET_REL {
		r.sections = o.ELF.Sections
		r.apply = r.hdr.Version != model.SFRAME_VERSION_1
	}
	return r
}

// of returns the start of a function: the value of the field after relocation,
// relative to the field or the section according to the flag.
func (r *relocated) of(f model.FDE) uint64 {
	field := uint64(f.RawStart())
	if r.apply && f.Resolved() {
		field = f.Start() - r.addr - uint64(f.Span().Off) // the start field is the entry's first
		if p := f.Place(); p > 0 && p < len(r.sections) {
			field += r.sections[p].Addr
		}
	}
	if r.hdr.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0 {
		// The field's place according to 2.47, which ignores sfh_fdeoff.
		field += uint64(f.Section().HeaderEnd()) + uint64(f.Index()*model.FDESize(r.hdr.Version))
	}
	return r.addr + field
}
