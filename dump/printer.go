package dump

import (
	"io"
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
func (p *printer) hex(v uint64) {
	p.buf = strconv.AppendUint(append(p.buf, '0', 'x'), v, 16)
}

const hexDigits = "0123456789abcdef"

// hex16 writes a number as 16 digits.
func (p *printer) hex16(v uint64) {
	var b [16]byte
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = hexDigits[v&15]
		v >>= 4
	}
	p.buf = append(p.buf, b[:]...)
}

const blanks = "                                "

// pad fills a column that began at from up to width characters.
func (p *printer) pad(from, width int) {
	for n := from + width - len(p.buf); n > 0; n -= len(blanks) {
		p.buf = append(p.buf, blanks[:min(n, len(blanks))]...)
	}
}

// hexOnly writes a number in hexadecimal without 0x.
func (p *printer) hexOnly(v uint64) { p.buf = strconv.AppendUint(p.buf, v, 16) }
