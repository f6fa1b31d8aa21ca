package reports

import "github.com/sframe-lint/sframe-lint/internal/escape"

// Escape makes a name or message safe to print: it writes what a terminal could
// interpret (control characters, direction marks) and bytes that are not UTF-8 as
// \x1b, \u202e or \xff. Everything else stays.
func Escape(s string) string { return escape.Printable(s) }

// ValidUTF8 replaces only the bytes that are not UTF-8, as [Escape] does. Encoders
// of JSON would replace all of them by the same character.
func ValidUTF8(s string) string { return escape.UTF8(s) }
