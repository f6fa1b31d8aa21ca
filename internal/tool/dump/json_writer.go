package dump

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sframe-lint/sframe-lint/model"
)

// jsonPrinter writes JSON (RFC 8259) piece by piece.
type jsonPrinter struct {
	*printer
	data []byte // of the section
	more bool   // an element precedes: write a comma
}

func (j *jsonPrinter) comma() {
	if j.more {
		j.str(",")
	}
	j.more = false
}

// open begins an object or array as an element, close ends it.
func (j *jsonPrinter) open(c byte) {
	j.comma()
	j.buf = append(j.buf, c)
}

func (j *jsonPrinter) close(c byte) {
	j.buf = append(j.buf, c)
	j.more = true
}

// key begins a member; its names need no escapes.
func (j *jsonPrinter) key(k string) {
	j.comma()
	j.str(`"`)
	j.str(k)
	j.str(`":`)
}

func (j *jsonPrinter) num(k string, v int64) {
	j.key(k)
	j.dec(v)
	j.more = true
}

func (j *jsonPrinter) bool(k string, v bool) {
	j.key(k)
	j.buf = strconv.AppendBool(j.buf, v)
	j.more = true
}

// addr writes an address as a string: some JSON readers cannot represent 64-bit
// numbers.
func (j *jsonPrinter) addr(k string, v uint64) {
	j.key(k)
	j.str(`"`)
	j.hex(v)
	j.str(`"`)
	j.more = true
}

// raw writes the bytes of a span as digits.
func (j *jsonPrinter) raw(k string, sp model.Span) {
	j.key(k)
	j.str(`"`)
	sp = sp.Clip(int64(len(j.data)))
	for _, b := range j.data[sp.Off:sp.End()] {
		j.buf = append(j.buf, hexDigits[b>>4], hexDigits[b&15])
		if !j.spill() {
			return
		}
	}
	j.str(`"`)
	j.more = true
}

func (j *jsonPrinter) text(k, v string) {
	j.key(k)
	j.string(v)
}

// string writes a value. Bytes that are not UTF-8 become U+FFFD; control
// characters become escapes.
func (j *jsonPrinter) string(v string) {
	j.str(`"`)
	for _, r := range v {
		switch {
		case r == '"' || r == '\\':
			j.buf = append(j.buf, '\\', byte(r))
		case r > 0xffff && !strconv.IsPrint(r):
			hi, lo := utf16.EncodeRune(r)
			j.escape(hi)
			j.escape(lo)
		case !strconv.IsPrint(r):
			j.escape(r)
		default:
			j.buf = utf8.AppendRune(j.buf, r)
		}
	}
	j.str(`"`)
	j.more = true
}

// escape writes a 16-bit code unit as \u and its four hexadecimal digits.
func (j *jsonPrinter) escape(unit rune) {
	j.str(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		j.buf = append(j.buf, hexDigits[unit>>shift&15])
	}
}
