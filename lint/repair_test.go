package lint

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	testcorpus "github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// writeArchive writes an archive of members that are all called name, a field
// of up to 16 bytes, and have an even number of bytes.
func writeArchive(t *testing.T, path, name string, members ...[]byte) {
	t.Helper()
	b := []byte("!<arch>\n")
	for _, m := range members {
		field := (name + strings.Repeat(" ", 16))[:16]
		b = append(b, fmt.Sprintf("%s%-12d%-6d%-6d%-8o%-10d`\n", field, 0, 0, 0, 0o644, len(m))...)
		b = append(b, m...)
	}
	require.NoError(t, os.WriteFile(path, b, 0o666))
}

// TestFixOnce: members without findings before one with a fix do not
// make the archive several files.
func TestFixOnce(t *testing.T) {
	clean := must.Get(os.ReadFile(corpus + "binutils-2.47/amd64/archives/short.o"))(t)
	bad := must.Get(os.ReadFile(corpus + "binutils-2.44/amd64/archives/short.o"))(t)
	lib := filepath.Join(t.TempDir(), "lib.a")
	writeArchive(t, lib, "m.o/", clean, clean, clean, bad)
	o := Options{Select: []string{"SF5003"}, Fix: ShowFixes, UnsafeFixes: true}
	files, _ := run(t, o, lib)
	assert.Equal(t, 1, strings.Count(string(files[0].Diff), "@@ 0x"), string(files[0].Diff))
	o.Fix = ApplyFixes
	files, sum := run(t, o, lib)
	assert.Equal(t, []string{"SF5003"}, files[0].Fixed)
	assert.Equal(t, Summary{Files: 1, Sections: 4, FDEs: 20, FREs: 88, Fixed: 1, Checked: 4}, sum)
}

// TestTurnTakesNoTime: the clock of --limit timeout stands while another file is
// being fixed.
func TestTurnTakesNoTime(t *testing.T) {
	bad := must.Get(os.ReadFile(corpus + "binutils-2.44/amd64/archives/short.o"))(t)
	path := filepath.Join(t.TempDir(), "short.o")
	require.NoError(t, os.WriteFile(path, bad, 0o666))
	synctest.Test(t, func(t *testing.T) {
		l := must.Get(New(Options{Fix: ApplyFixes, UnsafeFixes: true, Limits: budget.Limits{budget.Time: int64(time.Second)}}))(t)
		r := l.Run(t.Context())
		c := &check{Run: r, run: t.Context(), task: &task{Path: Path{Name: path}}, share: r.pool.Join(), budget: budget.New(t.Context(), budget.Limits{}), file: &File{Path: path}}
		require.NoError(t, c.scan())
		go func() {
			time.Sleep(time.Hour)
			c.share.First()
		}()
		c.fix()
		assert.Equal(t, []string{"SF5003"}, c.file.Fixed)
	})
}

// TestGivenUpIsNotChanged: a file whose check has ended early stays as it was.
func TestGivenUpIsNotChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	before := []byte("abc")
	require.NoError(t, os.WriteFile(path, before, 0o666))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := &check{budget: budget.New(ctx, budget.Limits{}), file: &File{Path: path}}
	p := chooseFixes(path, []*rules.Finding{withFix(true, ruleEdit(1, 1, "x"))}, false)
	require.ErrorIs(t, c.apply(p), context.Canceled)
	after := must.Get(os.ReadFile(path))(t)
	assert.True(t, bytes.Equal(before, after))
	c.budget = budget.New(t.Context(), budget.Limits{})
	require.NoError(t, c.apply(p))
}

// The judge of fixes holds few findings and counts all of them.
func TestJudgeCountsAll(t *testing.T) {
	many := rules.New(rules.Rule{ID: "SF9900", Title: "many", Severity: rules.Warning}, func(c *rules.Context) {
		for range 5000 {
			c.At(model.HdrFlags.Span(), "again")
		}
	})
	o := Options{Extra: []*rules.Rule{many}}
	c := &check{Run: &Run{opts: &o, judge: sync.OnceValue(o.judge)}, budget: budget.New(t.Context(), budget.Limits{})}
	path := corpus + "hand/v3-amd64.sframe"
	data := must.Get(os.ReadFile(path))(t)
	for _, ids := range [][]string{{"SF1001"}, nil} { // the rules of one count are not those of the next one
		n := must.Get(c.grave(path, bytes.NewReader(data), int64(len(data)), ids))(t)
		assert.Equal(t, ids == nil, n["SF9900"] == 5000)
	}
	assert.LessOrEqual(t, c.judge().Limits.Findings, 1)
}

