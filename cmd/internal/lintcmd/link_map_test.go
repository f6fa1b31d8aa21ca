package lintcmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
)

// TestMapLines splits lines of maps.
func TestMapLines(t *testing.T) {
	for line, want := range map[string]string{
		" .text          0x0000000000401000       0x10 main.o":            "main.o",
		"                0x0000000000401000       0x10 dir/a b.o":         "dir/a b.o",
		" .text 0x1 0x10 lib.a(x.o)":                                      "lib.a(x.o)",
		" .text 0x1 0x10":                                                 "",
		" .text 0x1 0x10  x.o":                                            "",
		" .text 1 0x10 x.o":                                               "",
		"                0x1                main":                         "",
		".text 0x1 0x10 x.o":                                              "",
		"          201120   201120       1a     4         main.o:(.text)": "main.o",
		"0x201120       1a     4 lib.a(x.o):(.text.f)":                    "lib.a(x.o)",
		"  201120 1a dead beef.o:(.text)":                                 "beef.o",
		"  201120 dead:(.text)":                                           "",
		"  201120 1a x.o:(.text(a))":                                      "",
		"  201120 1a x.o":                                                 "",
		"":                                                                "",
	} {
		assert.Equal(t, want, string(sectionInput([]byte(line))), "%q", line)
	}
	assert.Equal(t, []string{"a.o", "b c.o", `d"e'f`, "g", `h\"i`}, words("a.o 'b c.o'\n\"d\\\"e'f\" \\g\t'h\\\"i'"))
	for name, want := range map[string][2]string{
		"lib.a(x.o)": {"lib.a", "x.o"}, "a(b)(c)": {"a(b)", "c"}, "(x)": {}, "a()": {}, "a(b": {}, "a(b)c)": {}, "x.o": {}, "": {},
	} {
		a, m, _ := inside([]byte(name))
		assert.Equal(t, want, [2]string{string(a), string(m)}, "%q", name)
	}
}

// TestMapWork: reading a list of inputs takes steps in proportion to its bytes and its inputs, and ends where there are no more.
func TestMapWork(t *testing.T) {
	read := func(n int, limit int64) (int64, error) {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " .text 0x1 0x10 lib%06d.a(x.o)\n", i)
		}
		path := filepath.Join(t.TempDir(), "a.map")
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o666))
		l := &linked{budget: budget.New(t.Context(), budget.Limits{budget.Work: limit})}
		err := l.listing("--map: ", path, l.linkerMap)
		return l.budget.Used(budget.Work), err
	}
	once, err := read(1000, 1<<40)
	require.NoError(t, err)
	assert.EqualValues(t, 1000*(33+2*searchSteps), once)
	twice, err := read(2000, 1<<40)
	require.NoError(t, err)
	assert.Equal(t, 2*once, twice)
	_, err = read(2000, twice/10)
	assert.ErrorContains(t, err, "--limit max-work")
}

// What a map names is charged once, and the budget ends it.
func TestMapBudget(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, " .text 0x1 0x10 lib%d.a(x.o)\n .text 0x1 0x10 a.o\n .text 0x1 0x10 -\n", i%1000)
	}
	limits := budget.New(t.Context(), budget.Limits{budget.Memory: 1 << 20})
	l := &linked{budget: limits}
	require.NoError(t, l.linkerMap(strings.NewReader(b.String())))
	paths := l.paths()
	assert.Len(t, paths, 1002)
	assert.Equal(t, []string{"a.o", "./-"}, paths[1000:], "- is not standard input")
	used := limits.Used(budget.Memory)
	assert.Positive(t, used)
	require.NoError(t, l.linkerMap(strings.NewReader(b.String())))
	assert.Equal(t, used, limits.Used(budget.Memory))
	assert.True(t, l.has("lib7.a", "x.o"))
	assert.False(t, l.has("lib7.a", "y.o"))
	assert.True(t, l.has("a.o", "y.o"))

	small := &linked{budget: budget.New(t.Context(), budget.Limits{budget.Memory: used - 1})}
	var over *budget.Exceeded
	assert.ErrorAs(t, small.linkerMap(strings.NewReader(b.String())), &over)
	assert.ErrorContains(t, (&linked{}).linkerMap(strings.NewReader(strings.Repeat("x", maxMapLine+1))), "a line of more than")
}
