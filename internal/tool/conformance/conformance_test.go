package conformance_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/plain"
)

//go:generate go test . -run TestCases -update

var update = flag.Bool("update", false, "write the cases")

// TestCases makes the cases again. The reader, the rules and the plain decoder agree about
// each of them, or they can't be made.
func TestCases(t *testing.T) {
	if testing.Short() && !*update {
		t.Skip("makes all cases again, which takes long: run without -short")
	}
	all, err := buildCases("../../..")
	require.NoError(t, err)
	byKind := map[string]*bytes.Buffer{}
	seen := map[string]bool{}
	for i := range all {
		c := &all[i]
		require.False(t, seen[c.Name], c.Name)
		seen[c.Name] = true
		if c.Recipe != nil {
			c.Section = ""
		}
		line, err := json.Marshal(c)
		require.NoError(t, err)
		if byKind[c.Kind()] == nil {
			byKind[c.Kind()] = &bytes.Buffer{}
		}
		byKind[c.Kind()].Write(append(line, '\n'))
	}
	assert.Greater(t, len(all), 1000)
	for kind, want := range byKind {
		path := filepath.Join("../../../conformance/cases", kind+".jsonl")
		if *update {
			require.NoError(t, os.WriteFile(path, want.Bytes(), 0o644))
		}
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want.Bytes(), got), "%s is stale: run go generate ./internal/tool/conformance", path)
	}
	t.Logf("%d cases", len(all))
}

func TestEmbedded(t *testing.T) {
	all, err := conformance.Cases()
	require.NoError(t, err)
	assert.Greater(t, len(all), 1000)
	some, err := conformance.Select(all, "lookup/*/stubs", func(c *conformance.Case) string { return c.Name })
	require.NoError(t, err)
	assert.NotEmpty(t, some)
	assert.Less(t, len(some), len(all))
}

// TestSilent: the page explains each point on which the manual is silent and a case rests, and no other.
func TestSilent(t *testing.T) {
	all, err := conformance.Cases()
	require.NoError(t, err)
	rests := map[string]bool{}
	for i := range all {
		for _, points := range all[i].Points {
			for _, p := range points {
				rests[p] = true
			}
		}
	}
	b, err := os.ReadFile("../../../docs/conformance.md")
	require.NoError(t, err)
	var explained []string
	for _, m := range regexp.MustCompile(`(?m)^### (\S+)$`).FindAllStringSubmatch(string(b), -1) {
		explained = append(explained, m[1])
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(rests)), explained)

	swapped := faulty(func(s *plain.Section) error {
		s.Functions[0].Rows[0].CFA.Reg++
		return nil
	})
	one, err := conformance.Select(all, "valid/v3-s390x/other-base", func(c *conformance.Case) string { return c.Name })
	require.NoError(t, err)
	r, err := conformance.Run(t.Context(), "swapped", swapped, one, nil)
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, r.Text(&text))
	assert.Contains(t, text.String(), "; the manual is silent: docs/conformance.md#flexible-cfa-of-s390x")
}
