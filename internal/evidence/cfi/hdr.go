package cfi

import (
	"cmp"
	"fmt"
	"sort"

	"github.com/sframe-lint/sframe-lint/model"
)

// Hdr is a decoded .eh_frame_hdr section (Linux Standard Base, "The .eh_frame_hdr section"). It holds the address of
// .eh_frame and a table of FDEs for binary search. A Hdr is immutable.
type Hdr struct {
	Frame  Pointer // address of .eh_frame
	Count  uint64  // number of entries that the section states
	Table  model.Span
	Faults []Fault // with spans relative to the start of the section

	enc   Encoding
	n     int
	width int // bytes of an entry
	s     Section
}

// HdrEntry is an entry of a Hdr's table.
type HdrEntry struct {
	PC  uint64 // address of the first byte of code
	FDE uint64 // address of the FDE
}

// NewHdr decodes the .eh_frame_hdr section at addr. addr is also the base of the section's Datarel pointers.
func NewHdr(data []byte, addr uint64, abi model.ABIInfo) *Hdr {
	data = data[:min(uint64(len(data)), 1<<31-1)]
	h := &Hdr{s: Section{in: Input{Data: data, Addr: addr, ABI: abi, DataAddr: addr}}}
	fail := func(code FaultCode, at model.Span, want, got uint64) {
		h.Faults = append(h.Faults, Fault{code, at, want, got})
	}
	c := newCursor(data, 0, abi.Big)
	version := c.U8()
	encs := [3]Encoding{Encoding(c.U8()), Encoding(c.U8()), Encoding(c.U8())}
	switch {
	case c.Bad:
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
	at := c.Pos
	if encs[1] == Omit || encs[2] == Omit {
		return h // no table
	}
	count := h.s.pointer(&c, encs[1], Pointer{}, &hi)
	if c.Bad {
		fail(HdrTruncated, model.Span{Len: int64(len(data))}, 0, uint64(len(data)))
		return h
	}
	h.enc, h.width, h.Count = encs[2], 2*encs[2].Width(), count.Addr
	left := uint64(c.Left() / h.width)
	if h.Count > left {
		fail(HdrTableBeyondEnd, c.from(at), h.Count, left)
	}
	h.n = int(min(h.Count, left))
	h.Table = model.Span{Off: int64(c.Pos), Len: int64(h.n * h.width)}
	return h
}

// Len returns the number of entries in the table.
func (h *Hdr) Len() int { return h.n }

// Entry returns entry i. It panics unless 0 <= i < Len().
func (h *Hdr) Entry(i int) HdrEntry {
	if i < 0 || i >= h.n {
		panic("ehframe: index of .eh_frame_hdr entry out of range")
	}
	var hi hint
	c := newCursor(h.s.in.Data, int(h.Table.Off)+i*h.width, h.s.in.ABI.Big)
	pc := h.s.pointer(&c, h.enc, Pointer{}, &hi)
	return HdrEntry{pc.Addr, h.s.pointer(&c, h.enc, Pointer{}, &hi).Addr}
}

// EntrySpan returns the bytes of entry i, relative to the start of the section.
func (h *Hdr) EntrySpan(i int) model.Span {
	return model.Span{Off: h.Table.Off + int64(i*h.width), Len: int64(h.width)}
}

// Unsorted returns the index of the first entry whose PC is not above the PC of the previous entry. It reports false
// if the table is sorted, as the binary search of consumers requires.
func (h *Hdr) Unsorted() (int, bool) {
	for i := 1; i < h.n; i++ {
		if cmp.Compare(h.Entry(i-1).PC, h.Entry(i).PC) >= 0 {
			return i, true
		}
	}
	return 0, false
}

// Find returns the last entry whose PC is not above pc, using binary search like a consumer.
func (h *Hdr) Find(pc uint64) (HdrEntry, bool) {
	i := sort.Search(h.n, func(i int) bool { return h.Entry(i).PC > pc })
	if i == 0 {
		return HdrEntry{}, false
	}
	return h.Entry(i - 1), true
}

// located is a part of a file and its address.
type located struct {
	sp   model.Span
	addr uint64
}

// segments reads the CFI of a file that has lost its section headers, as an unwinder finds
// it at run time: by PT_GNU_EH_FRAME.
func (l *loader) segments() error {
	hdr, frame, err := l.hdr()
	if err != nil || hdr == nil {
		return err
	}
	l.f.Hdr = hdr
	if frame.sp.Len == 0 {
		return nil
	}
	if frame.sp.Len > l.limit {
		l.f.Skipped = append(l.f.Skipped, Skipped{EHFrame.String(), 0, frame.sp, fmt.Sprintf("%d bytes, more than the limit of %d", frame.sp.Len, l.limit), true})
		return nil
	}
	data, err := l.e.Data(frame.sp)
	if err != nil {
		return err
	}
	in := Input{Data: data, Addr: frame.addr, ABI: l.abi, Hold: l.hold, Step: l.step}
	s := New(in)
	if zeros := s.Terminators(); hdr.Len() == 0 && len(zeros) > 0 {
		in.Data = data[:zeros[0].Off]
		s = New(in)
	}
	return l.add(Loaded{s, EHFrame.String(), 0, frame.sp.Off})
}

// hdr reads the .eh_frame_hdr of PT_GNU_EH_FRAME, nil where there is none, and returns
// where .eh_frame is: from the address that the header states to the end of the last FDE
// of its table or, without a table, of the segment.
func (l *loader) hdr() (hdr *Hdr, frame located, err error) {
	if s, ok := l.e.FrameSegment(); ok {
		if sp, ok := l.e.LoadedAt(s.Vaddr); ok {
			sp.Len = min(sp.Len, int64(min(s.Filesz, uint64(l.size))))
			data, err := l.e.Data(sp)
			if err != nil {
				return nil, frame, err
			}
			hdr = NewHdr(data, s.Vaddr, l.abi)
		}
	}
	if hdr == nil || !hdr.Frame.OK || hdr.Frame.Addr == 0 {
		return hdr, frame, nil
	}
	frame.addr = hdr.Frame.Addr
	if frame.sp, _ = l.e.LoadedAt(frame.addr); frame.sp.Len == 0 {
		return hdr, frame, nil
	}
	if err := l.f.budget.Step(int64(hdr.Len())); err != nil {
		return hdr, frame, err
	}
	last := uint64(0)
	for i := range hdr.Len() {
		if at := hdr.Entry(i).FDE; at >= frame.addr {
			last = max(last, at-frame.addr)
		}
	}
	if hdr.Len() == 0 || last >= uint64(frame.sp.Len) {
		return hdr, frame, nil
	}
	// The entry decides its own end: a length of 4 or 12 bytes, and what that counts.
	at := model.Span{Off: frame.sp.Off + int64(last), Len: min(12, frame.sp.Len-int64(last))}
	b, err := l.e.Data(at)
	if err != nil {
		return hdr, frame, err
	}
	c := newCursor(b, 0, l.abi.Big)
	end := c.Uint(4)
	if end == 0xffffffff {
		end = c.Uint(8)
	}
	if left := uint64(frame.sp.Len) - last - uint64(c.Pos); !c.Bad && end <= left {
		frame.sp.Len = int64(last + uint64(c.Pos) + end)
	}
	return hdr, frame, nil
}

// checkPromised looks whether a linked file has the CFI that its .eh_frame_hdr points to. The one
// that a segment names counts where no section has its name.
func (l *loader) checkPromised() error {
	if l.e.Relocatable() || l.e.Stripped() {
		return nil
	}
	h := l.f.Hdr
	if h == nil {
		var err error
		if h, _, err = l.hdr(); err != nil || h == nil {
			return err
		}
	}
	if !h.Frame.OK || h.Frame.Addr == 0 {
		return nil
	}
	for i := range l.f.Sections {
		s := &l.f.Sections[i]
		if in := s.Input(); in.Kind == EHFrame && h.Frame.Addr >= in.Addr && h.Frame.Addr-in.Addr < uint64(len(in.Data)) {
			return l.checkReached(h, s)
		}
	}
	for i := range l.f.Skipped {
		if s := &l.f.Skipped[i]; s.Name == EHFrame.String() {
			return nil
		}
	}
	l.f.Skipped = append(l.f.Skipped, Skipped{Name: EHFrame.String(), Index: l.f.HdrIndex, Why: fmt.Sprintf(".eh_frame_hdr points to it at 0x%x, but no section of this name is there", h.Frame.Addr)})
	return nil
}

// checkReached looks whether a section has the last FDE that a header's table names.
func (l *loader) checkReached(h *Hdr, s *Loaded) error {
	if err := l.f.budget.Step(int64(h.Len())); err != nil {
		return err
	}
	in := s.Input()
	for i := range h.Len() {
		if at := h.Entry(i).FDE; at >= in.Addr && at-in.Addr >= uint64(len(in.Data)) { // mold leaves entries without an FDE
			l.f.Skipped = append(l.f.Skipped, Skipped{Name: s.Name, Index: s.Index, Why: fmt.Sprintf(".eh_frame_hdr points to an FDE at 0x%x, outside the section", at)})
			return nil
		}
	}
	return nil
}
