package catalogue_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/toolchain"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// contradicted are the tests of gas whose directives describe other frames than their code
// has. They test the translation of the directives.
var contradicted = []string{
	"cfi-sframe-aarch64-ra-undefined-1 for aarch64", "cfi-sframe-s390x-ra-undefined-1 for s390x",
	"cfi-sframe-x86_64-4 for x86_64", "cfi-sframe-x86_64-5 for x86_64", "cfi-sframe-x86_64-6 for x86_64", "cfi-sframe-x86_64-7 for x86_64",
	"cfi-sframe-x86_64-esc-expr-1 for x86_64", "cfi-sframe-x86_64-esc-expr-2 for x86_64",
	"cfi-sframe-x86_64-esc-expr-3 for x86_64", "cfi-sframe-x86_64-pr33756 for x86_64",
}

// TestInteropPeers assembles the tests of gas and checks the objects, and the sections
// with which libsframe is tested: none may have an error, other than the contradicted ones
// against their code.
func TestInteropPeers(t *testing.T) {
	bin := toolchain.Bin(t)
	onCode := []string{"SF3114", "SF3115", "SF3116", "SF6022"}
	driver := rules.Driver{Rules: catalogue.Rules()}
	checked := 0
	var found []string
	check := func(name, path string, opts reader.Options) {
		require.NoError(t, reader.Scan(path, opts, func(o *reader.Object) error {
			for _, f := range driver.Run(o).Findings {
				if f.Rule.Severity == rules.Error && slices.Contains(onCode, f.Rule.ID) {
					found = append(found, name)
				} else {
					assert.NotEqual(t, rules.Error, f.Rule.Severity, "%s: %s %s", name, f.Rule.ID, f.Message)
				}
			}
			checked++
			return nil
		}))
	}
	sources := toolchain.Tests(t, "gas/testsuite/gas/cfi-sframe/*.s")
	sections := toolchain.Tests(t, "libsframe/testsuite/libsframe.decode/DATA*")
	for _, source := range sources {
		for _, arch := range model.Arches() {
			name := filepath.Base(source)
			object := filepath.Join(t.TempDir(), "object")
			if exec.Command(filepath.Join(bin, "sid-"+arch+"-as"), "--gsframe", "-o", object, source).Run() == nil {
				check(strings.TrimSuffix(name, ".s")+" for "+arch, object, reader.Options{})
			}
		}
	}
	for _, path := range sections {
		check(filepath.Base(path), path, reader.Options{Raw: true})
	}
	assert.Greater(t, checked, 100)
	assert.Equal(t, contradicted, slices.Compact(found))
}
