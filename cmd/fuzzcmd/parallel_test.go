package fuzzcmd

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestInOrder(t *testing.T) {
	for _, j := range []jobs{0, 1, 3, 50} {
		var got []int
		err := inOrder(j, 200, func(i int) int { return i * i }, func(i, v int) error {
			assert.Equal(t, i*i, v)
			got = append(got, i)
			return nil
		})
		require.NoError(t, err)
		require.Len(t, got, 200)
		assert.IsIncreasing(t, got)
	}
	assert.NoError(t, inOrder(2, 0, func(int) int { panic("nothing to do") }, func(int, int) error { return nil }))
}

// TestInOrderEnds: after an error hardly anything more is done.
func TestInOrderEnds(t *testing.T) {
	var worked atomic.Int32
	enough := errors.New("enough")
	taken := 0
	err := inOrder(2, 1_000_000, func(i int) int { worked.Add(1); return i }, func(i, _ int) error {
		taken++
		if i == 10 {
			return enough
		}
		return nil
	})
	assert.ErrorIs(t, err, enough)
	assert.Equal(t, 11, taken)
	assert.Less(t, worked.Load(), int32(200))
}

func TestParseCommand(t *testing.T) {
	for line, want := range map[string][]string{
		`prog @@`:                    {"prog", "@@"},
		`prog '$x' "a b" c\ d '' @@`: {"prog", "$x", "a b", "c d", "", "@@"},
		`prog --file=@@`:             {"prog", "--file=@@"},
		`prog *.go {a,b} ~ '~'`:      {"prog", "*.go", "a", "b", "~", "~"},
		"prog\n\t-a":                 {"prog", "-a"},
	} {
		got, err := parseCommand(line)
		require.NoError(t, err, line)
		assert.Equal(t, want, got, line)
	}
	for _, line := range []string{``, ` `, `a | b`, `a; b`, `a && b`, `a > b`, `a < b`, `a &`, "a `b`", `a $(b)`, `a $b`, `a "$b"`, `a "b`, `a $((1))`, `(a)`, `a <(b)`} {
		_, err := parseCommand(line)
		assert.Error(t, err, line)
	}
}
