package cfi

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

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
	c := cursor{b: b, big: l.abi.Big}
	end := c.uint(4)
	if end == 0xffffffff {
		end = c.uint(8)
	}
	if left := uint64(frame.sp.Len) - last - uint64(c.pos); !c.bad && end <= left {
		frame.sp.Len = int64(last + uint64(c.pos) + end)
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
	l.f.Skipped = append(l.f.Skipped, Skipped{Name: EHFrame.String(), Index: l.f.HdrIndex, Why: fmt.Sprintf(".eh_frame_hdr puts it at 0x%x, where no section of this name is", h.Frame.Addr)})
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
			l.f.Skipped = append(l.f.Skipped, Skipped{Name: s.Name, Index: s.Index, Why: fmt.Sprintf(".eh_frame_hdr has an FDE of it at 0x%x, which is not in the section", at)})
			return nil
		}
	}
	return nil
}
