package main

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRun writes the bill of the linter twice, and holds it against what the program states.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "sframe-lint")
	out, err := exec.Command("go", "build", "-o", program, "../../cmd/sframe-lint").CombinedOutput()
	require.NoError(t, err, "%s", out)
	var files [2][]byte
	for i := range files {
		file := filepath.Join(dir, "bom.json")
		require.NoError(t, run(program, "1.2.3+x", file))
		files[i], err = os.ReadFile(file)
		require.NoError(t, err)
	}
	assert.Equal(t, files[0], files[1])

	b := new(cdx.BOM)
	require.NoError(t, cdx.NewBOMDecoder(strings.NewReader(string(files[0])), cdx.BOMFileFormatJSON).Decode(b))
	self := b.Metadata.Component
	assert.Equal(t, "sframe-lint", self.Name)
	assert.Equal(t, "pkg:golang/github.com/sframe-lint/sframe-lint@1.2.3%2Bx", self.PackageURL)
	info, err := buildinfo.ReadFile(program)
	require.NoError(t, err)
	require.NotEmpty(t, info.Deps)
	refs := map[string]bool{self.BOMRef: true}
	for _, c := range *b.Components {
		assert.False(t, refs[c.BOMRef], "%s twice", c.BOMRef)
		refs[c.BOMRef] = true
	}
	for _, m := range info.Deps {
		assert.True(t, refs["pkg:golang/"+m.Path+"@"+m.Version], m.Path)
	}
	assert.Len(t, *b.Components, len(info.Deps)+1)
	assert.Len(t, *(*b.Dependencies)[0].Dependencies, len(*b.Components))
	assert.Error(t, run(filepath.Join(dir, "bom.json"), "1", filepath.Join(dir, "none.json")), "not a program")
}
