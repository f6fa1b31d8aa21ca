package shrink

import (
	"encoding/binary"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

const (
	relaSize  = elf64.RelaSize
	wordBytes = 8
)

// splice replaces the k-th section of a file by a smaller one. All else stays
// in place. Relocations of bytes that were cut are removed.
func splice(file []byte, k int, s Section) []byte {
	o := object(file)
	if o == nil || o.ELF == nil || k >= len(o.SFrames) {
		return nil
	}
	sf := o.SFrames[k]
	b := slices.Clone(file)
	if len(s.Bytes) > len(sf.Data) || sf.Offset < 0 || sf.Offset+int64(len(sf.Data)) > int64(len(b)) {
		return nil
	}
	place := b[sf.Offset:][:len(sf.Data)]
	clear(place[copy(place, s.Bytes):])
	p := patcher{b, o.ELF.Order}
	if sec, ok := o.ELF.SectionOf(sf); ok {
		p.put(sec.Header.Off+elf64.ShdrSizeField.Off, uint64(len(s.Bytes)))
	}
	for _, i := range o.ELF.SFrameSegments() {
		if seg := o.ELF.Segments[i]; seg.Offset == uint64(sf.Offset) {
			p.put(seg.Header.Off+elf64.PhdrFilesz.Off, uint64(len(s.Bytes)))
			p.put(seg.Header.Off+elf64.PhdrMemsz.Off, uint64(len(s.Bytes)))
		}
	}
	p.relocate(o, sf, s.Cuts)
	return b
}

// patcher writes into a file.
type patcher struct {
	b     []byte
	order binary.ByteOrder
}

func (p patcher) put(at int64, v uint64) {
	if at >= 0 && at <= int64(len(p.b))-wordBytes {
		p.order.PutUint64(p.b[at:], v)
	}
}

func (p patcher) put16(at int64, v uint16) {
	if at >= 0 && at <= int64(len(p.b))-2 {
		p.order.PutUint16(p.b[at:], v)
	}
}

// relocate removes the relocations of bytes that were cut, and moves the
// others.
func (p patcher) relocate(o *reader.Object, sf *reader.SFrame, cuts []model.Span) {
	if len(cuts) == 0 || len(sf.Relocs) == 0 || sf.RelocIndex <= 0 || sf.RelocIndex >= len(o.ELF.Sections) {
		return
	}
	sec := o.ELF.Sections[sf.RelocIndex]
	from := int64(sec.Offset)
	if sec.EntSize != relaSize || from < 0 || from > int64(len(p.b)) || sec.Size > uint64(int64(len(p.b))-from) {
		return
	}
	was := slices.Clone(p.b[from:][:sec.Size])
	to := from
	for at := 0; at+relaSize <= len(was); at += relaSize {
		off, gone := shift(int64(p.order.Uint64(was[at:])), cuts)
		if gone {
			continue
		}
		copy(p.b[to:], was[at:at+relaSize])
		p.put(to, uint64(off))
		to += relaSize
	}
	clear(p.b[to : from+int64(len(was))])
	p.put(sec.Header.Off+elf64.ShdrSizeField.Off, uint64(to-from))
}

// shift returns the offset of a byte after the cuts, and whether it was cut.
func shift(off int64, cuts []model.Span) (int64, bool) {
	n := off
	for _, c := range cuts {
		if c.Contains(off) {
			return 0, true
		}
		if c.End() <= off {
			n -= c.Len
		}
	}
	return n, false
}
