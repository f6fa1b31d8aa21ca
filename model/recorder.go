package model

import (
	"math/bits"
)

// Recorder records the survey while a reader walks the FREs. Several recorders
// may record parts of a section in parallel and are then joined in order.
type Recorder struct {
	Traits      Trait
	ClaimedRows uint64
	DecodedRows uint64
	MostRows    uint32 // the largest number of FREs that an FDE claims

	rows, firsts, lasts, kinds shapeSet
	places                     *[numTraits]places // nil: there are no traits

	// ends has a digest of the key of each FDE's last FRE, 0 for none.
	ends []uint16

	// The keys recorded last: most FDEs are like the previous one.
	lastFirst, lastLast, lastKind uint64
}

// SkipContents omits the contents of FREs and FDEs. The lists of the survey are then
// empty, and marked as partial.
func (r *Recorder) SkipContents() {
	for _, t := range []*shapeSet{&r.rows, &r.firsts, &r.lasts, &r.kinds} {
		t.full = true
	}
}

// shape is a first sighting of an FRE or an FDE.
type shape struct {
	key          uint64
	fde, row, at int32
	long         int32 // 1 + the place of the content of an FRE too long for the key
}

// KeyBytes is the number of bytes of data words in a key.
const KeyBytes = 6

// rowClassBit keeps a key from being 0, which marks a free slot.
const rowClassBit = 0x20

// RowClass returns the part of an FRE's content that its FDE determines; flex
// reports whether the version has FDE types.
func RowClass(info, info2 uint8, flex bool) uint8 {
	c := info&InfoPCTypeBit | rowClassBit
	if flex {
		c |= min(info2&Info2FDETypeMask, 2) | info&InfoSignalBit
	}
	return c
}

// RowKey condenses an FRE's content. words are the 8 bytes that begin with its
// data words, in little-endian order, of which n <= KeyBytes belong to them. A
// key is never 0.
func RowKey(words uint64, n, info, class uint8) uint64 {
	return words&(1<<(8*n&63)-1)<<16 | uint64(info)<<8 | uint64(class)
}

// Row records an FRE with the key that RowKey returned. at is its offset in the
// FRE sub-section.
func (r *Recorder) Row(key uint64, fde, row, at int) {
	if !r.rows.full && !r.rows.has(key) {
		r.rows.add(shape{key, int32(fde), int32(row), int32(at), 0})
	}
}

// First records an FRE that begins a function, as Row does.
func (r *Recorder) First(key uint64, fde, at int) {
	if key != r.lastFirst {
		r.first(key, fde, at)
	}
}

func (r *Recorder) first(key uint64, fde, at int) {
	if !r.firsts.has(key) {
		r.firsts.add(shape{key, int32(fde), 0, int32(at), 0})
	}
	r.lastFirst = key
}

// digest condenses a key further. That of 0 is 0.
func digest(key uint64) uint16 { return uint16(key * 0x9e3779b97f4a7c15 >> 48) }

// Grow reserves space for n FDEs.
func (r *Recorder) Grow(n int) { r.ends = make([]uint16, 0, n) }

// End ends the record of an FDE. last is the key of its last FRE, 0 if there is
// none or Last was called with 0.
func (r *Recorder) End(last uint64) { r.ends = append(r.ends, digest(last)) }

// Rows adds the numbers of FREs of an FDE: those claimed and those decoded.
func (r *Recorder) Rows(claimed, decoded uint32) {
	r.ClaimedRows += uint64(claimed)
	r.DecodedRows += uint64(decoded)
	r.MostRows = max(r.MostRows, claimed)
}

// Last records the key of an FDE's last FRE, 0 for an FRE with more than
// KeyBytes bytes of words, which counts as distinct from all others.
func (r *Recorder) Last(key uint64, fde, row, at int) {
	if key != r.lastLast || key == 0 {
		r.last(key, fde, row, at)
	}
}

func (r *Recorder) last(key uint64, fde, row, at int) {
	if key == 0 || !r.lasts.has(key) {
		r.lasts.add(shape{key, int32(fde), int32(row), int32(at), 0})
	}
	r.lastLast = key
}

// LongRow records an FRE with more than KeyBytes bytes of data words; words are these.
func (r *Recorder) LongRow(words []byte, info, class uint8, fde, row, at int) {
	r.rows.addLong(words, info, class, shape{0, int32(fde), int32(row), int32(at), 0})
}

