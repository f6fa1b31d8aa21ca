package dump

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
)

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
