package fix_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/fix"
	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// lint returns the findings in a file's bytes.
func lint(t *testing.T, path string, data []byte, addr uint64) []rules.Finding {
	t.Helper()
	d := rules.Driver{Rules: catalogue.Rules()}
	var all []rules.Finding
	require.NoError(t, reader.ScanReader(path, bytes.NewReader(data), int64(len(data)), reader.Options{RawAddress: addr},
		func(o *reader.Object) error {
			all = append(all, d.Run(o).Findings...)
			return nil
		}))
	return all
}

// key tells findings apart by what does not change with the bytes around.
func key(f *rules.Finding) string {
	return fmt.Sprintf("%s %s %s %d %d", f.Rule.ID, f.Member, f.Section, f.FDE, f.FRE)
}

// TestCorpus fixes every file of the corpus that has something to fix. What
// was fixed must be gone, and nothing new must have come.
func TestCorpus(t *testing.T) {
	entries, err := corpus.Load("../../corpus")
	require.NoError(t, err)
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
			path := filepath.Join("../../corpus", e.File)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			before := lint(t, path, data, addr)
			known := map[string]bool{}
			for i := range before {
				known[key(&before[i])] = true
			}
			p := fix.Choose(path, before, unsafe)
			if len(p.Applied) == 0 {
				continue
			}
			data, err = p.Bytes(data)
			require.NoError(t, err, e.File)
			after := lint(t, path, data, addr)
			for i := range p.Applied {
				fixed[fmt.Sprintf("%s %v", p.Applied[i].Rule.ID, unsafe)]++
				for j := range after {
					assert.NotEqual(t, key(p.Applied[i]), key(&after[j]), "%s: fixed, and still there: %s", e.File, after[j].Message)
				}
			}
			if len(p.Reveals().Applied) > 0 {
				continue // rules could not check the rest before
			}
			for i := range after {
				if unsafe && after[i].Severity == rules.Note {
					continue // advice that holds back where graver things are wrong
				}
				assert.True(t, known[key(&after[i])], "%s: new after the fix of %s: %s %s", e.File, p.Applied[0].Rule.ID, after[i].Rule.ID, after[i].Message)
			}
		}
	}
	// A rule with fixes that no file of the corpus shows would go untested.
	assert.GreaterOrEqual(t, len(fixed), 8, "%v", fixed)
}
