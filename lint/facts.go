package lint

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/fields"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// maxListings is the maximum number of listings of a file. In each object, the first finding of each
// rule comes first, then the most severe findings.
const maxListings = 256

// addListings adds the listings and frames of findings, while the object is visited. They need less than one
// percent of the default budget, and are left out if the file has spent half of it.
func (c *check) addListings(o *reader.Object, findings []rules.Finding) {
	first := map[string]bool{}
	for i := range findings {
		if f := &findings[i]; !first[f.Rule.ID] {
			first[f.Rule.ID] = true
			c.list(o, f)
		}
	}
	for s := rules.Error; s > rules.Off; s-- {
		for i := range findings {
			if f := &findings[i]; f.Severity == s {
				c.list(o, f)
			}
		}
	}
}

// list adds the listing of a finding and, if it is about an FRE, what that says.
func (c *check) list(o *reader.Object, f *rules.Finding) {
	if f.Listing != nil || c.listed == maxListings || !f.InSection && f.Span == (model.Span{}) {
		return
	}
	n := listingCost + frameCost
	if room := c.budget.Room(budget.Memory); room < n || room < c.budget.Limit(budget.Memory)/2 || !c.hold(n) {
		return
	}
	c.listed++
	f.Listing = ListingOf(o, f)
	if sf := sectionOf(o, f); f.Frame == nil && sf != nil && sf.Section != nil && sf.Section.ABI().Known() && f.FDE >= 0 && f.FRE >= 0 {
		if fde := sf.Section.FDE(f.FDE); f.FRE < fde.NumFREs() {
			f.Frame = &rules.Frame{ABI: sf.Section.ABI().ID, PC: f.PC, Sides: []rules.Side{rules.FrameOf(fde.FRE(f.FRE))}}
		}
	}
}

// ListingOf returns the fields around a finding, while the object is visited.
func ListingOf(o *reader.Object, f *rules.Finding) *rules.Listing {
	l := &rules.Listing{Mark: f.Span}
	at := fields.Region{Section: sectionOf(o, f), Span: f.Span, FDE: f.FDE, FRE: f.FRE}
	l.Title, l.Fields = fields.Of(o, at, func(sp model.Span) []byte {
		b := make([]byte, sp.Clip(o.Size).Len)
		n, _ := io.ReadFull(o.Reader(sp), b)
		return b[:n]
	})
	return l
}

// About the bytes of a frame and of a listing in memory: those of the longest structure, which has 14 fields.
var (
	frameCost   = int64(reflect.TypeFor[rules.Frame]().Size() + reflect.TypeFor[rules.Side]().Size())
	listingCost = int64(reflect.TypeFor[rules.Listing]().Size() + 14*(reflect.TypeFor[model.Field]().Size()+16))
)

// sectionOf returns the section that a finding is in, nil for none.
func sectionOf(o *reader.Object, f *rules.Finding) *reader.SFrame {
	for _, sf := range o.SFrames {
		if f.InSection && sf.Index == f.SectionIndex && o.Base+sf.Offset+f.Span.Off == f.FileOffset {
			return sf
		}
	}
	return nil
}

// Facts describe the origin of an ELF file, and the sizes of sections to compare its SFrame data with.
type Facts struct {
	BuildID  string   `json:"build_id,omitempty"` // in hexadecimal
	Linked   bool     `json:"linked,omitempty"`   // an executable or a shared object
	Producer string   `json:"producer,omitempty"` // producer of the sections, with the versions that write such sections
	Comments []string `json:"comments,omitempty"` // the texts of .comment, which compilers and linkers write
	EHFrame  int64    `json:"eh_frame_bytes"`     // bytes of .eh_frame and .eh_frame_hdr
	Code     int64    `json:"code_bytes"`         // bytes of executable sections
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
