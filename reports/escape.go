package reports

import "github.com/sframe-lint/sframe-lint/internal/escape"

// Escape makes a name or message safe to print: what a terminal could obey
// (control characters, direction marks) and bytes that are not UTF-8 come
// out as \x1b, \u202e or \xff. Everything else stays.
func Escape(s string) string { return escape.Printable(s) }

// ValidUTF8 replaces the bytes that are not UTF-8, and those alone, the way
// [Escape] does; encoders of JSON would make all of them one and the same.
func ValidUTF8(s string) string { return escape.UTF8(s) }
