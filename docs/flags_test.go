package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flagPages are the pages that describe the flags of a command, by its name: those of the longest beginning that is here.
var flagPages = map[string][]string{
	"sframe-lint":             {"usage.md", "configuration.md", "limits.md", "distribution.md"},
	"sframe-lint-trace":       {"trace.md", "limits.md"},
	"sframe-fuzz":             {"fuzzing.md", "knobs.md", "limits.md"},
	"sframe-fuzz-conformance": {"conformance.md"},
	"sframe-parquet":          {"distribution.md"},
}

// manFlag is a flag in a manual page. Tests beside the commands hold the manual pages against them.
var manFlag = regexp.MustCompile(`(?m)^(?:\\fB-\w\\fP, )?\\fB--([a-z-]+)\\fP`)

// TestFlagsAreDescribed looks for every flag of every command in the pages of the command.
func TestFlagsAreDescribed(t *testing.T) {
	manuals, err := filepath.Glob("man/*.1")
	require.NoError(t, err)
	found := 0
	for _, file := range manuals {
		manual, err := os.ReadFile(file)
		require.NoError(t, err)
		command := strings.TrimSuffix(filepath.Base(file), ".1")
		best := ""
		for name := range flagPages {
			if strings.HasPrefix(command, name) && len(name) > len(best) {
				best = name
			}
		}
		text := ""
		for _, page := range flagPages[best] {
			data, err := os.ReadFile(page)
			require.NoError(t, err)
			text += string(data)
		}
		for _, m := range manFlag.FindAllStringSubmatch(string(manual), -1) {
			if m[1] == "help" || m[1] == "color" && command != "sframe-lint" {
				continue // flags of all commands
			}
			found++
			names := regexp.MustCompile(`(^|[^\w-])--` + m[1] + `($|[^\w-])`)
			assert.True(t, names.MatchString(text), "%s: --%s is not in %v", command, m[1], flagPages[best])
		}
	}
	assert.Greater(t, found, 400)
}
