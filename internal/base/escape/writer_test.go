package escape_test

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
)

// through writes a string in pieces of n bytes.
func through(s string, form escape.Form, n int) string {
	var b bytes.Buffer
	w := escape.NewWriter(&b, form)
	for len(s) > 0 {
		k := min(n, len(s))
		_, _ = w.Write([]byte(s[:k])) // a Buffer has no errors
		s = s[k:]
	}
	_ = w.Close()
	return b.String()
}

func TestWriter(t *testing.T) {
	for _, x := range []struct{ in, text, json, html string }{
		{"a: b::c\n", "a: b::c\n", "a: b::c\n", "a: b::c\n"},
		{"::error::x", `:\x3aerror::x`, `:\u003aerror::x`, ":&#58;error::x"},
		{"a\n \t::x:: y", "a\n  :\\x3ax:: y", "a\n  :\\u003ax:: y", "a\n  :&#58;x:: y"},
		{": :", ": :", ": :", ": :"},
		{"x##[error]", `x##\x5berror]`, `x##\u005berror]`, "x##&#91;error]"},
		{"##VSO[a]", `##VSO\x5ba]`, `##VSO\u005ba]`, "##VSO&#91;a]"},
		{"#[a] # #[ ##x#[ ## [", "#[a] # #[ ##x#[ ## [", "#[a] # #[ ##x#[ ## [", "#[a] # #[ ##x#[ ## ["},
		{"\x1b]0;t\x07\x7f", `\x1b]0;t\x07\x7f`, `\u001b]0;t\u0007\u007f`, `\x1b]0;t\x07\x7f`},
		{"ä\u202e\u009b\U000e0001\xff\xc3", `ä\u202e\u009b\U000e0001\xff\xc3`, `ä\u202e\u009b\udb40\udc01\\xff\\xc3`, `ä\u202e\u009b\U000e0001\xff\xc3`},
	} {
		for _, n := range []int{1, 2, 3, 100} {
			assert.Equal(t, x.text, through(x.in, escape.Text, n), "%q in %d", x.in, n)
			assert.Equal(t, x.json, through(x.in, escape.JSON, n), "%q in %d", x.in, n)
			assert.Equal(t, x.html, through(x.in, escape.HTML, n), "%q in %d", x.in, n)
		}
	}
}

// TestWriterWords holds what is read 8 bytes at a time against single bytes, for each byte at
// each place.
func TestWriterWords(t *testing.T) {
	line := []byte("a line, 17 long.\n")
	for at := range line {
		for c := range 256 {
			s := append(bytes.Clone(line), line...)
			s[at] = byte(c)
			require.Equal(t, through(string(s), escape.Text, 1), through(string(s), escape.Text, 100), "%q", s)
		}
	}
}

func TestCut(t *testing.T) {
	assert.Equal(t, strings.Repeat("n", 256), escape.Name(strings.Repeat("n", 256)))
	assert.Equal(t, strings.Repeat("n", 256)+"...(257 bytes)", escape.Name(strings.Repeat("n", 257)))
	assert.Equal(t, strings.Repeat("ä", 127)+"x...(300 bytes)", escape.Name(strings.Repeat("ä", 127)+"x"+strings.Repeat("ä", 22)+"y"))
	assert.Equal(t, strings.Repeat(`\xbf`, 252)+"...(999 bytes)", escape.Name(strings.Repeat("\xbf", 999)))
}

// FuzzWriter writes whatever comes in two parts: nothing in it is obeyed, it means
// the same in JSON and HTML, it grows by a factor of 6 at most, and memory has a bound.
func FuzzWriter(f *testing.F) {
	for _, s := range []string{"::x", " \t::x", "##[x", "##vso[x", "\x1b[31m", "\xff\u202e", "a\n::b", "ä\u0085\u00a0", ":", "#"} {
		f.Add(s, 1)
	}
	f.Fuzz(func(t *testing.T, s string, at int) {
		at = min(max(at, 0), len(s))
		for _, form := range []escape.Form{escape.Text, escape.JSON, escape.HTML} {
			var b bytes.Buffer
			used := testkit.Allocated(func() {
				w := escape.NewWriter(&b, form)
				for _, part := range []string{s[:at], s[at:]} {
					_, err := w.WriteString(part)
					require.NoError(t, err)
				}
				require.NoError(t, w.Close())
			})
			require.LessOrEqual(t, used, uint64(4<<20+100*len(s)))
			require.NoError(t, testkit.Obeyed(b.String()))
			require.LessOrEqual(t, b.Len(), 6*len(s))
			assert.Equal(t, through(s, form, 1), b.String())
		}
		quoted, err := json.Marshal(s)
		require.NoError(t, err)
		var same, again string
		require.NoError(t, json.Unmarshal(quoted, &same))
		require.NoError(t, json.Unmarshal([]byte(through(string(quoted), escape.JSON, len(quoted))), &again))
		assert.Equal(t, same, again)
		if plain := escape.UTF8(s); !strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || r >= 0x7f }) {
			assert.Equal(t, plain, html.UnescapeString(through(html.EscapeString(plain), escape.HTML, 7)))
		}
	})
}
