package corpus_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/internal/testkit/ruletest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

//go:generate go test . -run TestFindings -update

var update = flag.Bool("update", false, "write what is found into the manifest")

// TestFindings holds what all rules find in every file against the
// manifest, to the byte.
func TestFindings(t *testing.T) {
	entries, err := corpus.Load(".")
	require.NoError(t, err)
	driver := &rules.Driver{Rules: catalogue.Default(), Limits: rules.Limits{Findings: -1}}
	for i := range entries {
		e := &entries[i]
		t.Run(e.File, func(t *testing.T) {
			found := lint(t, driver, e)
			if *update {
				e.Findings = found
				return
			}
			assert.Equal(t, e.Findings, found, "%s", e.About)
		})
	}
	if *update {
		require.NoError(t, corpus.Write(corpus.ManifestName, entries))
	}
}

// lint returns the findings in a file, in the manifest's way.
func lint(t *testing.T, d *rules.Driver, e *corpus.Entry) []string {
	found := []string{}
	err := reader.Scan(filepath.FromSlash(e.File), options(t, e), func(o *reader.Object) error {
		res := d.Run(o)
		assert.Empty(t, res.Failures)
		for _, f := range res.Findings {
			found = append(found, brief(o, f))
			ruletest.CheckMessage(t, f.Message)
		}
		return nil
	})
	require.NoError(t, err)
	return found
}

func options(t *testing.T, e *corpus.Entry) reader.Options {
	if e.RawAddress == "" {
		return reader.Options{}
	}
	addr, err := strconv.ParseUint(e.RawAddress, 0, 64)
	require.NoError(t, err)
	return reader.Options{RawAddress: addr}
}

func brief(o *reader.Object, f rules.Finding) string {
	s := f.Rule.ID + " "
	if !f.InSection {
		s += "file:"
	}
	s += fmt.Sprintf("0x%x+%d", f.Span.Off, f.Span.Len)
	if len(o.SFrames) > 1 && f.SectionIndex > 0 {
		s = fmt.Sprintf("#%d %s", f.SectionIndex, s)
	}
	if f.Member != "" {
		s = f.Member + ": " + s
	}
	return s
}

// quirks are the warnings that healthy files may have: known habits of their
// producers, each of which its rule names.
var quirks = []string{"SF1022", "SF2008", "SF2011", "SF2023", "SF3106", "SF5003", "SF5010", "SF6014"}

// onPurpose are the warnings on healthy files that were made to be unusual.
var onPurpose = map[string]string{
	"SF1010": "files/hand/v3-amd64-auxhdr",
	"SF2101": "far.elf",
}

// TestHealthyFilesAreClean holds what the manifest expects of healthy files
// against what may be said of them at all.
func TestHealthyFilesAreClean(t *testing.T) {
	entries, err := corpus.Load(".")
	require.NoError(t, err)
	driver := &rules.Driver{Rules: catalogue.Default(), Limits: rules.Limits{Findings: -1}}
	for i := range entries {
		e := &entries[i]
		if !e.Healthy {
			continue
		}
		err := reader.Scan(filepath.FromSlash(e.File), options(t, e), func(o *reader.Object) error {
			for _, f := range driver.Run(o).Findings {
				ok := f.Severity == rules.Note || f.Rule.ID == catalogue.Obsolete || f.Severity == rules.Warning && (slices.Contains(quirks, f.Rule.ID) ||
					onPurpose[f.Rule.ID] != "" && strings.Contains(e.File, onPurpose[f.Rule.ID]))
				assert.True(t, ok, "%s: %s: %s [%s]", e.File, brief(o, f), f.Message, f.Severity)
			}
			return nil
		})
		require.NoError(t, err)
	}
}
