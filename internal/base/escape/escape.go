// Package escape makes names and messages from a file safe to write. [Printable], [UTF8] and [Name] escape one
// string. A [Writer] is the sink of a report.
package escape

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Printable makes a string safe to print. It writes characters that a terminal could interpret, such as control
// characters and direction marks, and bytes that are not UTF-8 as \x1b, \u202e or \xff.
func Printable(s string) string { return escape(s, strconv.IsPrint) }

// UTF8 escapes only the bytes that are not UTF-8, in the way of [Printable]. Encoders of JSON would replace all such
// bytes by the same character.
func UTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return escape(s, func(rune) bool { return true })
}

// MaxName is the maximum number of bytes shown of a name; MaxMessage is that of a message or reason.
const (
	MaxName    = 256
	MaxMessage = 4096
)

// Cut returns a string of at most n bytes unchanged. It cuts a longer string after n bytes, or before the character
// that would be split there, and adds the length of the whole: "main...(20480 bytes)".
func Cut[S string | []byte](s S, n int) string {
	if len(s) <= n {
		return string(s)
	}
	end := n
	for end > max(n-utf8.UTFMax, 0) && !utf8.RuneStart(s[end]) {
		end--
	}
	return fmt.Sprintf("%s...(%d bytes)", s[:end], len(s))
}

// Name returns a name for a text: cut and printable.
func Name(s string) string { return Printable(Cut(s, MaxName)) }

// Quoted returns a name for a text, in quotation marks.
func Quoted(s string) string { return `"` + Name(s) + `"` }

// Message returns a message or reason for a text: cut and printable.
func Message(s string) string { return Printable(Cut(s, MaxMessage)) }

func escape(s string, keep func(rune) bool) string {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return escapeFrom(s, i, keep)
		}
	}
	return s
}

// escapeFrom is escape for a string that needs a look from its byte at on.
func escapeFrom(s string, at int, keep func(rune) bool) string {
	var b strings.Builder
	b.WriteString(s[:at])
	for at < len(s) {
		r, n := utf8.DecodeRuneInString(s[at:])
		if (r != utf8.RuneError || n > 1) && keep(r) {
			b.WriteString(s[at : at+n])
		} else {
			b.Write(backslash(nil, s[at], r, n))
		}
		at += n
	}
	return b.String()
}

// backslash appends a character of n bytes, the first of which is first, as text.
func backslash(b []byte, first byte, r rune, n int) []byte {
	switch {
	case r == utf8.RuneError && n == 1:
		return fmt.Appendf(b, `\x%02x`, first)
	case r < 0x80:
		return fmt.Appendf(b, `\x%02x`, r)
	case r <= 0xffff:
		return fmt.Appendf(b, `\u%04x`, r)
	}
	return fmt.Appendf(b, `\U%08x`, r)
}

// Form is the form in which a [Writer] writes a character that must be escaped.
type Form uint8

// Forms. In JSON and HTML, readers of the document see the original character if the format can express it.
const (
	Text Form = iota // \x1b, \u202e
	JSON             // \u001b, inside of strings
	HTML             // &#58;, and as Text where HTML has no form
)

// Writer is the sink of a report. It writes UTF-8 text without commands to a terminal, or to a service that runs jobs
// and reads their output:
//
//   - It escapes bytes that are not UTF-8, and characters that are not shown, such as direction marks and control
//     characters except the line feed. A tab becomes a space.
//   - A line does not begin with "::", even after spaces.
//   - "##[" does not occur, even with letters before the bracket, as in "##vso[".
//
// Callers must escape a line feed in a name: see [Printable].
type Writer struct {
	w    io.Writer
	form Form

	start  bool // only spaces since the last line feed
	colon  bool // a colon at the line's start
	hashes int  // "#" so far, and whether letters have followed
	word   bool
	keep   []byte // of a character, the bytes so far
	out    []byte
}

// NewWriter returns a sink that writes to w. It holds back at most a part of a character.
func NewWriter(w io.Writer, form Form) *Writer { return &Writer{w: w, form: form, start: true} }

// Raw writes a part of a line unchanged, for commands of the program itself.
func (w *Writer) Raw(s string) error {
	if err := w.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w.w, s)
	return err
}

// Write implements [io.Writer].
func (w *Writer) Write(p []byte) (int, error) {
	n := len(p)
	if n > 0 && w.untouched(p) {
		_, err := w.w.Write(p)
		return n, err
	}
	w.out = w.out[:0]
	if len(w.keep) > 0 { // a character goes on
		p = append(w.keep, p...)
		w.keep = nil
	}
	for len(p) > 0 {
		if k := w.plain(p); k > 0 {
			w.out, p = append(w.out, p[:k]...), p[k:]
			w.colon, w.hashes, w.word = false, 0, false
			continue
		}
		if !utf8.FullRune(p) {
			w.keep = bytes.Clone(p)
			break
		}
		p = p[w.char(p):]
	}
	return n, w.emit()
}

