package catalogue_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/toolchain"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// TestInteropPeers assembles the tests of gas and checks the objects, and the sections
// with which libsframe is tested: none may have an error.
func TestInteropPeers(t *testing.T) {
	bin := toolchain.Bin(t)
	driver := rules.Driver{Rules: catalogue.Rules()}
	checked := 0
	check := func(name, path string, opts reader.Options) {
		require.NoError(t, reader.Scan(path, opts, func(o *reader.Object) error {
			for _, f := range driver.Run(o).Findings {
				assert.NotEqual(t, rules.Error, f.Rule.Severity, "%s: %s %s", name, f.Rule.ID, f.Message)
			}
			checked++
			return nil
		}))
	}
	sources := toolchain.Tests(t, "gas/testsuite/gas/cfi-sframe/*.s")
	sections := toolchain.Tests(t, "libsframe/testsuite/libsframe.decode/DATA*")
	for _, source := range sources {
		for _, arch := range toolchain.Arches {
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
}
