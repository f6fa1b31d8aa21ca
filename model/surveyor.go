package model

// Surveyor gathers a [Survey] while a reader walks the rows. Several may
// walk parts of a section, in parallel, and be joined in order.
type Surveyor struct {
	Traits      Trait
	ClaimedRows uint64
	DecodedRows uint64
	Wide        Tally // see Survey.WideStarts
	Repeats     Tally // see Survey.Repeats

	rows, firsts, lasts, kinds shapeSet
	masks                      []int32 // FDEs of PC type MASK, up to maxMasks
	moreMasks                  bool

	// The keys noted last: most FDEs are like the one in front.
	lastFirst, lastLast, lastKind uint64
}

// shape is a first sighting of a row or an FDE.
type shape struct {
	key          uint64
	long         string // the content of a row too long for the key
	fde, row, at int32
}

// KeyBytes is how many bytes of data words a key holds.
const KeyBytes = 6

// rowClassBit keeps a key from being 0, which marks a free slot.
const rowClassBit = 0x20

// RowClass is the part of a row's content that its FDE gives.
func RowClass(info, info2 uint8, v Version) uint8 {
	c := info&InfoPCTypeBit | rowClassBit
	if v == SFRAME_VERSION_3 {
		c |= min(info2&Info2FDETypeMask, 2) | info&InfoSignalBit
	}
	return c
}

// RowKey condenses a row's content. words are the 8 bytes that begin with
// its data words, in little-endian order, of which n <= KeyBytes belong to
// them. A key is never 0.
func RowKey(words uint64, n, info, class uint8) uint64 {
	return words&(1<<(8*n&63)-1)<<16 | uint64(info)<<8 | uint64(class)
}

// Seen tells whether a row of this key has surely been noted: false may be
// wrong. It is small enough to be inlined where all rows pass by.
func (sv *Surveyor) Seen(key uint64) bool {
	n := len(sv.rows.slots)
	return n > 0 && sv.rows.slots[slotOf(key, n)] == key
}

// Row notes a row whose key RowKey gave. at is its offset in the FRE
// sub-section.
func (sv *Surveyor) Row(key uint64, fde, row, at int) {
	if !sv.rows.has(key) {
		sv.rows.add(shape{key, "", int32(fde), int32(row), int32(at)})
	}
}

// First notes the same of a row that opens a function.
func (sv *Surveyor) First(key uint64, fde, at int) {
	if key != sv.lastFirst && !sv.firsts.has(key) {
		sv.firsts.add(shape{key, "", int32(fde), 0, int32(at)})
	}
	sv.lastFirst = key
}

// Last notes the key of an FDE's last row, 0 for a row of more than KeyBytes
// bytes of words, which is taken for a shape of its own.
func (sv *Surveyor) Last(key uint64, fde, row, at int) {
	if key == 0 || key != sv.lastLast && !sv.lasts.has(key) {
		sv.lasts.add(shape{key, "", int32(fde), int32(row), int32(at)})
	}
	sv.lastLast = key
}

// NoteWide notes an FDE that wastes so many bytes on starts.
func (sv *Surveyor) NoteWide(fde int, bytes int) {
	sv.Traits |= StartsWide
	sv.Wide.add(Tally{1, int64(bytes), fde, -1})
}

// NoteRepeat notes a row of so many bytes that repeats the one in front.
func (sv *Surveyor) NoteRepeat(fde, fre, bytes int) {
	sv.Traits |= RowsRepeat
	sv.Repeats.add(Tally{1, int64(bytes), fde, fre})
}

// LongRow notes a row of more than KeyBytes bytes of words; words are its data words.
func (sv *Surveyor) LongRow(words []byte, info, class uint8, fde, row, at int) {
	sv.rows.addLong(words, info, class, shape{0, "", int32(fde), int32(row), int32(at)})
}

// LongFirst notes that such a row opens a function.
func (sv *Surveyor) LongFirst(words []byte, info, class uint8, fde, at int) {
	sv.firsts.addLong(words, info, class, shape{0, "", int32(fde), 0, int32(at)})
}

// Kind notes an FDE's info bytes and rep_size.
func (sv *Surveyor) Kind(info, info2, rep uint8, fde int) {
	if info&InfoPCTypeBit != 0 {
		sv.mask(int32(fde))
	}
	key := uint64(info) | uint64(info2)<<8 | uint64(rep)<<16 | 1<<63
	if key != sv.lastKind && !sv.kinds.has(key) {
		sv.kinds.add(shape{key, "", int32(fde), 0, 0})
	}
	sv.lastKind = key
}

