package catalogue_test

import (
	"encoding/hex"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

func TestAnalyzersAreValid(t *testing.T) {
	var all []*analysis.Analyzer
	for _, r := range catalogue.Rules() {
		all = append(all, r.Analyzer)
	}
	require.NoError(t, analysis.Validate(all))
	seen := map[*analysis.Analyzer]bool{}
	var visit func([]*analysis.Analyzer)
	visit = func(list []*analysis.Analyzer) {
		for _, a := range list {
			if !seen[a] {
				seen[a] = true
				assert.NotNil(t, a.ResultType, a.Name)
				visit(a.Requires)
			}
		}
	}
	visit(all)
}

// checkHeldBack: what holds a rule back is reported by one of the rules that it
// names.
func checkHeldBack(t *testing.T, res *rules.Result, what string) {
	t.Helper()
	for _, h := range res.HeldBack {
		if h.Limit {
			continue
		}
		found := slices.ContainsFunc(res.Findings, func(f rules.Finding) bool { return slices.Contains(h.Causes, f.Rule.ID) })
		assert.True(t, found, "%s: %s is held back, as %s, and none of %v says so", what, h.Rule, h.Reason, h.Causes)
	}
}

func TestCausesAreReported(t *testing.T) {
	d := &rules.Driver{Rules: catalogue.Default()}
	held := 0
	err := filepath.WalkDir("../../corpus/files", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		return reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
			res := d.Run(o)
			held += len(res.HeldBack)
			checkHeldBack(t, res, path)
			return nil
		})
	})
	require.NoError(t, err)
	assert.Greater(t, held, 100)
}

// TestEveryByteOfTheHeader changes each byte of the header to some values. What
// that holds back is always reported, and nothing else.
func TestEveryByteOfTheHeader(t *testing.T) {
	d := &rules.Driver{Rules: catalogue.Default()}
	for _, section := range []string{
		"e2de02050300f800 02000000 04000000 0d000000 00000000 28000000 00100000 40000000 00000000 02000000 00000000 40100000 40000000 06000000 02000000 00000000 000308 040310 000308 040510f0",
		"e2de020502000000 02000000 04000000 0e000000 00000000 28000000 00100000 40000000 00000000 02000000 00000000 40100000 40000000 08000000 02000000 00000000 000300 040720e0e8 000300 040310",
	} {
		good, err := hex.DecodeString(strings.ReplaceAll(section, " ", ""))
		require.NoError(t, err)
		for at := range 28 {
			for _, v := range []byte{0, 1, 2, 3, 7, 8, 0x10, 0x15, 0x27, 0x29, 0x40, 0x7f, 0x80, 0xf0, 0xff} {
				b := slices.Clone(good)
				b[at] = v
				s, faults := reader.DecodeSection(b, reader.SectionOptions{Addr: 0x400000})
				res := d.Run(&reader.Object{Size: int64(len(b)), SFrames: []*reader.SFrame{{Data: b, Section: s, Faults: faults}}})
				assert.Empty(t, res.Failures)
				checkHeldBack(t, res, hex.EncodeToString(b))
			}
		}
	}
}

// TestLeavingOut: whatever rules are left out, the others find the same and are
// held back by the same.
func TestLeavingOut(t *testing.T) {
	b, err := hex.DecodeString(strings.ReplaceAll("e2de0201 0200f800 01000000 01000000 06000000 00000000 15000000"+
		"02100000 42000000 00000000 01000000 00000000 ff 00 09 10f0f800", " ", ""))
	require.NoError(t, err)
	s, faults := reader.DecodeSection(b, reader.SectionOptions{})
	o := &reader.Object{Size: int64(len(b)), SFrames: []*reader.SFrame{{Data: b, Section: s, Faults: faults}}}
	all := catalogue.Rules()
	whole := (&rules.Driver{Rules: all}).Run(o)
	assert.NotEmpty(t, whole.HeldBack)
	for _, r := range all {
		res := (&rules.Driver{Rules: all, Severity: map[string]rules.Severity{r.ID: rules.Off}}).Run(o)
		without := slices.DeleteFunc(slices.Clone(whole.Findings), func(f rules.Finding) bool { return f.Rule == r })
		held := slices.DeleteFunc(slices.Clone(whole.HeldBack), func(h rules.HeldBack) bool { return h.Rule == r.ID })
		assert.Equal(t, ids(without), ids(res.Findings), r.ID)
		assert.Equal(t, held, res.HeldBack, r.ID)
	}
}

func ids(findings []rules.Finding) (all []string) {
	for _, f := range findings {
		all = append(all, f.Rule.ID)
	}
	return all
}
