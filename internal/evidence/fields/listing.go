// Package fields says which bytes of a section, or of the ELF file and archive around it, are which field. It lists
// the fields of the structure that a place lies in. It reads, and never judges.
package fields

import (
	"bytes"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Region is where fields are wanted: bytes of a section, with the FDE and FRE that they belong to or -1, or bytes of
// the object if the section is nil.
type Region struct {
	Section  *reader.SFrame
	Span     model.Span
	FDE, FRE int
}

// maxPlain is the number of bytes without fields that are shown.
const maxPlain = 64

// Of returns the fields of the structure that a place begins in, and what it is. read returns the bytes of a span
// of the object, as many as there are. What Of needs does not depend on the size of the input, except that it looks
// at each section header, and at the FREs of one function.
func Of(o *reader.Object, at Region, read func(model.Span) []byte) (title string, all []model.Field) {
	if sf := at.Section; sf != nil {
		read = func(sp model.Span) []byte {
			sp = sp.Clip(int64(len(sf.Data)))
			return sf.Data[sp.Off:sp.End()]
		}
		title, all = inSection(&at)
	} else {
		title, all = inFile(read, o, at.Span)
	}
	for i := range all {
		all[i].Bytes = bytes.Clone(read(all[i].Span))
	}
	return title, slices.DeleteFunc(all, func(x model.Field) bool { return len(x.Bytes) == 0 })
}

// plain is a run of bytes without fields.
func plain(sp model.Span) []model.Field {
	sp.Len = min(max(sp.Len, 1), maxPlain)
	return []model.Field{{Span: sp}}
}
