package ehframe

import (
	"debug/elf"
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
	s := New(Input{Data: data, Addr: frame.addr, ABI: l.abi})
	if zeros := s.Terminators(); hdr.Len() == 0 && len(zeros) > 0 {
		s = New(Input{Data: data[:zeros[0].Off], Addr: frame.addr, ABI: l.abi})
	}
	l.f.Sections = append(l.f.Sections, Loaded{s, EHFrame.String(), 0, frame.sp.Off})
	return nil
}

// hdr reads the .eh_frame_hdr of PT_GNU_EH_FRAME, nil where there is none, and returns
// where .eh_frame is: from the address that the header states to the end of the last FDE
// of its table or, without a table, of the segment.
func (l *loader) hdr() (hdr *Hdr, frame located, err error) {
	for i := range l.e.Segments {
		s := &l.e.Segments[i]
		sp, ok := l.e.LoadedAt(s.Vaddr)
		if s.Type != elf.PT_GNU_EH_FRAME || !ok {
			continue
		}
		sp.Len = min(sp.Len, int64(min(s.Filesz, uint64(l.size))))
		data, err := l.e.Data(sp)
		if err != nil {
			return nil, frame, err
		}
		hdr = NewHdr(data, s.Vaddr, l.abi)
		break
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
