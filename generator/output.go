package generator

import (
	"encoding/binary"
	"fmt"
)

// output is the section that is being written. A write beyond its end or
// over another one sets err, and nothing is written from then on.
type output struct {
	buf []byte
	pos int64
	big bool
	err error

	// taken, if not nil, marks the bytes that were written. Only rows may be
	// written twice, with the same bytes: functions can share them.
	taken  []byte
	shared bool
}

const (
	takenOnce = iota + 1
	takenShared
)

func (o *output) at(off int64) { o.pos = off }

// room returns the next n bytes, nil if there is an error.
func (o *output) room(n int) []byte {
	if o.err != nil {
		return nil
	}
	if o.pos < 0 || o.pos > int64(len(o.buf))-int64(n) {
		o.err = fmt.Errorf("bytes 0x%x to 0x%x are outside the layout's %d", o.pos, o.pos+int64(n), len(o.buf))
		return nil
	}
	b := o.buf[o.pos : o.pos+int64(n)]
	o.pos += int64(n)
	return b
}

// bytes writes bytes that are already in the byte order.
func (o *output) bytes(src []byte) {
	from := o.pos
	b := o.room(len(src))
	if b == nil {
		return
	}
	if o.taken != nil {
		o.claim(from, b, src)
	}
	copy(b, src)
}

func (o *output) claim(from int64, b, src []byte) {
	mark := byte(takenOnce)
	if o.shared {
		mark = takenShared
	}
	for i := range b {
		t := &o.taken[from+int64(i)]
		if *t != 0 && (*t != takenShared || mark != takenShared || b[i] != src[i]) {
			o.err = fmt.Errorf("the layout gives byte 0x%x to two pieces", from+int64(i))
			return
		}
		*t = mark
	}
}

func (o *output) u8(v uint8) { o.bytes([]byte{v}) }

func (o *output) u32(v uint32) { o.uint(uint64(v), 4) }

// uint writes the low bytes of v, which must be enough.
func (o *output) uint(v uint64, width int) {
	var b [8]byte
	if o.big {
		binary.BigEndian.PutUint64(b[:], v)
		o.bytes(b[8-width:])
		return
	}
	binary.LittleEndian.PutUint64(b[:], v)
	o.bytes(b[:width])
}
