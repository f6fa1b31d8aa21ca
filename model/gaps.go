package model

import (
	"cmp"
	"slices"
)

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