// TestFixOfChangedFile: a file that changes between check and fix keeps its bytes.
func TestFixOfChangedFile(t *testing.T) {
	data := must.Get(os.ReadFile(corpus + "hand/v3-amd64.sframe"))(t)
	path := filepath.Join(t.TempDir(), "a.sframe")
	require.NoError(t, os.WriteFile(path, data, 0o666))
	runs, at := 0, model.HdrFlags.Span()
	was := uint64(data[at.Off])
	meddler := rules.New(rules.Rule{ID: "SF9900", Title: "meddler", Severity: rules.Note}, func(c *rules.Context) {
		if runs++; runs == 2 { // the last check before the fix
			data[at.Off] ^= 0x80
			require.NoError(t, os.WriteFile(path, data, 0o666))
		}
		c.With(rules.Repair("set it", at, was)).At(model.HdrFlags.Span(), "is wrong")
	})
	files, _ := run(t, Options{Extra: []*rules.Rule{meddler}, Select: []string{"SF9900"}, Fix: ApplyFixes}, path)
	require.ErrorIs(t, files[0].Err, edit.ErrChanged)
	assert.Empty(t, files[0].Fixed)
	now := must.Get(os.ReadFile(path))(t)
	assert.Equal(t, data, now)
}

var faultRule = rules.New(rules.Rule{ID: "SF9001", Title: "a fault"}, nil)

func ruleEdit(off, n int64, data string) rules.Edit {
	return rules.Edit{Span: model.Span{Off: off, Len: n}, New: []byte(data)}
}

// withFix returns a finding that has a fix of these edits.
func withFix(safe bool, edits ...rules.Edit) *rules.Finding {
	return &rules.Finding{Rule: faultRule, Fixes: []rules.Fix{{Message: "set it", Safe: safe, Edits: edits}}}
}

func TestChooseFixes(t *testing.T) {
	inMember := withFix(true, ruleEdit(0, 2, "cd"))
	inMember.Base = 2
	second := withFix(false, ruleEdit(8, 1, "X"))
	second.Fixes = append(second.Fixes, rules.Fix{Message: "another way", Safe: true, Edits: []rules.Edit{ruleEdit(8, 1, "Y")}})
	all := []*rules.Finding{
		{Rule: faultRule}, // nothing to apply
		withFix(true, ruleEdit(4, 1, "e"), ruleEdit(0, 1, "a")),
		inMember,
		withFix(true, ruleEdit(3, 1, "?")), // what inMember changes
		withFix(true, ruleEdit(5, 1, "f"), ruleEdit(0, 9, "!")), // half of it is taken
		withFix(false, ruleEdit(6, 1, "g")),
		second,
		withFix(true, ruleEdit(9, 2, "zz"), ruleEdit(10, 1, "z")), // with itself
	}
	p := chooseFixes("x", all, false)
	assert.Len(t, p.applied, 3)
	out, err := p.Bytes([]byte("ABCDEFGHIJ"))
	require.NoError(t, err)
	assert.Equal(t, "aBcdeFGHYJ", string(out))

	p = chooseFixes("x", all, true)
	assert.Len(t, p.applied, 4)
	out, err = p.Bytes([]byte("ABCDEFGHIJ"))
	require.NoError(t, err)
	assert.Equal(t, "aBcdeFgHXJ", string(out))
}

func TestFixesDiff(t *testing.T) {
	data := bytes.Repeat([]byte{0xee}, 3000)
	all := []*rules.Finding{withFix(true, ruleEdit(4, 18, strings.Repeat("x", 18))), withFix(true, ruleEdit(0x30, 2952, ""))}
	all[1].Fixes[0].Message = "cut\x1b off"
	var out bytes.Buffer
	require.NoError(t, chooseFixes("a\nb", all, false).Diff(&out, bytes.NewReader(data)))
	head, tail, _ := strings.Cut(out.String(), "@@ 0x30")
	assert.Equal(t, `--- a\x0ab
+++ a\x0ab (fixed)
@@ 0x4, 18 bytes, SF9001: set it @@
-ee ee ee ee ee ee ee ee ee ee ee ee ee ee ee ee
-ee ee
+78 78 78 78 78 78 78 78 78 78 78 78 78 78 78 78
+78 78
`, head)
	assert.True(t, strings.HasPrefix(tail, ", 2952 bytes, SF9001: cut\\x1b off @@\n-ee"), tail[:60])
	assert.True(t, strings.HasSuffix(tail, "\n-... and 1928 more\n"))
	assert.Error(t, chooseFixes("x", all, false).Diff(&out, bytes.NewReader(data[:2])))
}

