// Package escape makes names and messages that come from a file safe to
// write: [Printable], [UTF8] and [Name] escape one string, and a [Writer] is the
// sink of a report.
package escape

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Printable makes a string safe to print: what a terminal could obey
// (control characters, direction marks) and bytes that are not UTF-8 come
// out as \x1b, \u202e or \xff. Everything else stays.
func Printable(s string) string { return escape(s, strconv.IsPrint) }

// UTF8 replaces the bytes that are not UTF-8, and no others, the way
// [Printable] does; encoders of JSON would make all of them one and the same.
func UTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return escape(s, func(rune) bool { return true })
}

// MaxName is the number of bytes of a name that are shown, and MaxMessage how many of a
// message or reason.
const (
	MaxName    = 256
	MaxMessage = 4096
)

// Cut returns a string of at most n bytes as it is. Of a longer one, it returns the
// first n bytes, less a character that would be cut apart, and the length of the
// whole: "main...(20480 bytes)".
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
