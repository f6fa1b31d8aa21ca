package dump

import "github.com/sframe-lint/sframe-lint/model"

// rowCache keeps the text of FREs by their contents. Programs repeat a few
// hundred combinations of info byte and words, and formatting an FRE costs
// several times as much as finding its text.
type rowCache struct {
	slots [1 << slotBits]rowText
	other rowText // of an FRE whose contents do not fit into a key
}

const slotBits = 10

// rowText is the part of an FRE's text that depends only on its contents.
type rowText struct {
	key  uint64 // 0: none
	text []byte // to the end of the line
	cut  int    // in text, where the bytes of the start belong; unused in objdump's format
}

// cachedBytes is the number of bytes of data words that fit into a key.
const cachedBytes = 6

// find returns the place for the text of an FRE and reports whether it has been
// filled.
func (c *rowCache) find(r *model.FRE) (*rowText, bool) {
	words, n := r.Content()
	if n > cachedBytes {
		return &c.other, false
	}
	key := words<<16 | uint64(r.Info())<<8 | uint64(r.FDEType()) + 1
	t := &c.slots[key*0x9e3779b97f4a7c15>>(64-slotBits)] // the top bits depend on all others
	if t.key == key {
		return t, true
	}
	t.key = key
	return t, false
}

func (t *rowText) keep(text []byte) { t.text = append(t.text[:0], text...) }
