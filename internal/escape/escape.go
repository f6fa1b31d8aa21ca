// Package escape makes names and messages that come from a file safe to
// write.
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

// UTF8 replaces the bytes that are not UTF-8, and those alone, the way
// [Printable] does; encoders of JSON would make all of them one and the same.
func UTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return escape(s, func(rune) bool { return true })
}

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
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[at])
		case keep(r):
			b.WriteString(s[at : at+n])
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		at += n
	}
	return b.String()
}
