// Package ruletest lets tests of rules write a section as text, change fields or bytes of the section, and compare
// the exact findings of rules.
package ruletest

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Findings runs rules on an object. A finding consists of the rule, the offset in the section and the number of
// bytes, as in "SF1005 0x3+1". If the offset is in the object, the finding is "SF5001 file 0x3+1". The test fails if
// a rule returns an error.
func Findings(t testing.TB, all []*rules.Rule, o *reader.Object) []string {
	t.Helper()
	d := rules.Driver{Rules: all}
	res := d.Run(o)
	require.Empty(t, res.Failures)
	got := []string{}
	for _, f := range res.Findings {
		CheckMessage(t, f.Message)
		where := ""
		if !f.InSection {
			where = "file "
		}
		got = append(got, fmt.Sprintf("%s %s0x%x+%d", f.Rule.ID, where, f.Span.Off, f.Span.Len))
	}
	return got
}

// Edit is a replacement of bytes in a section.
type Edit struct {
	at, del int // del < 0: as many as are put in
	text    string
}

// Set returns an edit that overwrites the bytes at an offset.
func Set(at int, text string) Edit { return Edit{at, -1, text} }

// Insert returns an edit that inserts bytes at an offset.
func Insert(at int, text string) Edit { return Edit{at, 0, text} }

// Delete returns an edit that removes n bytes at an offset.
func Delete(at, n int) Edit { return Edit{at, n, ""} }

// apply works on data itself, where the size stays.
func (e Edit) apply(t testing.TB, data []byte, big bool) []byte {
	t.Helper()
	b := hexAt(t, e.text, big, e.at)
	n := e.del
	if n < 0 {
		n = len(b)
	}
	require.LessOrEqual(t, e.at+n, len(data), "the edit reaches beyond the section")
	return slices.Replace(data, e.at, e.at+n, b...)
}

// Addr is the virtual address of test sections.
const Addr = 0x2000

// Hex converts hex text to bytes. Comments run from # to the end of the line. A word of 2 digits is a byte, and a
// word of 4, 8 or 16 digits is a number in the byte order that big selects. @4:1000 and @8:1000 are the distance from
// the field to address 0x1000, in 4 or 8 bytes, for a section at [Addr].
func Hex(t testing.TB, text string, big bool) []byte {
	t.Helper()
	return hexAt(t, text, big, 0)
}

// hexAt is [Hex] for bytes that will stand at offset at.
func hexAt(t testing.TB, text string, big bool, at int) []byte {
	t.Helper()
	var out []byte
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range strings.Fields(line) {
			b, err := wordBytes(word, at+len(out))
			require.NoError(t, err)
			if !big {
				slices.Reverse(b)
			}
			out = append(out, b...)
		}
	}
	return out
}

// wordBytes turns a word into bytes, the highest first.
func wordBytes(word string, at int) ([]byte, error) {
	if dist, ok := strings.CutPrefix(word, "@"); ok {
		width, addr, _ := strings.Cut(dist, ":")
		a, err := strconv.ParseUint(addr, 16, 64)
		if err != nil {
			return nil, err
		}
		word = fmt.Sprintf("%016x", a-Addr-uint64(at))
		if width == "4" {
			word = word[8:]
		}
	}
	switch len(word) {
	case 2, 4, 8, 16:
		return hex.DecodeString(word)
	}
	return nil, fmt.Errorf("%q is neither a byte nor a number of 2, 4 or 8 bytes", word)
}

var quoted, enclosed = regexp.MustCompile(`"[^"]*"`), regexp.MustCompile(` ?\([^()]*(\)|\.\.\.)`)

// CheckMessage fails the test if a message has more than 25 words. A quoted text counts as one word. Text in
// parentheses does not count.
func CheckMessage(t testing.TB, message string) {
	t.Helper()
	text := quoted.ReplaceAllString(message, "name")
	for old := ""; text != old; {
		old, text = text, enclosed.ReplaceAllString(text, "")
	}
	n := len(strings.Fields(text))
	assert.True(t, 0 < n && n <= 25, "%d words: %s", n, message)
}
