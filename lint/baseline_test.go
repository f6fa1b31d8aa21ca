package lint_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

var rule = rules.New(rules.Rule{ID: "SF9001", Title: "a fault"}, nil)

func finding(path, function string, fde int, off int64) *rules.Finding {
	f := &rules.Finding{Rule: rule, Path: path, Function: function, FDE: fde, FRE: -1, FileOffset: off}
	f.Section, f.InSection, f.Span.Off = ".sframe", true, off
	return f
}

// written returns a baseline of findings.
func written(t *testing.T, found ...*rules.Finding) string {
	t.Helper()
	var r lint.Recorder
	for _, f := range found {
		r.Add(f)
	}
	var b bytes.Buffer
	require.NoError(t, r.Write(&b))
	return b.String()
}

func read(t *testing.T, text string) *lint.Baseline {
	t.Helper()
	b := must.Get(lint.ReadBaseline(strings.NewReader(text)))(t)
	return b
}

func everywhere(lint.Identity) bool { return true }

func TestBaseline(t *testing.T) {
	text := written(t, finding("a/x.o", "g", 2, 50), finding("a/x.o", "f<", 1, 40), finding("a/x.o", "f<", 1, 44), finding("b\xff.o", "", 0, 1))
	assert.Equal(t, `{
  "schema": "sframe-lint/baseline/1",
  "findings": [
    {"rule":"SF9001","file":"a/x.o","section":".sframe","function":"f\u003c","place":"FDE","count":2},
    {"rule":"SF9001","file":"a/x.o","section":".sframe","function":"g","place":"FDE","count":1},
    {"rule":"SF9001","file":"b\\xff.o","section":".sframe","place":"FDE","count":1}
  ]
}
`, text)
	assert.Equal(t, text, written(t, finding("b\xff.o", "", 0, 1), finding("a/x.o", "f<", 9, 1), finding("./a/x.o", "f<", 9, 2), finding("a/x.o", "g", 9, 3)),
		"neither order nor place matter")

	b := read(t, text)
	assert.True(t, b.Has(finding("other/x.o", "f<", 7, 1)))
	assert.True(t, b.Has(finding("other/x.o", "f<", 8, 2)))
	assert.False(t, b.Has(finding("other/x.o", "f<", 9, 3)), "one more than there were")
	assert.False(t, b.Has(finding("x.o", "h", 1, 1)))
	header := finding("x.o", "g", -1, 2)
	assert.False(t, b.Has(header), "another place")
	assert.True(t, b.Has(finding("b\xff.o", "", 0, 1)))

	stale := b.Stale(everywhere)
	require.Len(t, stale, 1)
	assert.Equal(t, "g", stale[0].Function)
	assert.Equal(t, [2]int{1, 1}, [2]int{stale[0].Count, stale[0].Gone})
	assert.Empty(t, b.Stale(func(id lint.Identity) bool { return !strings.HasSuffix(id.File, "/a/x.o") }), "it was not looked for")

	b = read(t, text)
	b.Has(finding("x.o", "f<", 1, 1))
	stale = b.Stale(everywhere)
	require.Len(t, stale, 3)
	assert.Equal(t, [2]int{2, 1}, [2]int{stale[0].Count, stale[0].Gone})
	assert.Equal(t, "a/x.o", stale[0].File)

	var none lint.Baseline
	assert.False(t, none.Has(header))
	assert.Empty(t, none.Stale(everywhere))
}

// TestCarry: entries that a run could not find stay, with the larger of both counts.
func TestCarry(t *testing.T) {
	one := finding("x.o", "f", 1, 1)
	old := read(t, written(t, one, one, finding("x.o", "g", 2, 2), finding("y.o", "h", 3, 3)))
	unseen := func(id lint.Identity) bool { return strings.HasSuffix(id.File, "/x.o") }
	carried := func(found ...*rules.Finding) *lint.Baseline {
		var r lint.Recorder
		for _, f := range found {
			r.Add(f)
		}
		r.Carry(old, unseen)
		var b bytes.Buffer
		require.NoError(t, r.Write(&b))
		return read(t, b.String())
	}
	counts := func(b *lint.Baseline) map[string]int {
		all := map[string]int{}
		for _, s := range b.Stale(everywhere) {
			all[s.Function] = s.Count
		}
		return all
	}
	assert.Equal(t, map[string]int{"f": 2, "g": 1}, counts(carried()), "what was looked for and not found is gone")
	assert.Equal(t, map[string]int{"f": 2, "g": 1}, counts(carried(one)), "some of them were found")
	assert.Equal(t, map[string]int{"f": 3, "g": 1}, counts(carried(one, one, one)), "more were found")
	assert.Equal(t, map[string]int{"f": 2, "g": 1, "h": 1, "k": 1}, counts(carried(finding("y.o", "h", 3, 3), finding("x.o", "k", 4, 4))))
}

