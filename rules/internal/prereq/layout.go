package prereq

import (
	"fmt"
	"slices"
	"sort"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Doubt is the reason why a fact is unknown, with the rules that report it. nil means that the fact is known.
type Doubt struct {
	Reason string
	Causes []string
}

func doubt(causes []string, format string, args ...any) *Doubt {
	return &Doubt{fmt.Sprintf(format, args...), causes}
}

// Layout says which parts of the section were found where the header says.
type Layout struct {
	FDEs *Doubt // nil: the decoded FDEs are FDEs
	FREs *Doubt // nil: their attributes and FREs are, too
	All  *Doubt // nil: no FDE is missing
}

// LayoutOf gives a rule the Layout of its section.
var LayoutOf = OfSection("layout", "whether the header points to the FDEs and FREs", func(pass *analysis.Pass) Layout {
	_, sf := Input(pass)
	return LayoutIn(sf.Section)
})

// LayoutIn judges the layout of a section. It accepts offsets and counts that fit the section and omit nothing.
// Otherwise it accepts them if most decoded functions make sense, which is no accident.
func LayoutIn(s *model.Section) Layout {
	none := func(d *Doubt) Layout { return Layout{d, d, d} }
	fdes, fres := s.FDESubsection(), s.FRESubsection()
	switch {
	case !s.Version().Known():
		return none(doubt([]string{"SF1003"}, "version %d is unknown", uint8(s.Version())))
	case s.HeaderEnd() > s.Size():
		return none(doubt([]string{"SF1011"}, "the auxiliary header ends beyond the section"))
	case fdes.End() > s.Size():
		return none(doubt([]string{"SF1012"}, "the FDE sub-section ends beyond the section"))
	case fdes.Overlaps(fres) && fres.End() > s.Size():
		return none(doubt([]string{"SF1013"}, "the FRE sub-section ends beyond the section"))
	case fdes.Overlaps(fres):
		return none(doubt([]string{"SF1014"}, "the FDE and FRE sub-sections overlap"))
	}
	stray := func(from, to int64) (n int64) {
		for _, g := range Gaps(s, model.Span{Off: from, Len: to - from}) {
			if g.NonZero {
				n += g.Len
			}
		}
		return n
	}
	var l Layout
	first, second := fdes, fres
	if fres.Off < fdes.Off {
		first, second = fres, fdes
	}
	before := stray(s.HeaderEnd(), first.Off)
	between := stray(first.End(), min(second.Off, s.Size()))
	// The length of an auxiliary header moves everything, mostly out of the
	// section where it is wrong. FDEs and FREs are then in doubt together.
	aux := int64(0)
	if fres.End() > s.Size() {
		aux = int64(s.Header().AuxLen)
	}
	var why *Doubt
	switch {
	case aux > 0:
		why = doubt([]string{"SF1010"}, "the FDEs or FREs are not where the length of the auxiliary header puts them")
	case fres.Off < fdes.Off:
		why = doubt([]string{"SF1014"}, "the FREs come before the FDEs")
	default:
		why = doubt([]string{"SF1016"}, "bytes that are not zero lie between the parts of the section")
	}
	if aux+before > 0 && !mostEntries(s) || aux > 0 && !mostRows(s) {
		return none(why)
	}
	switch {
	case fres.Off > s.Size():
		l.FREs = doubt([]string{"SF1013"}, "the FRE sub-section starts beyond the section")
		l.All = l.FREs
	case aux+before+between > 0 && !mostRows(s):
		l.FREs, l.All = why, why
	case fres.End() > s.Size() && fres.Off > fdes.End() && !mostRows(s):
		// The first byte of the FREs is mostly zero, so it makes no stray byte.
		l.FREs = doubt([]string{"SF1013"}, "the FRE sub-section ends beyond the section")
		l.All = l.FREs
	case before+between >= int64(model.FDESize(s.Version())) && !accounted(s):
		l.All = why
	}
	return l
}

// mostEntries reports whether most FDEs point into the FRE sub-section, each
// to a place of its own.
func mostEntries(s *model.Section) bool {
	seen := map[uint32]bool{}
	for f := range s.FDEs() {
		if off := f.StartFREOff(); off < s.Header().FRELen {
			seen[off] = true
		}
	}
	return 2*len(seen) > s.NumFDEs()
}

// mostRows reports whether most functions have all rows that they claim, from
// their first byte on.
func mostRows(s *model.Section) bool {
	good, bad := 0, 0
	for f := range s.FDEs() {
		switch {
		case !f.HasAttr() || f.NumFREs() != int(f.ClaimedFREs()) || f.NumFREs() > 0 && f.FRE(0).Start() != 0:
			bad++
		case f.NumFREs() > 0:
			good++
		}
	}
	return good > bad || bad == 0 && s.NumFDEs() > 0 && accounted(s)
}

// accounted reports whether the FDEs claim all rows and bytes that the header
// counts.
func accounted(s *model.Section) bool {
	return s.ClaimedFREs() == uint64(s.Header().NumFREs) && len(Gaps(s, s.FRESubsection())) == 0
}

// Gaps returns the gaps of the section, cut to a part of it. A gap before the FREs may continue among them or,
// without FREs, after them.
func Gaps(s *model.Section, part model.Span) []model.Gap {
	var out []model.Gap
	for _, g := range s.Gaps() {
		off := max(g.Off, part.Off)
		cut := model.Span{Off: off, Len: min(g.End(), part.End()) - off}
		if cut.Len <= 0 {
			continue
		}
		zero := !g.NonZero || cut != g.Span && !slices.ContainsFunc(s.Bytes(cut), func(b byte) bool { return b != 0 })
		out = append(out, model.Gap{Span: cut, NonZero: !zero})
	}
	return out
}

// Tail is the bytes after the last part of a section. Len is 0 if there are none.
type Tail struct {
	model.Gap
	Pieces []Piece // the sections after the first one of a concatenation
}

// Piece is one section of a concatenation.
type Piece struct {
	FDEs  model.Span // span of the FDEs in the whole section
	Entry int64      // size of an FDE in bytes
}

// TailOf gives a rule the Tail of its section. The Tail is empty if a part extends beyond the end of the section.
var TailOf = OfSection("tail", "what follows the last part of a section", func(pass *analysis.Pass) Tail {
	_, sf := Input(pass)
	s := sf.Section
	off := s.End()
	if !s.Version().Known() || off > s.Size() {
		return Tail{}
	}
	t := Tail{Gap: model.Gap{Span: model.Span{Off: off, Len: s.Size() - off}}}
	t.NonZero = slices.ContainsFunc(s.Bytes(t.Span), func(b byte) bool { return b != 0 })
	for off, s := range reader.Following(s, sf.Data) {
		fdes := s.FDESubsection()
		fdes.Off += off
		t.Pieces = append(t.Pieces, Piece{fdes, int64(model.FDESize(s.Version()))})
	}
	return t
})

// FDEs returns the number of FDEs in the pieces.
func (t Tail) FDEs() int {
	n := int64(0)
	for _, p := range t.Pieces {
		n += p.FDEs.Len / p.Entry
	}
	return int(n)
}

// IsStart reports whether a piece has a start field at this offset.
func (t Tail) IsStart(off int64) bool {
	i := sort.Search(len(t.Pieces), func(i int) bool { return t.Pieces[i].FDEs.End() > off })
	return i < len(t.Pieces) && off >= t.Pieces[i].FDEs.Off && (off-t.Pieces[i].FDEs.Off)%t.Pieces[i].Entry == 0
}

// Starts returns the number of relocations of start fields in the pieces.
func (t Tail) Starts(all []reader.Reloc) int {
	n := 0
	for i := range all {
		if t.IsStart(all[i].Offset) {
			n++
		}
	}
	return n
}