func TestFixesWithout(t *testing.T) {
	other := rules.New(rules.Rule{ID: "SF9002"}, nil)
	g := withFix(true, ruleEdit(5, 1, "g"))
	g.Rule = other
	p := chooseFixes("x", []*rules.Finding{withFix(true, ruleEdit(1, 1, "f")), g, withFix(false, ruleEdit(7, 1, "h"))}, false)
	for want, q := range map[string]*fixes{"AfCDEF": p.without("SF9002"), "ABCDEg": p.keep(func(id string) bool { return id == "SF9002" }), "AfCDEg": p} {
		got := must.Get(q.Bytes([]byte("ABCDEF")))(t)
		assert.Equal(t, want, string(got))
	}
}

// findingsIn returns the findings in a file's bytes.
func findingsIn(t *testing.T, path string, data []byte, addr uint64) []*rules.Finding {
	t.Helper()
	d := rules.Driver{Rules: catalogue.All(catalogue.Settings{Merge: rewrite.Merge})}
	var all []*rules.Finding
	require.NoError(t, reader.ScanReader(path, bytes.NewReader(data), int64(len(data)), reader.Options{RawAddress: addr},
		func(o *reader.Object) error {
			found := d.Run(o).Findings
			for i := range found {
				all = append(all, &found[i])
			}
			return nil
		}))
	return all
}

// keyOf tells findings apart by what does not change with the bytes around.
func keyOf(f *rules.Finding) string {
	return fmt.Sprintf("%s %s %s %d %d", f.Rule.ID, f.Member, f.Section, f.FDE, f.FRE)
}

// TestFixesOfCorpus fixes every file of the corpus that has something to fix. What
// was fixed must be gone, and nothing new must have come.
func TestFixesOfCorpus(t *testing.T) {
	entries := must.Get(testcorpus.Load("../corpus"))(t)
	fixed := map[string]int{}
	for _, unsafe := range []bool{false, true} {
		for _, e := range entries {
			if e.Kind == "thin-archive" {
				continue // the members are files of their own
			}
			var addr uint64
			if e.RawAddress != "" {
				_, err := fmt.Sscanf(e.RawAddress, "0x%x", &addr)
				require.NoError(t, err, e.File)
			}
			path := filepath.Join("../corpus", e.File)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			before := findingsIn(t, path, data, addr)
			known := map[string]bool{}
			for i := range before {
				known[keyOf(before[i])] = true
			}
			p := chooseFixes(path, before, unsafe)
			if len(p.applied) == 0 {
				continue
			}
			data, err = p.Bytes(data)
			require.NoError(t, err, e.File)
			after := findingsIn(t, path, data, addr)
			for i := range p.applied {
				fixed[fmt.Sprintf("%s %v", p.applied[i].Rule.ID, unsafe)]++
				for j := range after {
					assert.NotEqual(t, keyOf(p.applied[i]), keyOf(after[j]), "%s: fixed, and still there: %s", e.File, after[j].Message)
				}
			}
			if len(p.reveals().applied) > 0 {
				continue // rules could not check the rest before
			}
			for i := range after {
				if unsafe && after[i].Severity == rules.Note {
					continue // advice that holds back where graver things are wrong
				}
				assert.True(t, known[keyOf(after[i])], "%s: new after the fix of %s: %s %s", e.File, p.applied[0].Rule.ID, after[i].Rule.ID, after[i].Message)
			}
		}
	}
	// A rule with fixes that no file of the corpus shows would go untested.
	assert.GreaterOrEqual(t, len(fixed), 8, "%v", fixed)
}

// TestFixInMemory applies the safe fixes of a file's findings in memory, and checks it again.
func TestFixInMemory(t *testing.T) {
	const path = corpus + "binutils-2.47/amd64/program.elf"
	data := must.Get(os.ReadFile(path))(t)
	warnings := func(data []byte) (all []*rules.Finding) {
		driver := rules.Driver{Rules: catalogue.Default()}
		require.NoError(t, reader.ScanReader(path, bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
			for _, f := range driver.Run(o).Findings {
				if f.Severity > rules.Note {
					all = append(all, &f)
				}
			}
			return nil
		}))
		return all
	}
	found := warnings(data)
	require.Len(t, found, 1)
	assert.Equal(t, "SF5010", found[0].Rule.ID)
	fixed := must.Get(chooseFixes(path, found, false).Bytes(data))(t)
	assert.Empty(t, warnings(fixed))
}
