package rules

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/internal/survey"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Signs are properties of a section or object that need attention. A rule with
// [Rule.Signs] finds nothing where none of them holds.
type Signs uint64

// The lower half of the bits are the traits of package survey: Signs(survey.NoRows) is
// the sign that an FDE has no FREs.
const (
	Faulty       Signs = 1 << (32 + iota) // the reader has found faults in the section
	FaultyObject                          // the same in its object
	// OddHeader: a field of the header is not as the ABI and the layout of the section
	// require, or the byte order or the ABI is not that of the ELF file.
	OddHeader
	OddSection   // the section header is not that of an allocated section aligned to 8 bytes
	Tailed       // bytes follow the last sub-section
	Gaps         // bytes belong to no header, FDE or FRE
	Entangled    // functions are not in order or share bytes, or their order is not known
	OddRelocs    // the relocations are not one for each FDE, in the order of the FDEs
	OddKinds     // the info bytes of an FDE may be bad: one that c.FDEs is asked about
	OddRows      // the same of the contents of an FRE and c.Rows or c.AnyRow
	OddFirstRows // and of FREs that open a function and c.AnyFirstRow
	OddLastRows  // and of those that end one and c.AnyLastRow
	InLinkedFile // the file is not relocatable

	allSigns = ^Signs(0)
	// doubts are the signs without which all facts but StartsAsFlagged are known.
	doubts = Faulty | FaultyObject | OddHeader | Tailed | Gaps | OddRelocs
	// contents are the signs that a memory of contents rules out.
	contents = OddKinds | OddRows | OddFirstRows | OddLastRows
)

// signsOf returns the signs of a section; the contents are in doubt.
func signsOf(o *reader.Object, f *reader.SFrame) Signs {
	if f.Section == nil {
		return allSigns
	}
	s, e, v := f.Section, o.ELF, f.Survey()
	signs := Signs(v.Traits()) | contents | signsOfContainer(o)
	set := func(sign Signs, holds bool) {
		if holds {
			signs |= sign
		}
	}
	set(Faulty, len(f.Faults) > 0)
	set(OddHeader, oddHeader(s, e))
	set(Tailed, max(s.FDESubsection().End(), s.FRESubsection().End(), s.HeaderEnd()) < s.Size())
	set(Gaps, s.HasGaps())
	set(Entangled, !prereq.Distinct(s) || unplaced(o, s))
	set(OddSection, e != nil && oddSection(e, f))
	set(OddRelocs, e != nil && e.Relocatable() && oddRelocs(f, v))
	return signs
}

// signsOfContainer returns the signs of an object besides its sections.
func signsOfContainer(o *reader.Object) (signs Signs) {
	if len(o.Faults) > 0 {
		signs |= FaultyObject
	}
	if o.ELF != nil && !o.ELF.Relocatable() {
		signs |= InLinkedFile
	}
	return signs
}

// signsOfObject returns the signs of an object as a whole: it is Faulty if a section is.
func signsOfObject(o *reader.Object) Signs {
	signs := signsOfContainer(o)
	for _, f := range o.SFrames {
		if len(f.Faults) > 0 {
			signs |= Faulty
		}
	}
	return signs
}

func oddHeader(s *model.Section, e *reader.ELF) bool {
	h, abi := s.Header(), s.ABI()
	fdes, fres := s.FDESubsection(), s.FRESubsection()
	switch {
	case !h.Version.Known() || h.Flags&^model.DefinedFlags(h.Version) != 0 || !abi.InVersion(h.Version),
		abi.Big != s.BigEndian() || h.FixedRAOffset != abi.FixedRA || h.FixedFPOffset != abi.FixedFP,
		h.AuxLen != 0 || h.FDEOff != 0 || fres.Off != fdes.End() || fres.End() > s.Size(),
		h.NumFDEs == 0 || s.NumFDEs() != int(h.NumFDEs) || s.ClaimedFREs() != uint64(h.NumFREs):
		return true
	case e == nil:
		return false
	}
	return e.Machine != abi.Machine || e.Order == nil || e.BigEndian() != s.BigEndian() || e.Relocatable() && prereq.Sorted(s)
}

func oddSection(e *reader.ELF, f *reader.SFrame) bool {
	s, ok := e.SectionOf(f)
	return !ok || s.Type != reader.SHT_GNU_SFRAME || s.Flags != elf.SHF_ALLOC || s.AddrAlign != 8 || s.Addr%8 != 0 || s.Size == 0
}

func oddRelocs(f *reader.SFrame, v *survey.Survey) bool {
	if len(f.Relocs) != f.Section.NumFDEs() || v.Has(survey.FunctionUnknown) {
		return true
	}
	at, size := f.Section.FDESubsection().Off, int64(model.FDESize(f.Section.Version()))
	for i := range f.Relocs {
		if f.Relocs[i].Offset != at {
			return true
		}
		at += size
	}
	return false
}

// unplaced reports whether the address of a raw section is not known.
func unplaced(o *reader.Object, s *model.Section) bool { return o.ELF == nil && s.Addr() == 0 }