// maxMasks is more than the PLTs of a program have: one FDE describes all
// stubs of a section.
const maxMasks = 1 << 12

func (sv *Surveyor) mask(fde int32) {
	if len(sv.masks) == maxMasks {
		sv.moreMasks = true
		return
	}
	sv.masks = append(sv.masks, fde)
}

// Join adds what a surveyor of the part behind this one's has seen.
func (sv *Surveyor) Join(next *Surveyor) {
	sv.Traits |= next.Traits
	sv.ClaimedRows += next.ClaimedRows
	sv.DecodedRows += next.DecodedRows
	sv.Wide.add(next.Wide)
	sv.Repeats.add(next.Repeats)
	sv.rows.join(&next.rows)
	sv.firsts.join(&next.firsts)
	sv.lasts.join(&next.lasts)
	sv.kinds.join(&next.kinds)
	for _, fde := range next.masks {
		sv.mask(fde)
	}
	sv.moreMasks = sv.moreMasks || next.moreMasks
}

// survey turns the sightings into handles of the section.
func (sv *Surveyor) survey(s *Section) *Survey {
	v := &Survey{
		traits:      sv.Traits,
		claimedRows: sv.ClaimedRows,
		wide:        sv.Wide,
		repeats:     sv.Repeats,
		masks:       sv.masks,
		moreMasks:   sv.moreMasks,
		complete:    !sv.rows.full && !sv.firsts.full && !sv.lasts.full && !sv.kinds.full,
	}
	for _, x := range sv.rows.list {
		v.rows = append(v.rows, s.rowAt(x))
	}
	for _, x := range sv.firsts.list {
		v.firsts = append(v.firsts, s.rowAt(x))
	}
	for _, x := range sv.lasts.list {
		v.lasts = append(v.lasts, s.rowAt(x))
	}
	for _, x := range sv.kinds.list {
		v.kinds = append(v.kinds, s.FDE(int(x.fde)))
	}
	return v
}

func (s *Section) rowAt(x shape) FRE {
	r, _ := s.FDE(int(x.fde)).first()
	r.idx, r.at = x.row, x.at
	r.load()
	return r
}

// shapeSet is a set of shapes that remembers the first of each. It has an
// upper bound, so that a hostile section can't make it grow with itself.
type shapeSet struct {
	slots []uint64 // open addressing, a power of two
	list  []shape
	long  map[string]bool
	full  bool
}

const (
	firstSlots = 1 << 10
	maxShapes  = 1 << 15
)

func slotOf(key uint64, n int) int {
	return int(key*0x9e3779b97f4a7c15>>32) & (n - 1)
}

// has tells whether the key is in the set.
func (t *shapeSet) has(key uint64) bool {
	n := len(t.slots)
	if n == 0 {
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
		t.full = true
		return
	}
	t.list = append(t.list, x)
	if x.key == 0 {
		return
	}
	if 2*len(t.list) > len(t.slots) {
		old := t.slots
		t.slots = make([]uint64, max(firstSlots, 4*len(old)))
		for _, k := range old {
			if k != 0 {
				t.place(k)
			}
		}
	}
	t.place(x.key)
}

func (t *shapeSet) place(key uint64) {
	n := len(t.slots)
	i := slotOf(key, n)
	for t.slots[i] != 0 {
		i = (i + 1) & (n - 1)
	}
	t.slots[i] = key
}

func (t *shapeSet) addLong(words []byte, info, class uint8, x shape) {
	var buf [4*MaxWords + 2]byte
	content := append(append(buf[:0], words...), info, class)
	if t.long[string(content)] {
		return
	}
	if len(t.list) >= maxShapes {
		t.full = true
		return
	}
	if t.long == nil {
		t.long = map[string]bool{}
	}
	x.long = string(content)
	t.long[x.long] = true
	t.list = append(t.list, x)
}

func (t *shapeSet) join(next *shapeSet) {
	t.full = t.full || next.full
	for _, x := range next.list {
		switch {
		case x.long != "":
			if t.long == nil {
				t.long = map[string]bool{}
			}
			if !t.long[x.long] {
				t.long[x.long] = true
				t.list = append(t.list, x)
			}
		case x.key == 0 || !t.has(x.key):
			t.add(x)
		}
	}
}
