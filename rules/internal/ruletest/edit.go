package ruletest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Edit replaces bytes of a section.
type Edit struct {
	at, del int // del < 0: as many as are put in
	text    string
}

// Set overwrites the bytes at an offset.
func Set(at int, text string) Edit { return Edit{at, -1, text} }

// Insert puts bytes before an offset.
func Insert(at int, text string) Edit { return Edit{at, 0, text} }

// Delete takes n bytes out.
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
