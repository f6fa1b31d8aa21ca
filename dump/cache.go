package dump

import "github.com/sframe-lint/sframe-lint/model"

// rowCache keeps the text of FREs by their contents. Programs repeat a few
// hundred combinations of info byte and words, and formatting an FRE costs
// several times as much as finding its text.
type rowCache [1 << 10]rowText

// rowText is the part of an FRE's text that depends only on its contents.
type rowText struct {
	key  uint64 // 0: none
	text []byte
}

// cachedBytes is the number of bytes of data words that fit into a key.
const cachedBytes = 6

// find returns the place for the text of an FRE and reports whether it has been
// filled. data is the section's bytes.
func (c *rowCache) find(data []byte, r model.FRE) (*rowText, bool) {
	words := r.WordsSpan()
	if words.Len > cachedBytes {
		return &rowText{}, false
	}
	key := uint64(0)
	for _, b := range data[words.Off:words.End()] {
		key = key<<8 | uint64(b)
	}
	key = key<<16 | uint64(r.Info())<<8 | uint64(r.FDEType()) + 1
	t := &c[key*0x9e3779b97f4a7c15>>32%uint64(len(c))]
	if t.key == key {
		return t, true
	}
	t.key = key
	return t, false
}

func (t *rowText) keep(text []byte) { t.text = append(t.text[:0], text...) }
