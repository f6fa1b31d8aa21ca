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
	slots []uint32 // open addressing, a power of two: 1 + a name's number; 0 is free
	seed  maphash.Seed
	next  uint32 // the number after the last one that id returned: two files often have the same names in the same order
}

// nameCost is what a name takes besides its bytes.
const nameCost = 8 + 4*4

// find returns the place of a name in the slots.
func (t *nameTable) find(name []byte) *uint32 {
	i := int(maphash.Bytes(t.seed, name)) & (len(t.slots) - 1)
	for t.slots[i] != 0 && !bytes.Equal(t.bytes(t.slots[i]-1), name) {
		i = (i + 1) & (len(t.slots) - 1)
	}
	return &t.slots[i]
}

// id returns the number of a name. pay is called with the bytes that a new one takes. Errors: of pay.
func (t *nameTable) id(name []byte, pay func(int64) error) (uint32, error) {
	if int(t.next) < len(t.ends) && bytes.Equal(t.bytes(t.next), name) {
		t.next++
		return t.next - 1, nil
	}
	if 2*len(t.ends) >= len(t.slots) {
		t.grow()
	}
	at := t.find(name)
	if *at == 0 {
		if err := pay(int64(len(name)) + nameCost); err != nil {
			return 0, err
		}
		t.text = append(t.text, name...)
		t.ends = append(t.ends, int64(len(t.text)))
		*at = uint32(len(t.ends))
	}
	t.next = *at
	return *at - 1, nil
}

func (t *nameTable) grow() {
	if t.slots == nil {
		t.seed = maphash.MakeSeed()
	}
	t.slots = make([]uint32, max(64, 2*len(t.slots)))
	for i := range t.ends {
		*t.find(t.bytes(uint32(i))) = uint32(i) + 1
	}
}

func (t *nameTable) bytes(id uint32) []byte {
	start := int64(0)
	if id > 0 {
		start = t.ends[id-1]
	}
	return t.text[start:t.ends[id]]
}

func (t *nameTable) name(id uint32) string { return string(t.bytes(id)) }
