package model

import (
	"math/bits"
	"slices"
	"sync"
)

// Trait is a property of FDEs or FREs. A section has it if at least one of them does.
type Trait uint32

// Traits. If a section does not have a trait, a rule on this trait need not read its FDEs and FREs.
const (
	FirstRowLate    Trait = 1 << iota // a first FRE does not start at 0
	RowsUnordered                     // an FRE starts at or before the previous one
	RowBeyond                         // an FRE starts at or after the end of what its FDE covers
	RowsRepeat                        // an FRE has the content of the previous one
	RowMisaligned                     // an FRE does not start at an instruction address
	NoRows                            // an FDE claims no FREs
	RowsMissing                       // an FDE has fewer FREs than it claims
	StartsWide                        // an FRE type is wider than its FREs need
	EmptyFunction                     // a function has size 0
	PaddingUsed                       // V2: sfde_func_padding2 is not zero
	DataOverlaps                      // more than one FDE claims a byte of the FRE sub-section
	FunctionUnknown                   // a start is not resolved
	Masked                            // an FDE has PC type MASK

	numTraits = iota
)

// Survey summarizes the FDEs and FREs of a section, so rules test each distinct content only once: 800,000 FREs may
// have a few hundred. A reader records it, and it is immutable. It has only facts, no thresholds.
type Survey struct {
	section *Section
	traits  Trait
	lists   [numLists]list
	most    uint32
	places  *[numTraits]places
}

// SurveyList is a list of distinct contents in a survey.
type SurveyList uint8

const (
	RowList   SurveyList = iota // of all FREs
	FirstList                   // of the first FREs of functions
	KindList                    // of FDEs

	numLists = iota
)

// list has the first sighting of each content; not of all where it is partial.
type list struct {
	shapes  []shape
	partial bool

	once sync.Once // guards the handles into the section, which few need
	fres []FRE
	fdes []FDE
}

// NewSurvey returns the survey of a section that r recorded.
func NewSurvey(s *Section, r *Recorder) *Survey {
	v := &Survey{section: s, traits: r.Traits, most: r.MostRows, places: r.places}
	for i := range r.sets {
		v.lists[i].shapes, v.lists[i].partial = r.sets[i].list, r.sets[i].full
	}
	return v
}

// fres returns the FREs of a list as handles into the section.
func (v *Survey) fres(of SurveyList) []FRE {
	l := &v.lists[of]
	l.once.Do(func() {
		l.fres = make([]FRE, len(l.shapes))
		for i := range l.shapes {
			x := &l.shapes[i]
			l.fres[i] = v.section.FDE(int(x.fde)).FREAt(int(x.row), int64(x.at))
		}
	})
	return l.fres
}

// fdes returns the FDEs of KindList.
func (v *Survey) fdes() []FDE {
	l := &v.lists[KindList]
	l.once.Do(func() {
		for i := range l.shapes {
			l.fdes = append(l.fdes, v.section.FDE(int(l.shapes[i].fde)))
		}
	})
	return l.fdes
}

// Of reports whether v is a survey of section s.
func (v *Survey) Of(s *Section) bool { return v != nil && v.section == s }

// Has reports whether some FDE or FRE has any of the traits.
func (v *Survey) Has(t Trait) bool { return v.traits&t != 0 }

// MostFREs returns the largest number of FREs that an FDE claims.
func (v *Survey) MostFREs() uint32 { return v.most }

// FindRow returns the first FRE that satisfies bad. The function bad may use only the FRE's content: PC type, FDE
// type, info byte and data words.
func (v *Survey) FindRow(bad func(FRE) bool) (FRE, bool) {
	if !v.lists[RowList].partial {
		return find(v.fres(RowList), bad)
	}
	for f := range v.section.FDEs() {
		for r := range f.FREs() {
			if bad(r) {
				return r, true
			}
		}
	}
	return FRE{}, false
}

// FindKind returns the first FDE that satisfies bad, which may use only info, info2 and rep_size. It skips FDEs whose
// attribute (info, info2 and rep_size) is outside the section.
func (v *Survey) FindKind(bad func(FDE) bool) (FDE, bool) {
	if !v.lists[KindList].partial {
		return find(v.fdes(), bad)
	}
	for f := range v.section.FDEs() {
		if f.HasAttr() && bad(f) {
			return f, true
		}
	}
	return FDE{}, false
}

// AnyRow reports whether an FRE of the section may satisfy bad, which may use only the FRE's content. It also reports
// true if the section has too many distinct FREs for a list. No known program has so many.
func (v *Survey) AnyRow(bad func(FRE) bool) bool {
	return v.Any(RowList, bad)
}

// Any is AnyRow for one list of FREs.
func (v *Survey) Any(of SurveyList, bad func(FRE) bool) bool {
	return v.lists[of].partial || slices.ContainsFunc(v.fres(of), bad)
}

// AnyKind is AnyRow for FDEs. The function bad may use only info, info2 and rep_size.
func (v *Survey) AnyKind(bad func(FDE) bool) bool {
	return v.lists[KindList].partial || slices.ContainsFunc(v.fdes(), bad)
}

func find[T any](all []T, bad func(T) bool) (none T, ok bool) {
	if i := slices.IndexFunc(all, bad); i >= 0 {
		return all[i], true
	}
	return none, false
}

// Each calls yield for all FDEs that have a trait, and possibly for others. A survey lists a few thousand FDEs of
// each trait; with more, Each visits all FDEs.
func (v *Survey) Each(t Trait, yield func(FDE)) {
	if v.traits&t == 0 {
		return
	}
	if v.places != nil {
		if p := &v.places[bits.TrailingZeros32(uint32(t))]; !p.more && len(p.fdes) > 0 {
			for _, i := range p.fdes {
				yield(v.section.FDE(int(i)))
			}
			return
		}
	}
	for f := range v.section.FDEs() {
		yield(f)
	}
}

// EachMask calls yield for the FDEs of PC type MASK.
func (v *Survey) EachMask(yield func(FDE)) {
	v.Each(Masked, func(f FDE) {
		if f.HasAttr() && f.PCType() == SFRAME_FDE_PCTYPE_MASK {
			yield(f)
		}
	})
}

// Distinct returns one FRE, one first FRE of a function, and one FDE for each distinct content. They are in the order
// of the section. If complete is false, some are missing.
func (v *Survey) Distinct() (rows, firsts []FRE, kinds []FDE, complete bool) {
	complete = true
	for i := range v.lists {
		complete = complete && !v.lists[i].partial
	}
	return slices.Clone(v.fres(RowList)), slices.Clone(v.fres(FirstList)), slices.Clone(v.fdes()), complete
}
