package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/stretchr/testify/assert"
)

// The program links only these modules. One that is added must be worth its start-up and its
// bytes: scripts/instructions counts, and docs/RATIONALE.md has the reasons.
func TestModules(t *testing.T) {
	out := must.Get(exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".").Output())(t)
	linked := strings.Fields(string(out))
	slices.Sort(linked)
	assert.Equal(t, []string{
		"github.com/agnivade/levenshtein",
		"github.com/goccy/go-yaml",
		"github.com/klauspost/compress",
		"github.com/owenrumney/go-sarif/v3",
		"github.com/spf13/cobra",
		"github.com/spf13/pflag",
		"github.com/therootcompany/xz",
		"github.com/xeipuuv/gojsonpointer",   // of go-sarif
		"github.com/xeipuuv/gojsonreference", // of go-sarif
		"github.com/xeipuuv/gojsonschema",    // of go-sarif
		"golang.org/x/arch",
		"golang.org/x/sys",
		"golang.org/x/term",
		"golang.org/x/tools",
	}, slices.Compact(linked))
}
