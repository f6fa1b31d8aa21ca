package compare

import (
	"bytes"
	"hash/maphash"
)

// nameTable has all names once, in few pieces of memory: names are most of what a comparison
// needs, and the garbage collector must not look at each. A name is its number.
type nameTable struct {
	text  []byte   // the names
	ends  []int64  // of each in text
	slots []uint64 // open addressing, a power of two: half of a name's hash, and 1 + its number; 0 is free
	shift int      // of a hash, to a place in slots
	seed  maphash.Seed
	next  uint32 // the number after the last one that id returned: two files often have the same names in the same order
}

// nameCost is what a name takes besides its bytes.
const nameCost = 8 + 4*8

// find returns the place of a name in the slots, and what its slot has besides its number.
func (t *nameTable) find(name []byte) (at *uint64, mark uint64) {
	hash := maphash.Bytes(t.seed, name)
	mark = hash &^ slotNumber
	for i := mark >> t.shift; ; i++ {
		s := &t.slots[i&uint64(len(t.slots)-1)]
		if *s == 0 || *s&^slotNumber == mark && bytes.Equal(t.bytes(uint32(*s)-1), name) {
			return s, mark
		}
	}
}

// slotNumber are the bits of a slot that have the number.
const slotNumber = 1<<32 - 1

// id returns the number of a name. pay is called with the bytes that a new one takes. Errors: of pay.
func (t *nameTable) id(name []byte, pay func(int64) error) (uint32, error) {
	if int(t.next) < len(t.ends) && bytes.Equal(t.bytes(t.next), name) {
		t.next++
		return t.next - 1, nil
	}
	if 2*len(t.ends) >= len(t.slots) {
		t.grow()
	}
	at, mark := t.find(name)
	if *at == 0 {
		if err := pay(int64(len(name)) + nameCost); err != nil {
			return 0, err
		}
		t.text = append(t.text, name...)
		t.ends = append(t.ends, int64(len(t.text)))
		*at = mark | uint64(len(t.ends))
	}
	t.next = uint32(*at)
	return t.next - 1, nil
}

// grow doubles the slots. The order of the hashes stays, so that it goes through both once.
func (t *nameTable) grow() {
	old := t.slots
	if old == nil {
		t.seed, t.shift = maphash.MakeSeed(), 64-fewSlots+1
		old = make([]uint64, 1<<(fewSlots-1))
	}
	t.slots = make([]uint64, 2*len(old))
	t.shift--
	for _, s := range old {
		if s == 0 {
			continue
		}
		i := s >> t.shift
		for t.slots[i&uint64(len(t.slots)-1)] != 0 {
			i++
		}
		t.slots[i&uint64(len(t.slots)-1)] = s
	}
}

// fewSlots is the binary logarithm of the least number of slots.
const fewSlots = 6

func (t *nameTable) bytes(id uint32) []byte {
	start := int64(0)
	if id > 0 {
		start = t.ends[id-1]
	}
	return t.text[start:t.ends[id]]
}

func (t *nameTable) name(id uint32) string { return string(t.bytes(id)) }
