package cfi

import (
	"cmp"
	"sort"

	"github.com/sframe-lint/sframe-lint/model"
)

// Hdr is a decoded .eh_frame_hdr: where .eh_frame is, and a table of its FDEs
// for a binary search (Linux Standard Base, "The .eh_frame_hdr section").
// It is immutable.
type Hdr struct {
	Frame  Pointer // the address of .eh_frame
	Count  uint64  // number of entries by the section's own count
	Table  model.Span
	Faults []Fault // spans count from the start of the section

	enc   Encoding
	n     int
	width int // bytes of an entry
	s     Section
}

// HdrEntry is an entry of the table.
type HdrEntry struct {
	PC  uint64 // address of the first byte of code
	FDE uint64 // address of the FDE
}

// NewHdr decodes a .eh_frame_hdr with the address addr, which is also the base
// of its Datarel pointers.
func NewHdr(data []byte, addr uint64, abi model.ABIInfo) *Hdr {
	data = data[:min(uint64(len(data)), 1<<31-1)]
	h := &Hdr{s: Section{in: Input{Data: data, Addr: addr, ABI: abi, DataAddr: addr}}}
	fail := func(code FaultCode, at model.Span, want, got uint64) {
		h.Faults = append(h.Faults, Fault{code, at, want, got})
	}
	c := cursor{b: data, big: abi.Big}
	version := c.u8()
	encs := [3]Encoding{Encoding(c.u8()), Encoding(c.u8()), Encoding(c.u8())}
	switch {
	case c.bad:
		fail(HdrTruncated, model.Span{Len: int64(len(data))}, 4, uint64(len(data)))
		return h
	case version != 1:
		fail(HdrVersion, model.Span{Len: 1}, 1, uint64(version))
		return h
	}
	for i, e := range encs {
		if !e.Valid() || i == 2 && e != Omit && e.Width() == 0 {
			fail(BadEncoding, model.Span{Off: int64(1 + i), Len: 1}, 0, uint64(e))
			return h
		}
	}
	var hi hint
	h.Frame = h.s.pointer(&c, encs[0], Pointer{}, &hi)
	at := c.pos
	if encs[1] == Omit || encs[2] == Omit {
		return h // no table
	}
	count := h.s.pointer(&c, encs[1], Pointer{}, &hi)
	if c.bad {
		fail(HdrTruncated, model.Span{Len: int64(len(data))}, 0, uint64(len(data)))
		return h
	}
	h.enc, h.width, h.Count = encs[2], 2*encs[2].Width(), count.Addr
	left := uint64(c.left() / h.width)
	if h.Count > left {
		fail(HdrTableBeyondEnd, c.from(at), h.Count, left)
	}
	h.n = int(min(h.Count, left))
	h.Table = model.Span{Off: int64(c.pos), Len: int64(h.n * h.width)}
	return h
}

// Len returns the number of entries that exist.
func (h *Hdr) Len() int { return h.n }

// Entry returns the i-th entry, 0 <= i < Len().
func (h *Hdr) Entry(i int) HdrEntry {
	if i < 0 || i >= h.n {
		panic("ehframe: index of .eh_frame_hdr entry out of range")
	}
	var hi hint
	c := cursor{b: h.s.in.Data, pos: int(h.Table.Off) + i*h.width, big: h.s.in.ABI.Big}
	pc := h.s.pointer(&c, h.enc, Pointer{}, &hi)
	return HdrEntry{pc.Addr, h.s.pointer(&c, h.enc, Pointer{}, &hi).Addr}
}

// EntrySpan returns the bytes of the i-th entry in the section.
func (h *Hdr) EntrySpan(i int) model.Span {
	return model.Span{Off: h.Table.Off + int64(i*h.width), Len: int64(h.width)}
}

// Unsorted returns the index of the first entry whose PC is not above the
// previous one's, and whether there is one. Consumers use binary search.
func (h *Hdr) Unsorted() (int, bool) {
	for i := 1; i < h.n; i++ {
		if cmp.Compare(h.Entry(i-1).PC, h.Entry(i).PC) >= 0 {
			return i, true
		}
	}
	return 0, false
}

// Find returns the last entry whose PC is not above pc, by the binary search of consumers.
func (h *Hdr) Find(pc uint64) (HdrEntry, bool) {
	i := sort.Search(h.n, func(i int) bool { return h.Entry(i).PC > pc })
	if i == 0 {
		return HdrEntry{}, false
	}
	return h.Entry(i - 1), true
}
