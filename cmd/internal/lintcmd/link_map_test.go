package lintcmd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/budget"
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
		"          201120   201120       1a     4         main.o:(.text)": "main.o:",
		"0x201120       1a     4 lib.a(x.o):(.text.f)":                    "lib.a(x.o):",
		"  201120 1a dead beef.o:(.text)":                                 "beef.o:",
		"  201120 dead:(.text)":                                           "",
		"  201120 1a x.o:(.text(a))":                                      "",
		"  201120 1a x.o":                                                 "",
		"":                                                                "",
	} {
		got := string(gnuPart([]byte(line)))
		if got == "" {
			if got = string(lldPart([]byte(line))); got != "" {
				got += ":"
			}
		}
		assert.Equal(t, want, got, "%q", line)
	}
	for name, want := range map[string][2]string{
		"lib.a(x.o)": {"lib.a", "x.o"}, "a(b)(c)": {"a(b)", "c"}, "(x)": {}, "a()": {}, "a(b": {}, "a(b)c)": {}, "x.o": {}, "": {},
	} {
		a, m, _ := inside([]byte(name))
		assert.Equal(t, want, [2]string{string(a), string(m)}, "%q", name)
	}
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

// TestMapRanges reads the address and the size of sections from lines of maps.
func TestMapRanges(t *testing.T) {
	for line, want := range map[string]mapPart{
		" .text          0x0000000000401000       0x10 main.o":             {addr: 0x401000, size: 0x10},
		"                0x0000000000401000       0x1a 0x1 0x2 b.o":        {addr: 0x401000, size: 0x1a},
		" .text 0xfffffffffffffff0 0x20 main.o":                            {},
		" .text 0x11112222333344445 0x20 main.o":                           {},
		"          201120   201120       1a     4         main.o:(.text)":  {addr: 0x201120, size: 0x1a},
		"          201120   0        1a     4   a 1 main.o:(.text.main.o)": {addr: 0x201120, size: 0x1a},
		"        0x201120       99     4         lib.a(x.o):(.text.f)":     {addr: 0x201120, size: 99},
		"        0x201120       1a     4         x.o:(.text)":              {},
		"  201120 1a x.o:(.text)":                                          {},
		"LOAD x.o":                                                         {load: true},
	} {
		found := 0
		assert.NoError(t, readMap(strings.NewReader(line+"\r\n"), func(p *mapPart) error {
			found++
			p.name, p.line = nil, 0
			assert.Equal(t, want, *p, "%q", line)
			return nil
		}))
		assert.Equal(t, 1, found, "%q", line)
	}
}

// TestOrigins finds the objects of addresses: at the first and the last byte of a section, and in none.
func TestOrigins(t *testing.T) {
	const text = " .b 0x30 0x10 lib.a(b.o)\n .a 0x10 0x10 a.o\n .a 0x20 0x8 a.o\n .none 0x28 0x0 c.o\n .plt.got 0x40 0x8 a.o\n .gone 0x0 0x100 d.o\n"
	limits := budget.New(t.Context(), budget.Limits{budget.Memory: 1 << 20})
	s := &origins{budget: limits}
	require.NoError(t, s.read(strings.NewReader(text)))
	for addr, want := range map[uint64]origin{
		0: {}, 0xf: {}, 0x10: {object: "a.o"}, 0x1f: {object: "a.o"}, 0x27: {object: "a.o"}, 0x28: {}, 0x2f: {},
		0x30: {"lib.a", "b.o"}, 0x3f: {"lib.a", "b.o"}, 0x40: {}, 1<<64 - 1: {},
	} {
		archive, object := s.at(addr)
		assert.Equal(t, want, origin{archive, object}, "0x%x", addr)
	}
	var over *budget.Exceeded
	small := &origins{budget: budget.New(t.Context(), budget.Limits{budget.Memory: limits.Used(budget.Memory) - 1})}
	assert.ErrorAs(t, small.read(strings.NewReader(text)), &over)
	long := strings.Repeat("                0x0000000000401000       0x10 a.o"+strings.Repeat(" ", 40)+"\n", 100_000)
	limits = budget.New(t.Context(), budget.Limits{budget.Memory: 1 << 20})
	require.NoError(t, (&origins{budget: limits}).read(strings.NewReader(long)), "the memory grows with the map")
	assert.Greater(t, limits.Used(budget.Memory), int64(1<<20))
	assert.ErrorContains(t, (&origins{budget: limits}).read(strings.NewReader(" .gone 0x0 0x100 d.o\n")), "no section of an input")
}