// LongFirst records such an FRE that begins a function.
func (r *Recorder) LongFirst(words []byte, info, class uint8, fde, at int) {
	r.firsts.addLong(words, info, class, shape{0, int32(fde), 0, int32(at), 0})
}

// Kind records an FDE's info bytes and rep_size.
func (r *Recorder) Kind(info, info2, rep uint8, fde int) {
	if key := KindKey(info, info2, rep); key != r.lastKind {
		r.kind(key, fde)
	}
}

func (r *Recorder) kind(key uint64, fde int) {
	if !r.kinds.has(key) {
		r.kinds.add(shape{key, int32(fde), 0, 0, 0})
	}
	r.lastKind = key
}

// KindKey condenses info bytes and rep_size of an FDE. It is never 0.
func KindKey(info, info2, rep uint8) uint64 {
	return uint64(info) | uint64(info2)<<8 | uint64(rep)<<16 | 1<<63
}

// Note records the traits of an FDE, which has at least one.
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

// Join adds the record of the part that follows.
func (r *Recorder) Join(next *Recorder) {
	r.Traits |= next.Traits
	r.ClaimedRows += next.ClaimedRows
	r.DecodedRows += next.DecodedRows
	r.MostRows = max(r.MostRows, next.MostRows)
	r.ends = append(r.ends, next.ends...)
	r.rows.join(&next.rows)
	r.firsts.join(&next.firsts)
	r.lasts.join(&next.lasts)
	r.kinds.join(&next.kinds)
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
	slots []uint64 // open addressing, a power of two; none for a few shapes
	list  []shape
	long  map[string]bool
	longs []string
	full  bool
}

const (
	fewShapes  = 8 // that are searched one by one
	firstSlots = 4 * fewShapes
	maxShapes  = 1 << 15
)

func slotOf(key uint64, n int) int {
	return int(key*0x9e3779b97f4a7c15>>32) & (n - 1)
}

// has reports whether the key, which is not 0, is in the set.
func (t *shapeSet) has(key uint64) bool {
	n := len(t.slots)
	if n == 0 {
		for i := range t.list {
			if t.list[i].key == key {
				return true
			}
		}
		return false
	}
	for i := slotOf(key, n); ; i = (i + 1) & (n - 1) {
		switch t.slots[i] {
		case key:
			return true
		case 0:
			return false
		}
	}
}

// add adds a shape whose key is not in the set.
func (t *shapeSet) add(x shape) {
	if len(t.list) >= maxShapes {
		*t = shapeSet{full: true}
	}
	if t.full {
		return
	}
	if t.list == nil {
		t.list = make([]shape, 0, fewShapes)
	}
	t.list = append(t.list, x)
	switch n := len(t.list); {
	case n <= fewShapes:
	case 2*n > len(t.slots):
		t.slots = make([]uint64, max(firstSlots, 4*len(t.slots)))
		for i := range t.list {
			t.place(t.list[i].key)
		}
	default:
		t.place(x.key)
	}
}

// place enters a key in the slots; 0 is none.
func (t *shapeSet) place(key uint64) {
	if key == 0 {
		return
	}
	n := len(t.slots)
	i := slotOf(key, n)
	for t.slots[i] != 0 {
		i = (i + 1) & (n - 1)
	}
	t.slots[i] = key
}

func (t *shapeSet) addLong(words []byte, info, class uint8, x shape) {
	var buf [4*MaxWords + 2]byte
	t.addContent(append(append(buf[:0], words...), info, class), x)
}

// addContent adds an FRE whose content is too long for a key.
func (t *shapeSet) addContent(content []byte, x shape) {
	if t.full || t.long[string(content)] {
		return
	}
	if t.long == nil {
		t.long = map[string]bool{}
	}
	s := string(content)
	t.long[s] = true
	t.longs = append(t.longs, s)
	x.long = int32(len(t.longs))
	t.add(x)
}

func (t *shapeSet) join(next *shapeSet) {
	if t.full || next.full {
		*t = shapeSet{full: true}
		return
	}
	for _, x := range next.list {
		switch {
		case x.long > 0:
			t.addContent([]byte(next.longs[x.long-1]), x)
		case x.key == 0 || !t.has(x.key):
			t.add(x)
		}
	}
}
