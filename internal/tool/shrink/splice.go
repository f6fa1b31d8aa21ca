package shrink

import (
	"encoding/binary"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

const relaSize = elf64.RelaSize

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
		p.put(elf64.In(sec.Header.Off, elf64.ShdrSizeField), uint64(len(s.Bytes)))
	}
	for _, i := range o.ELF.SFrameSegments() {
		if seg := o.ELF.Segments[i]; seg.Offset == uint64(sf.Offset) {
			p.put(elf64.In(seg.Header.Off, elf64.PhdrFilesz), uint64(len(s.Bytes)))
			p.put(elf64.In(seg.Header.Off, elf64.PhdrMemsz), uint64(len(s.Bytes)))
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

// put sets a field if it is in the file.
func (p patcher) put(sp model.Span, v uint64) {
	if sp.Off >= 0 && sp.Off <= int64(len(p.b))-sp.Len {
		number.Put(p.order, p.b[sp.Off:sp.End()], v)
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
		p.put(model.Span{Off: to, Len: 8}, uint64(off))
		to += relaSize
	}
	clear(p.b[to : from+int64(len(was))])
	p.put(elf64.In(sec.Header.Off, elf64.ShdrSizeField), uint64(to-from))
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
