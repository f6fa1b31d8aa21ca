package model

import (
	"cmp"
	"iter"
	"slices"
)

// RegionKind says what a byte of the section belongs to.
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
	FDE  int // index of the owner, -1 where there is none
	FRE  int // index in the FDE, -1 where there is none
}

// Regions yields the whole section in order and without overlap, every byte
// accounted for. A byte that two nodes claim goes to the one that starts
// first. It costs memory for every FDE and FRE.
func (s *Section) Regions() iter.Seq[Region] {
	return func(yield func(Region) bool) {
		all := s.claims(true)
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

// claims lists what the parts of the section claim. Without rows, the FREs
// of an FDE are one claim, which is all that finding gaps needs.
func (s *Section) claims(rows bool) []Region {
	n := 2 + 3*s.NumFDEs()
	if rows {
		n += s.NumFREs()
	}
	out := make([]Region, 0, n)
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
		if !rows {
			add(f.FRESpan(), RegionFRE, i, -1)
			continue
		}
		for r := range f.FREs() {
			add(r.Span(), RegionFRE, i, r.Index())
		}
	}
	return out
}

// findGaps lists the runs of bytes that no part of the section claims.
// dataEnd is where the rows end in the FRE sub-section of a section that is
// laid out as every producer does it: that one needs no sorting of claims.
func findGaps(s *Section, dataEnd int64) []Gap {
	var gaps []Gap
	end := int64(0)
	note := func(to int64) {
		if to > end {
			gaps = append(gaps, Gap{Span{end, to - end}, !allZero(s.data[end:to])})
		}
	}
	if s.dense() {
		end = s.fres.off + dataEnd
		note(s.Size())
		return gaps
	}
	all := s.claims(false)
	slices.SortStableFunc(all, byOffset)
	for _, r := range all {
		note(r.Off)
		end = max(end, r.End())
	}
	note(s.Size())
	return gaps
}

// dense tells whether header, FDEs and rows follow one another without gap.
func (s *Section) dense() bool {
	fdes, fres := s.FDESubsection(), s.FRESubsection()
	return s.survey.traits&(DataScattered|RowsMissing) == 0 && len(s.data) >= HeaderSize &&
		s.header.Version.Known() && fdes.Off == s.HeaderEnd() && fres.Off == fdes.End() &&
		fdes.End() <= s.Size() && s.NumFDEs() == int(s.header.NumFDEs)
}

func allZero(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c != 0 })
}
