package dump

import (
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// flushAt is the number of buffered bytes that are written at once.
const flushAt = 1 << 15

// printer buffers text and writes it in large pieces. The first error of the
// writer is kept and stops all output.
type printer struct {
	w     io.Writer
	buf   []byte
	err   error
	cache rowCache
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

func (p *printer) printf(format string, args ...any) { p.buf = fmt.Appendf(p.buf, format, args...) }

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

// cached writes a text that depends only on the contents of a row: that of a row before it, or what write writes.
func (p *printer) cached(r *model.FRE, write func()) {
	slot, hit := p.cache.find(r)
	if hit {
		p.buf = append(p.buf, slot.text...)
		return
	}
	from := len(p.buf)
	write()
	slot.keep(p.buf[from:])
}

// cleanName makes a name from a file safe for a terminal: control characters, bytes
// that are not UTF-8, marks that change the writing direction and backslashes
// become escapes as in Go. Where a name may be long, it has been cut.
func cleanName(s string) string {
	s = escape.Cut(s, escape.MaxMessage) // a path or message
	plain := utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool {
		return r == '\\' || !strconv.IsPrint(r)
	}) < 0
	if plain {
		return s
	}
	q := strconv.Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

// rowCache keeps the text of FREs by their contents. Programs repeat a few
// hundred combinations of info byte and words, and formatting an FRE costs
// several times as much as finding its text.
type rowCache struct {
	slots [1 << slotBits]rowText
	other rowText // of an FRE whose contents do not fit into a key
}

const slotBits = 10

// rowText is the part of an FRE's text that depends only on its contents.
type rowText struct {
	key  uint64 // 0: none
	text []byte // to the end of the line
	cut  int    // in text, where the bytes of the start belong; unused in objdump's format
}

// cachedBytes is the number of bytes of data words that fit into a key.
const cachedBytes = 6

// find returns the place for the text of an FRE and reports whether it has been
// filled.
func (c *rowCache) find(r *model.FRE) (*rowText, bool) {
	words, n := r.Content()
	if n > cachedBytes {
		return &c.other, false
	}
	key := words<<16 | uint64(r.Info())<<8 | uint64(r.FDEType()) + 1
	t := &c.slots[key*0x9e3779b97f4a7c15>>(64-slotBits)] // the top bits depend on all others
	if t.key == key {
		return t, true
	}
	t.key = key
	return t, false
}

func (t *rowText) keep(text []byte) { t.text = append(t.text[:0], text...) }

// faultTexts describe faults by what was found, what was expected, and the details, which begin with a colon if there are any.
var faultTexts = map[reader.FaultCode]string{
	reader.TooShort:          "the section ends inside the header: %[1]d of %[2]d bytes",
	reader.BadMagic:          "0x%04[1]x is not the SFrame magic number in either byte order",
	reader.UnknownVersion:    "version %[1]d is unknown: nothing after the header can be decoded",
	reader.AuxBeyondEnd:      "the auxiliary header ends at 0x%[2]x, beyond the section's end at 0x%[1]x",
	reader.FDEsBeyondEnd:     "the FDE sub-section ends at 0x%[2]x, beyond the section's end at 0x%[1]x",
	reader.FREsBeyondEnd:     "the FRE sub-section ends at 0x%[2]x, beyond the section's end at 0x%[1]x",
	reader.FREOffBeyond:      "start_fre_off 0x%[1]x is beyond the FRE sub-section of 0x%[2]x bytes",
	reader.AttrTruncated:     "the attribute at start_fre_off 0x%[1]x is cut off by the end of the FRE sub-section",
	reader.FRETruncated:      "the FRE sub-section ends after %[1]d of %[2]d FREs",
	reader.FRETypeUndefined:  "FRE type %[1]d is undefined: the FREs cannot be decoded",
	reader.WordSizeUndefined: "word size code %[1]d is undefined: this FRE and those after it cannot be decoded",
	reader.FREsShared:        "the FDEs use the FRE sub-section more than twice over: these FREs were not decoded%[3]s",
	reader.FaultsCut:         "%[1]d more faults",

	reader.SectionBeyondEnd:  "the .sframe section ends at 0x%[2]x, beyond the file's end at 0x%[1]x",
	reader.SectionTooLarge:   "%[1]d bytes exceed the limit of %[2]d",
	reader.SectionCompressed: "the .sframe section is compressed%[3]s",
	reader.SectionNoBits:     "the .sframe section has no bytes in the file (SHT_NOBITS)%[3]s",
	reader.RelocsDamaged:     "relocations%[3]s",
	reader.ELFDamaged:        "ELF%[3]s",
	reader.ArchiveDamaged:    "archive%[3]s",
	reader.MemberUnreadable:  "archive member%[3]s",
	reader.BudgetExceeded:    "not read to the end%[3]s",
}

// FaultText describes a fault of a section, or of the ELF file or archive around it.
func FaultText(f reader.Fault) string {
	format, ok := faultTexts[f.Code]
	switch {
	case f.Code == reader.OtherMachine:
		return "the format has no ABI for the file: relocations and symbols are not read"
	case !ok:
		return cleanName(f.String())
	}
	detail := ""
	if f.Detail != "" {
		detail = ": " + cleanName(f.Detail)
	}
	return fmt.Sprintf(format, f.Got, f.Want, detail)
}