// untouched reports whether all of p stays as it is, and if so, follows it: nearly all
// that is written. p has printable ASCII and line feeds, no "#", and no colon that
// begins a line.
func (w *Writer) untouched(p []byte) bool {
	if len(w.keep) > 0 || w.colon || w.hashes > 0 || bytes.IndexByte(p, '#') >= 0 || !ordinary(p) {
		return false
	}
	start, rest := w.start, p
	for colon := bytes.IndexByte(rest, ':'); colon >= 0; colon = bytes.IndexByte(rest, ':') { // the first of its line
		if begins(start, rest[:colon]) {
			return false
		}
		_, rest, _ = bytes.Cut(rest[colon:], []byte("\n"))
		start = true
	}
	w.start = begins(w.start, p)
	return true
}

// begins reports whether a line has only spaces after p is written. start tells it of the line before p.
func begins(start bool, p []byte) bool {
	p = bytes.TrimRight(p, " ")
	return len(p) == 0 && start || len(p) > 0 && p[len(p)-1] == '\n'
}

// ordinary reports whether p has only printable ASCII and line feeds.
func ordinary(p []byte) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; len(p) >= 8; p = p[8:] {
		// Of a byte below 0x80, the sums set the top bit from 0x7f, from a space, and of all but a line feed.
		x := binary.LittleEndian.Uint64(p)
		if (x|(x+ones)|^(x+0x60*ones)&((x^'\n'*ones)+0x7f*ones))&tops != 0 {
			return false
		}
	}
	return !slices.ContainsFunc(p, func(c byte) bool { return c < ' ' && c != '\n' || c >= 0x7f })
}

// plain returns how many bytes stay as they are, whatever follows them.
func (w *Writer) plain(p []byte) int {
	if w.start || w.colon || w.hashes > 0 {
		return 0
	}
	for i, c := range p {
		if c < ' ' || c >= 0x7f || c == '#' {
			return i
		}
	}
	return len(p)
}

// emit writes what has been escaped.
func (w *Writer) emit() error {
	if len(w.out) == 0 {
		return nil
	}
	_, err := w.w.Write(w.out)
	return err
}

// WriteString implements [io.StringWriter].
func (w *Writer) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

// Close writes the bytes of an incomplete character. It does not close the underlying writer.
func (w *Writer) Close() error {
	w.out = w.out[:0]
	for _, b := range w.keep {
		w.quote(b, utf8.RuneError, 1)
	}
	w.keep = nil
	return w.emit()
}

// char appends the first character of p and returns its length.
func (w *Writer) char(p []byte) int {
	c := p[0]
	if c >= utf8.RuneSelf {
		r, n := utf8.DecodeRune(p)
		w.step(c)
		if r == utf8.RuneError && n == 1 || !strconv.IsPrint(r) {
			w.quote(c, r, n)
		} else {
			w.out = append(w.out, p[:n]...)
		}
		return n
	}
	command := c == ':' && w.colon || c == '[' && w.hashes >= 2
	w.step(c)
	switch {
	case command, c < ' ' && c != '\n' && c != '\t', c == 0x7f:
		w.quote(c, rune(c), 1)
	case c == '\t':
		w.out = append(w.out, ' ')
	default:
		w.out = append(w.out, c)
	}
	return 1
}

// step follows what begins a command.
func (w *Writer) step(c byte) {
	w.colon = c == ':' && w.start
	switch {
	case c == '\n':
		w.start = true
	case c != ' ' && c != '\t':
		w.start = false
	}
	letter := c|0x20 >= 'a' && c|0x20 <= 'z'
	switch {
	case c == '#' && !w.word:
		w.hashes++
	case c == '#':
		w.hashes, w.word = 1, false
	case letter && w.hashes >= 2:
		w.word = true
	default:
		w.hashes, w.word = 0, false
	}
}

// quote appends a character in a form that nothing obeys.
func (w *Writer) quote(first byte, r rune, n int) {
	invalid := r == utf8.RuneError && n == 1
	switch {
	case w.form == JSON && invalid:
		w.out = fmt.Appendf(w.out, `\\x%02x`, first)
	case w.form == JSON && r > 0xffff:
		hi, lo := utf16.EncodeRune(r)
		w.out = fmt.Appendf(w.out, `\u%04x\u%04x`, hi, lo)
	case w.form == JSON:
		w.out = fmt.Appendf(w.out, `\u%04x`, r)
	case w.form == HTML && !invalid && r >= ' ' && r < 0x7f:
		w.out = fmt.Appendf(w.out, "&#%d;", r)
	default:
		w.out = backslash(w.out, first, r, n)
	}
}
