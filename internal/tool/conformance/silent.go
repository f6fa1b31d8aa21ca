package conformance

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// Silent returns, for each member of an answer about a section, the points of docs/conformance.md on which it relies
// and the manual is silent. The member "error" stands for a refusal.
func Silent(s *model.Section) map[string][]string {
	all := map[string][]string{}
	add := func(point string, members ...string) {
		for _, m := range members {
			if !slices.Contains(all[m], point) {
				all[m] = append(all[m], point)
			}
		}
	}
	abi := s.ABI()
	for f := range s.FDEs() {
		if f.Size() > 0 && f.End() <= f.Start() {
			add("end-of-addresses", "function", "row")
		}
		if f.ClaimedFREs() == 0 && f.FREType().Width() == 0 {
			add("fre-type-without-fres", "error")
		}
		for r := range f.FREs() {
			flexible, n := f.Flex(), r.NumWords()
			switch {
			case n == 0:
				continue
			case flexible:
				add("control-words", "cfa", "ra", "fp")
				if abi.CFAScale != 1 {
					add("flexible-cfa-of-s390x", "cfa")
				}
			default:
				add("base-register", "cfa")
				if abi.LSBRegs && s.Version() > model.SFRAME_VERSION_2 {
					add("odd-words", "ra", "fp")
				}
				if n > 3 || n > 2 && !abi.TracksRA() {
					add("extra-words", "error", "rows", "start", "cfa", "ra", "fp")
				}
			}
			if s.Header().FixedFPOffset != 0 {
				add("fixed-offset-of-fp", "fp")
			}
		}
	}
	return all
}
