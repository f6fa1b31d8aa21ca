package conformance_test

import (
	"flag"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance/build"
	"github.com/sframe-lint/sframe-lint/internal/tool/plain"
)

//go:generate go test . -run ^(TestConsumers|TestLinkers)$ -update

var update = flag.Bool("update", false, "write the results of decoders and linkers")

// TestSilent: the page explains each point on which the manual is silent and a case rests, and no other.
func TestSilent(t *testing.T) {
	all, err := build.Cases("")
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
	for _, m := range regexp.MustCompile(`(?m)^### ([a-z]\S+)$`).FindAllStringSubmatch(string(b), -1) {
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
