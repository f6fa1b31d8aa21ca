package shrink

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFormat: what was formatted is parsed again, and lines are sorted.
func TestFormatFiles(t *testing.T) {
	files := map[string][]byte{"b.o": {0x7f, 'E'}, "a": {}}
	text := FormatFiles(files)
	assert.Equal(t, "a \nb.o 7f45\n", string(text))
	got, err := ParseFiles(text)
	require.NoError(t, err)
	assert.Equal(t, files, got)
}

// TestParse rejects lines without bytes, odd digits and a name that is used twice.
func TestParseFiles(t *testing.T) {
	for text, want := range map[string]string{
		"a 00\nb\n":      "line 2: not a name and bytes in hexadecimal",
		"a 0\n":          "line 1: not a name and bytes in hexadecimal",
		"a 00\r\n":       "line 1: not a name and bytes in hexadecimal",
		"a \na 00\n":     `line 2: a second file "a"`,
		"a 00\nb 1\na 2": "line 2: not a name and bytes in hexadecimal",
	} {
		_, err := ParseFiles([]byte(text))
		assert.EqualError(t, err, want, "%q", text)
	}
}
