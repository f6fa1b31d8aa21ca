package prereq

import (
	"slices"
	"sort"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Tail is what follows the last part of a section; Len is 0 if nothing does.
type Tail struct {
	model.Gap
	Pieces []Piece // the further sections of a concatenation
}

// Piece is one section of a concatenation.
type Piece struct {
	FDEs  model.Span // in the whole section
	Entry int64      // bytes of an FDE
}

// TailOf gives a rule the Tail of its section. A section whose parts do not lie
// inside it has none.
var TailOf = OfSection("tail", "what follows the last part of a section", func(pass *analysis.Pass) Tail {
	_, sf := Input(pass)
	s := sf.Section
	if !whole(s) {
		return Tail{}
	}
	off := end(s)
	t := Tail{Gap: model.Gap{Span: model.Span{Off: off, Len: s.Size() - off}}}
	t.NonZero = slices.ContainsFunc(s.Bytes(t.Span), func(b byte) bool { return b != 0 })
	if t.NonZero {
		t.Pieces = pieces(sf.Data, off)
	}
	return t
})

// pieces follows the headers in the bytes of a section. Linkers that concatenate
// keep the alignment of sections, so up to 7 zero bytes may precede each.
func pieces(data []byte, off int64) []Piece {
	var all []Piece
	for {
		for pad := 0; pad < 7 && off < int64(len(data)) && data[off] == 0; pad++ {
			off++
		}
		if off >= int64(len(data)) || !hasMagic(data[off:]) {
			return all
		}
		s, _ := reader.DecodeSection(data[off:], reader.SectionOptions{})
		if s == nil || !whole(s) {
			return all
		}
		fdes := s.FDESubsection()
		fdes.Off += off
		all = append(all, Piece{fdes, int64(model.FDESize(s.Version()))})
		off += end(s)
	}
}

// whole reports whether the parts of a section lie inside it, and end where its
// last part does.
func whole(s *model.Section) bool { return s.Version().Known() && end(s) <= s.Size() }
func end(s *model.Section) int64 {
	return max(s.FDESubsection().End(), s.FRESubsection().End(), s.HeaderEnd())
}

func hasMagic(b []byte) bool {
	return len(b) >= model.HeaderSize(b) && (b[0] == 0xe2 && b[1] == 0xde || b[0] == 0xde && b[1] == 0xe2)
}

// FDEs returns the number of FDEs in the pieces.
func (t Tail) FDEs() int {
	n := int64(0)
	for _, p := range t.Pieces {
		n += p.FDEs.Len / p.Entry
	}
	return int(n)
}

// IsStart reports whether a start field of a piece lies at an offset.
func (t Tail) IsStart(off int64) bool {
	i := sort.Search(len(t.Pieces), func(i int) bool { return t.Pieces[i].FDEs.End() > off })
	return i < len(t.Pieces) && off >= t.Pieces[i].FDEs.Off && (off-t.Pieces[i].FDEs.Off)%t.Pieces[i].Entry == 0
}

// Starts returns how many relocations apply to the start fields of the pieces.
func (t Tail) Starts(all []reader.Reloc) int {
	n := 0
	for i := range all {
		if t.IsStart(all[i].Offset) {
			n++
		}
	}
	return n
}
