package testkit

import (
	"cmp"
	"iter"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// Part is the part of a section to which a byte belongs.
type Part uint8

// The parts of a section.
const (
	Header Part = iota
	Aux
	FDE
	Attr
	FRE
	Padding // zero bytes outside all other parts
	Unknown // other bytes outside all other parts
)

var partNames = [...]string{"header", "auxiliary header", "FDE", "FDE attribute", "FRE", "padding", "unknown"}

func (k Part) String() string { return partNames[k] }

// Region is a run of bytes that belong to one part.
type Region struct {
	model.Span
	Kind Part
	FDE  int // index of the FDE, or -1
	FRE  int // index of the FRE in the FDE, or -1
}

// Regions yields regions that cover each byte of the section once, in order. A byte in two parts belongs to the part
// that starts first. Regions allocates memory for each FDE and FRE.
func Regions(s *model.Section) iter.Seq[Region] {
	return func(yield func(Region) bool) {
		all := claims(s)
		for _, g := range s.Gaps() {
			kind := Padding
			if g.NonZero {
				kind = Unknown
			}
			all = append(all, Region{g.Span, kind, -1, -1})
		}
		slices.SortStableFunc(all, byOffset)
		end := int64(0)
		for _, r := range all {
			if r.End() <= end {
				continue
			}
			r.Span = model.Span{Off: max(r.Off, end), Len: r.End() - max(r.Off, end)}
			end = r.End()
			if !yield(r) {
				return
			}
		}
	}
}

func byOffset(a, b Region) int { return cmp.Compare(a.Off, b.Off) }

// claims lists what the parts of the section claim.
func claims(s *model.Section) []Region {
	out := make([]Region, 0, 2+2*s.NumFDEs()+s.NumFREs())
	add := func(sp model.Span, k Part, fde, fre int) {
		if sp = sp.Clip(s.Size()); sp.Len > 0 {
			out = append(out, Region{sp, k, fde, fre})
		}
	}
	add(s.HeaderSpan(), Header, -1, -1)
	add(s.AuxSpan(), Aux, -1, -1)
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		add(f.Span(), FDE, i, -1)
		add(f.AttrSpan(), Attr, i, -1)
		for r := range f.FREs() {
			add(r.Span(), FRE, i, r.Index())
		}
	}
	return out
}
