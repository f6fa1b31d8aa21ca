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

// owned is a run of bytes that a part of the section claims.
type owned struct {
	Region
	rank int // claims are settled in this order at equal offsets
}

// Regions yields the whole section, byte by byte accounted for, in order and
// without overlap. A byte that two nodes claim goes to the one that starts
// first.
func (s *Section) Regions() iter.Seq[Region] {
	return func(yield func(Region) bool) {
		all := s.claims(true)
		for _, g := range s.gaps {
			kind := RegionPadding
			if g.NonZero {
				kind = RegionUnknown
			}
			all = append(all, owned{Region{g.Span, kind, -1, -1}, len(all)})
		}
		slices.SortFunc(all, byPlace)
		end := int64(0)
		for _, o := range all {
			r := o.Region
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

func byPlace(a, b owned) int {
	return cmp.Or(cmp.Compare(a.Off, b.Off), cmp.Compare(a.rank, b.rank))
}

// claims lists what the parts of the section claim, in order. With rows off
// the FREs of an FDE are one claim, which is all that finding gaps needs.
func (s *Section) claims(rows bool) []owned {
	n := 2 + 2*len(s.fdes)
	if rows {
		n += len(s.fres)
	}
	out := make([]owned, 0, n)
	add := func(sp Span, k RegionKind, fde, fre int) {
		if sp = sp.Clip(s.size); sp.Len > 0 {
			out = append(out, owned{Region{sp, k, fde, fre}, len(out)})
		}
	}
	add(s.HeaderSpan(), RegionHeader, -1, -1)
	add(s.AuxSpan(), RegionAux, -1, -1)
	for i := range s.fdes {
		add(s.FDE(i).Span(), RegionFDE, i, -1)
	}
	seen := 0
	for i := range s.fdes {
		f := s.FDE(i)
		if f.rec.state&fdeHasAttr != 0 && s.header.Version == SFRAME_VERSION_3 {
			add(f.AttrSpan(), RegionAttr, i, -1)
		}
		if !rows {
			add(f.FRESpan(), RegionFRE, i, -1)
			continue
		}
		// Rows that an earlier FDE has claimed are not listed again: a
		// hostile file can share a million rows among a million FDEs.
		for j := range f.NumFREs() {
			if g := int(f.rec.firstFRE) + j; g >= seen {
				add(f.FRE(j).Span(), RegionFRE, i, j)
				seen = g + 1
			}
		}
	}
	if !slices.IsSortedFunc(out, byPlace) {
		slices.SortFunc(out, byPlace)
	}
	return out
}

// findGaps lists the runs of bytes that no part of the section claims.
func findGaps(s *Section, data []byte) []Gap {
	var gaps []Gap
	end := int64(0)
	note := func(to int64) {
		if to <= end {
			return
		}
		g := Gap{Span: Span{end, to - end}}
		if to <= int64(len(data)) {
			g.NonZero = slices.ContainsFunc(data[end:to], func(c byte) bool { return c != 0 })
		}
		gaps = append(gaps, g)
	}
	if s.dense(&end) {
		note(s.size)
		return gaps
	}
	for _, o := range s.claims(false) {
		note(o.Off)
		end = max(end, o.End())
	}
	note(s.size)
	return gaps
}

// dense tells whether the parts follow one another without a gap, as every
// producer lays them out, and sets end to where they end. It spares the
// common section the sorting of all claims.
func (s *Section) dense(end *int64) bool {
	fdes, fres := s.FDESubsection(), s.FRESubsection()
	if fdes.Off != s.HeaderEnd() || fres.Off != fdes.End() || fdes.End() > s.size ||
		len(s.fdes) != int(s.header.NumFDEs) {
		return false
	}
	at := fres.Off
	for i := range s.fdes {
		d := s.FDE(i).DataSpan()
		if d.Off != at || !s.FDE(i).HasAttr() {
			return false
		}
		at = d.End()
	}
	*end = at
	return at <= s.size
}
