package model

import "errors"

// EntrySpec is an FDE as a [Builder] takes it: field by field as on disk,
// with the resolved start beside them.
type EntrySpec struct {
	Start    uint64 // resolved start
	Resolved bool   // Start is known
	Place    uint32 // what Start counts from; see FDE.Place

	RawStart int64
	Size     uint32
	FREOff   uint32
	NumFREs  uint32 // claimed
	HasAttr  bool   // V3: info, rep_size and the count were readable
	Info     uint8
	Info2    uint8
	RepSize  uint8
	Padding  uint16
}

// Layout says where a section lies and how large it is.
type Layout struct {
	BigEndian bool
	Addr      uint64 // virtual address, 0 for none
	Size      int64  // bytes
}

// Builder assembles a [Section]. FDEs are added in their order on disk; rows
// are added to the FDE added last. A Builder is for one Section.
type Builder struct {
	s *Section
}

// ErrTooLarge is returned for more FREs or words than 32 bits count.
var ErrTooLarge = errors.New("model: more FREs or data words than 32 bits count")

// NewBuilder starts a section. The capacities are hints that keep the number
// of allocations constant; the caller bounds them.
func NewBuilder(h Header, l Layout, aux []byte, fdes, fres, words int) *Builder {
	return &Builder{&Section{
		header: h,
		abi:    LookupABI(h.ABI),
		big:    l.BigEndian,
		addr:   l.Addr,
		size:   l.Size,
		aux:    append([]byte(nil), aux...),
		fdes:   make([]fdeRec, 0, fdes),
		fres:   make([]freRec, 0, fres),
		words:  make([]int32, 0, words),
	}}
}

// AddFDE adds the next FDE.
func (b *Builder) AddFDE(e EntrySpec) {
	rec := fdeRec{
		start: e.Start, rawStart: e.RawStart, size: e.Size, freOff: e.FREOff,
		claimed: e.NumFREs, place: e.Place, padding: e.Padding,
		info: e.Info, info2: e.Info2, rep: e.RepSize,
		firstFRE: uint32(len(b.s.fres)),
	}
	if e.HasAttr {
		rec.state |= fdeHasAttr
	}
	if e.Resolved {
		rec.state |= fdeResolved
	}
	b.s.fdes = append(b.s.fdes, rec)
}

// AddFRE adds a row to the last FDE. off counts from the beginning of the
// FRE sub-section; info says how many words there must be, and words are
// sign-extended.
func (b *Builder) AddFRE(start, off uint32, info uint8, words ...int32) error {
	if len(b.s.fres) >= 1<<32-1 || len(b.s.words) > 1<<32-1-MaxWords {
		return ErrTooLarge
	}
	b.s.fres = append(b.s.fres, freRec{start, off, uint32(len(b.s.words)), info})
	b.s.words = append(b.s.words, words...)
	b.s.fdes[len(b.s.fdes)-1].decoded++
	return nil
}

// ShareFREs gives the last FDE the first n rows of an earlier one, which
// must begin at the same offset and be of the same FRE type.
func (b *Builder) ShareFREs(fde, n int) {
	last := &b.s.fdes[len(b.s.fdes)-1]
	last.firstFRE = b.s.fdes[fde].firstFRE
	last.decoded = uint32(n)
}

// NumFDEs returns the number of FDEs added so far.
func (b *Builder) NumFDEs() int { return len(b.s.fdes) }

// Resolve sets the start of an FDE that was added unresolved.
func (b *Builder) Resolve(i int, start uint64, place uint32) {
	rec := &b.s.fdes[i]
	rec.start, rec.place = start, place
	rec.state |= fdeResolved
}

// Build finishes the section. data are the section's bytes, which are only
// looked at to tell padding from stray bytes in the gaps; it may be nil. The
// Builder must not be used afterwards.
func (b *Builder) Build(data []byte) *Section {
	s := b.s
	b.s = nil
	s.ordered, s.disjoint = true, true
	for i := 1; i < len(s.fdes); i++ {
		p, f := &s.fdes[i-1], &s.fdes[i]
		if f.place < p.place || f.place == p.place && f.start < p.start {
			s.ordered = false
		}
		if f.place == p.place && (f.start-p.start < uint64(p.size) || f.start == p.start) {
			s.disjoint = false
		}
	}
	s.gaps = findGaps(s, data)
	return s
}