// TestPaths: an entry is for one file, from the directory of the baseline on. It also covers a file of the same
// name in a directory that took the place of the former one.
func TestPaths(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, nil, 0o666))
		return path
	}
	known := filepath.Join(dir, "known.json")
	load := func() *lint.Baseline {
		b := must.Get(lint.LoadBaseline(known, 0))(t)
		return b
	}
	r := lint.Recorder{Reason: "lld <23> does not merge"}
	for _, f := range []*rules.Finding{finding(file("c.o"), "", -1, 0), finding(file("build/d.o"), "f", 1, 1), finding(file("build/d.o"), "", -1, 0), finding("<stdin>", "", -1, 0)} {
		r.Add(f)
	}
	require.NoError(t, r.Save(known))
	text := must.Get(os.ReadFile(known))(t)
	assert.Contains(t, string(text), `"file":"build/d.o"`)
	assert.NotContains(t, string(text), filepath.ToSlash(dir))
	assert.Equal(t, "lld <23> does not merge", load().Reason)
	assert.True(t, load().Has(finding("<stdin>", "", -1, 0)))

	b := load()
	assert.False(t, b.Has(finding(file("sub/c.o"), "", -1, 0)), "another file")
	assert.False(t, b.Has(finding(file("other/d.o"), "f", 1, 1)), "both are there")
	assert.True(t, b.Has(finding(filepath.Join(dir, "c.o"), "", -1, 0)))
	require.NoError(t, os.Remove(filepath.Join(dir, "c.o")))
	assert.False(t, load().Has(finding(file("sub/c.o"), "", -1, 0)), "a deeper one")

	require.NoError(t, os.Rename(filepath.Join(dir, "build"), filepath.Join(dir, "moved")))
	b = load()
	assert.True(t, b.Has(finding(filepath.Join(dir, "moved", "d.o"), "f", 1, 1)))
	assert.True(t, b.Has(finding(filepath.Join(dir, "moved", "d.o"), "", -1, 0)))
	assert.False(t, b.Has(finding(filepath.Join(dir, "other", "d.o"), "f", 1, 1)), "each entry counts once")
	assert.False(t, load().Has(finding(filepath.Join(dir, "moved", "d.o"), "g", 1, 1)), "another function")
	assert.False(t, load().Has(finding(file("new/build/d.o"), "f", 1, 1)), "a deeper one")
	assert.True(t, load().Has(finding(file("out/release/d.o"), "f", 1, 1)))

	elsewhere := t.TempDir()
	require.NoError(t, os.Rename(filepath.Join(dir, "moved"), filepath.Join(elsewhere, "build")))
	require.NoError(t, os.Rename(known, filepath.Join(elsewhere, "known.json")))
	known = filepath.Join(elsewhere, "known.json")
	assert.True(t, load().Has(finding(filepath.Join(elsewhere, "build", "d.o"), "", -1, 0)), "baseline and build together")
}

func TestSchema(t *testing.T) {
	s := must.Get(jsonschema.NewCompiler().Compile("../docs/schema/baseline.schema.json"))(t)
	for _, text := range []string{written(t), written(t, finding("x.o", "", -1, 5), finding("x.o", "f", 1, 1))} {
		v := must.Get(jsonschema.UnmarshalJSON(strings.NewReader(text)))(t)
		assert.NoError(t, s.Validate(v))
		read(t, text)
	}
}

func TestReject(t *testing.T) {
	good := written(t, finding("x.o", "f", 1, 1))
	for name, change := range map[string][2]string{
		"another schema":  {"baseline/1", "baseline/2"},
		"unknown member":  {`"count"`, `"colour":1,"count"`},
		"count of zero":   {`"count":1`, `"count":0`},
		"no rule":         {`"rule":"SF9001",`, ``},
		"entry twice":     {`{"rule`, `{"rule":"SF9001","file":"x.o","section":".sframe","function":"f","place":"FDE","count":3},{"rule`},
		"something after": {"]\n}\n", "]\n}\n{}"},
		"cut off":         {"]\n}\n", "]\n"},
		"not JSON":        {"{", "<"},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		require.NotEqual(t, good, bad, name)
		_, err := lint.ReadBaseline(strings.NewReader(bad))
		assert.Error(t, err, name)
	}
	_, err := lint.ReadBaseline(endless{})
	assert.ErrorContains(t, err, "more than")
}

// TestLoad reads a baseline that is larger than that of a build, as that of a distribution is.
func TestLoad(t *testing.T) {
	name := filepath.Join(t.TempDir(), "b.json")
	text := `{"schema":"sframe-lint/baseline/1","reason":"","findings":[` + strings.Repeat(" ", 17<<20) + `{"rule":"SF9001","file":"x.o","place":"FDE","count":1}]}`
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	_, err := lint.LoadBaseline(name, 0)
	require.ErrorContains(t, err, "more than 16777216 bytes")
	_, err = lint.LoadBaseline(name, 17<<20)
	require.ErrorContains(t, err, "more than 17825792 bytes")
	_, err = lint.LoadBaseline(name, 18<<20)
	require.NoError(t, err)
}

// endless is a file of spaces.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "known.json")
	var r lint.Recorder
	r.Add(finding("x.o", "f", 1, 1))
	for range 2 {
		require.NoError(t, r.Save(path))
		b := must.Get(lint.LoadBaseline(path, 0))(t)
		assert.True(t, b.Has(finding("x.o", "f", 1, 1)))
	}
	assert.ErrorIs(t, r.Save(filepath.Join(dir, "gone", "known.json")), os.ErrNotExist)
	assert.Error(t, r.Save(dir))
	_, err := lint.LoadBaseline(filepath.Join(dir, "gone"), 0)
	assert.ErrorIs(t, err, os.ErrNotExist)
	left := must.Get(os.ReadDir(dir))(t)
	assert.Len(t, left, 1)
}

// TestEntries: entries are charged as they are read; each fault of one ends the reading.
func TestEntries(t *testing.T) {
	text := func(entry func(i int) string, n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = entry(i)
		}
		return `{"schema":"` + lint.BaselineSchema + `","findings":[` + strings.Join(all, ",") + `]}`
	}
	_, err := lint.ReadBaseline(strings.NewReader(text(func(int) string { return "{}" }, 900_000)))
	assert.EqualError(t, err, "entry 0: a count of 0")
	_, err = lint.ReadBaseline(strings.NewReader(text(func(i int) string { return fmt.Sprintf(`{"rule":"%x","file":"a","place":"b","count":1}`, i) }, 200_000)))
	assert.EqualError(t, err, "the baseline has more than 174762 entries")
}
