package dump

import (
	"io"
	"math/bits"
	"strconv"
)

// flushAt is the number of buffered bytes that are written at once.
const flushAt = 1 << 15

// printer buffers text and writes it in large pieces. The first error of the
// writer is kept and stops all output.
type printer struct {
	w   io.Writer
	buf []byte
	err error
}

func newPrinter(w io.Writer) *printer {
	return &printer{w: w, buf: make([]byte, 0, flushAt+flushAt/4)}
}

// spill writes the buffer if it is large enough. It reports whether to
// continue.
func (p *printer) spill() bool {
	if len(p.buf) >= flushAt {
		p.flush()
	}
	return p.err == nil
}

func (p *printer) flush() error {
	if p.err == nil && len(p.buf) > 0 {
		_, p.err = p.w.Write(p.buf)
	}
	p.buf = p.buf[:0]
	return p.err
}

func (p *printer) str(s string) { p.buf = append(p.buf, s...) }

func (p *printer) dec(v int64) { p.buf = strconv.AppendInt(p.buf, v, 10) }

// signed writes a number with its sign.
func (p *printer) signed(v int64) {
	if v >= 0 {
		p.buf = append(p.buf, '+')
	}
	p.dec(v)
}

// hex writes a number as 0x and digits without leading zeros.
func (p *printer) hex(v uint64) { p.buf = appendHex(p.buf, 1, v) }

// appendHex appends a number as 0x and at least n digits.
func appendHex(b []byte, n int, v uint64) []byte { return appendDigits(append(b, '0', 'x'), n, v) }

// appendDigits appends a number as at least n hexadecimal digits.
func appendDigits(b []byte, n int, v uint64) []byte {
	for k := max(n, hexLen(v)) - 1; k >= 0; k-- {
		b = append(b, hexDigits[v>>(4*k&63)&15])
	}
	return b
}

// hexLen returns the number of digits of a number in hexadecimal.
func hexLen(v uint64) int { return (bits.Len64(v|1) + 3) / 4 }

const hexDigits = "0123456789abcdef"

const blanks = "                                "

// pad fills a column that began at from up to width characters.
func (p *printer) pad(from, width int) { p.buf = appendBlanks(p.buf, from+width) }

// appendBlanks appends blanks up to a length.
func appendBlanks(b []byte, end int) []byte {
	for len(b) < end {
		n := min(end, len(b)+len(blanks))
		b = append(b, blanks...)[:n] // faster than a part of the blanks
	}
	return b
}

// bytes writes bytes in hexadecimal, with blanks between them.
func (p *printer) bytes(data []byte) { p.buf = appendBytes(p.buf, data) }

func appendBytes(b, data []byte) []byte {
	for i, c := range data {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, hexDigits[c>>4], hexDigits[c&15])
	}
	return b
}
