package lint

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Facts are what an ELF file shows of where it comes from, and the sizes to compare its SFrame data with.
type Facts struct {
	BuildID  string   `json:"build_id,omitempty"` // in hexadecimal
	Linked   bool     `json:"linked,omitempty"`   // an executable or a shared object
	Producer string   `json:"producer,omitempty"` // of the sections, with the versions that write such ones
	Comments []string `json:"comments,omitempty"` // the texts of .comment, which compilers and linkers write
	EHFrame  int64    `json:"eh_frame_bytes"`     // of .eh_frame and .eh_frame_hdr
	Code     int64    `json:"code_bytes"`         // of executable sections
}

// maxComments is the number of bytes of .comment that are kept. factsCost is about what facts need in memory.
const (
	maxComments = 4 << 10
	factsCost   = maxComments + 1<<10
)

// factsOf returns the facts of an object, nil for one that is not an ELF file.
func factsOf(o *reader.Object) *Facts {
	if o.ELF == nil {
		return nil
	}
	f := &Facts{Linked: !o.ELF.Relocatable()}
	if id, err := o.BuildID(); err == nil && len(id) > 0 {
		f.BuildID = fmt.Sprintf("%x", id)
	}
	if look := producers.Of(o); look != nil {
		f.Producer = producers.Writing(look)
	}
	const nobits, executable = 8, 4
	for i := range o.ELF.Sections {
		s := &o.ELF.Sections[i]
		switch {
		case s.Type == nobits:
		case s.Flags&executable != 0:
			f.Code += int64(s.Size)
		case s.Name == ".eh_frame", s.Name == ".eh_frame_hdr":
			f.EHFrame += int64(s.Size)
		case s.Name == ".comment":
			if b, err := o.ELF.SectionPart(i, 0, maxComments, nil); err == nil {
				f.Comments = strings.FieldsFunc(string(b), func(r rune) bool { return r == 0 })
			}
		}
	}
	return f
}
