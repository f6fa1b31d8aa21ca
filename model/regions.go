package model

import (
	"cmp"
	"iter"
	"slices"
)

// RegionKind is what a byte of the section belongs to.
type RegionKind uint8

// Kinds of region.
const (
	RegionHeader RegionKind = iota
	RegionAux
	RegionFDE
	RegionAttr
	RegionFRE
	RegionPadding // zero bytes that belong to nothing
	RegionUnknown // other bytes that belong to nothing
)

var regionNames = [...]string{"header", "auxiliary header", "FDE", "FDE attribute", "FRE", "padding", "unknown"}

func (k RegionKind) String() string { return regionNames[k] }

// Region is a run of bytes with one owner.
type Region struct {
	Span
	Kind RegionKind
	FDE  int // index of the owner, -1 for none
	FRE  int // index in the FDE, -1 for none
}

// Regions yields regions that cover each byte of the section once, by offset. A
// byte that two parts claim belongs to the one that starts first. Regions needs
// memory for every FDE and FRE.
func (s *Section) Regions() iter.Seq[Region] {
	return func(yield func(Region) bool) {
		all := s.claims()
		for _, g := range s.gaps {
			kind := RegionPadding
			if g.NonZero {
				kind = RegionUnknown
			}
			all = append(all, Region{g.Span, kind, -1, -1})
		}
		slices.SortStableFunc(all, byOffset)
		end := int64(0)
		for _, r := range all {
			if r.End() <= end {
				continue
			}
			r.Span = Span{max(r.Off, end), r.End() - max(r.Off, end)}
			end = r.End()
			if !yield(r) {
				return
			}
		}
	}
}

func byOffset(a, b Region) int { return cmp.Compare(a.Off, b.Off) }

// claims lists what the parts of the section claim.
func (s *Section) claims() []Region {
	out := make([]Region, 0, 2+2*s.NumFDEs()+s.NumFREs())
	add := func(sp Span, k RegionKind, fde, fre int) {
		if sp = sp.Clip(s.Size()); sp.Len > 0 {
			out = append(out, Region{sp, k, fde, fre})
		}
	}
	add(s.HeaderSpan(), RegionHeader, -1, -1)
	add(s.AuxSpan(), RegionAux, -1, -1)
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		add(f.Span(), RegionFDE, i, -1)
		add(f.AttrSpan(), RegionAttr, i, -1)
		for r := range f.FREs() {
			add(r.Span(), RegionFRE, i, r.Index())
		}
	}
	return out
}

// findGaps returns the runs of bytes that no part of the section claims. runs
// are what the FDEs claim of the FRE sub-section.
func findGaps(s *Section, runs []Span) []Gap {
	claimed := make([]Span, 0, len(runs)+4)
	claimed = append(claimed, s.HeaderSpan(), s.AuxSpan(), Span{s.fdes.off, int64(s.NumFDEs() * s.format.FDESize)})
	for _, r := range runs {
		claimed = append(claimed, Span{s.fres.off + r.Off, r.Len}.Clip(s.Size()))
	}
	slices.SortStableFunc(claimed, func(a, b Span) int { return cmp.Compare(a.Off, b.Off) })
	var gaps []Gap
	end := int64(0)
	for _, r := range append(claimed, Span{s.Size(), 0}) {
		if r.Off > end {
			gaps = append(gaps, Gap{Span{end, r.Off - end}, !allZero(s.data[end:r.Off])})
		}
		end = max(end, r.End())
	}
	return gaps
}

func allZero(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c != 0 })
}
