package model

import (
	"hash/maphash"
	"math/bits"
	"slices"
	"sync/atomic"
)

// Recorder records a [Survey] while a reader decodes FREs. Several recorders may record parts of a section in
// parallel; Join then joins them in order.
type Recorder struct {
	Traits      Trait
	ClaimedRows uint64
	DecodedRows uint64
	MostRows    uint32 // the largest number of FREs that an FDE claims

	sets   [numLists]shapeSet
	places *[numTraits]places // nil: there are no traits
}

// SkipContents turns off the recording of contents of FREs and FDEs. The lists of the survey are then empty and
// marked as incomplete.
func (r *Recorder) SkipContents() {
	for i := range r.sets {
		r.sets[i].full = true
	}
}

// shape is a first sighting of an FRE or an FDE.
type shape struct {
	key          uint64
	fde, row, at int32
}

// KeyBytes is the maximum number of bytes of data words in a key that RowKey returns.
const KeyBytes = 6

// rowClassBit keeps a key from being 0, which marks a free slot.
const rowClassBit = 0x20

// RowClass returns the part of an FRE's content that is in its FDE. flex says that the version has FDE types.
func RowClass(info, info2 uint8, flex bool) uint8 {
	c := info&InfoPCTypeBit | rowClassBit
	if flex {
		c |= min(info2&Info2FDETypeMask, 2) | info&InfoSignalBit
	}
	return c
}

// RowKey condenses an FRE's content into a key, which is never 0. The argument words is a little-endian number of 8
// bytes. Its lowest n bytes are the data words; n is at most KeyBytes.
func RowKey(words uint64, n, info, class uint8) uint64 {
	return words&(1<<(8*n&63)-1)<<16 | uint64(info)<<8 | uint64(class)
}

// longSeed makes it unlikely, whoever has written a section, that two contents have one key.
var longSeed = maphash.MakeSeed()

// LongKey is RowKey for an FRE with more than KeyBytes bytes of data words.
func LongKey(words []byte, info, class uint8) uint64 {
	var buf [4*MaxWords + 2]byte
	return max(maphash.Bytes(longSeed, append(append(buf[:0], words...), info, class)), 1)
}

// Recent reports whether a key was recently recorded in a list. If so, the caller need not call Record.
func (r *Recorder) Recent(of SurveyList, key uint64) bool {
	return r.sets[of].recent[digest(key)%recentShapes] == key
}

// Record records an FRE in a list, with its key from RowKey or LongKey, or an FDE with its key from KindKey. at is
// the offset of the FRE in the FRE sub-section.
func (r *Recorder) Record(of SurveyList, key uint64, fde, row, at int) {
	r.sets[of].add(shape{key, int32(fde), int32(row), int32(at)})
}

// digest condenses a key further. That of 0 is 0.
func digest(key uint64) uint16 { return uint16(key * 0x9e3779b97f4a7c15 >> 48) }

// Rows adds the claimed and the decoded number of FREs of an FDE.
func (r *Recorder) Rows(claimed, decoded uint32) {
	r.ClaimedRows += uint64(claimed)
	r.DecodedRows += uint64(decoded)
	r.MostRows = max(r.MostRows, claimed)
}

// KindKey condenses the info bytes and rep_size of an FDE into a key, which is never 0.
func KindKey(info, info2, rep uint8) uint64 {
	return uint64(info) | uint64(info2)<<8 | uint64(rep)<<16 | 1<<63
}

// Note records the traits of an FDE that has at least one.
func (r *Recorder) Note(t Trait, fde int) {
	r.Traits |= t
	if r.places == nil {
		r.places = new([numTraits]places)
	}
	for ; t != 0; t &= t - 1 {
		r.places[bits.TrailingZeros32(uint32(t))].add(int32(fde))
	}
}

// places are the first FDEs that have a trait.
type places struct {
	fdes []int32
	more bool
}

// maxPlaces is more than most sections have of any trait.
const maxPlaces = 1 << 12

func (p *places) add(fde int32) {
	if len(p.fdes) == maxPlaces {
		p.more = true
		return
	}
	p.fdes = append(p.fdes, fde)
}

// Join appends the record of the next part of the section.
func (r *Recorder) Join(next *Recorder) {
	r.Traits |= next.Traits
	r.ClaimedRows += next.ClaimedRows
	r.DecodedRows += next.DecodedRows
	r.MostRows = max(r.MostRows, next.MostRows)
	for i := range r.sets {
		r.sets[i].join(&next.sets[i])
	}
	if next.places == nil {
		return
	}
	if r.places == nil {
		r.places = new([numTraits]places)
	}
	for i := range next.places {
		for _, fde := range next.places[i].fdes {
			r.places[i].add(fde)
		}
		r.places[i].more = r.places[i].more || next.places[i].more
	}
}

// shapeSet is a set of shapes that remembers the first of each. It has an
// upper bound, so that a hostile section can't make it grow with itself.
type shapeSet struct {
	list []shape
	keys map[uint64]struct{} // of the list; nil for a few shapes, which are searched one by one
	full bool

	recent [recentShapes]uint64 // keys: most FDEs and FREs are like those before them
}

const (
	fewShapes    = 8
	recentShapes = 32
	maxShapes    = 1 << 15
)

// has reports whether the key is in the set.
func (t *shapeSet) has(key uint64) bool {
	if t.keys != nil {
		_, ok := t.keys[key]
		return ok
	}
	return slices.ContainsFunc(t.list, func(x shape) bool { return x.key == key })
}

// add adds a shape unless its key is in the set.
func (t *shapeSet) add(x shape) {
	t.recent[digest(x.key)%recentShapes] = x.key
	switch {
	case t.full || t.has(x.key):
		return
	case len(t.list) == maxShapes:
		*t = shapeSet{full: true}
		return
	case t.list == nil:
		t.list = make([]shape, 0, fewShapes)
	case len(t.list) == fewShapes:
		t.keys = map[uint64]struct{}{}
		for i := range t.list {
			t.keys[t.list[i].key] = struct{}{}
		}
	}
	t.list = append(t.list, x)
	if t.keys != nil {
		t.keys[x.key] = struct{}{}
	}
}

func (t *shapeSet) join(next *shapeSet) {
	if next.full {
		*t = shapeSet{full: true}
	}
	for _, x := range next.list {
		t.add(x)
	}
}

// meter takes a step of work for each FDE and FRE that a section yields.
type meter struct {
	step  func(n int64) error // nil for none
	n     atomic.Int64        // FDEs and FREs
	ended atomic.Bool         // step has failed
}

// metered is the number of steps that are taken at once, before what they are for.
const metered = 1 << 10

func (m *meter) visit() {
	if m.step != nil {
		m.count()
	}
}

func (m *meter) count() {
	if m.n.Add(1)%metered == 1 && m.step(metered) != nil {
		m.ended.Store(true)
	}
}
