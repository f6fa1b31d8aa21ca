package docs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

//go:generate go test . -run ^TestFloors$ -update

// floor is a part of the tree, with the parts that its packages may import beside packages of its own part.
type floor struct {
	path  string
	below string
}

// floors are the parts, from the lowest one up. The folders conformance, corpus and docs have data and tests only.
var floors = []floor{
	{"internal/base", ""},
	{"model", "internal/base"},
	{"reader", "internal/base model"},
	{"internal/evidence", "internal/base model reader"},
	{"unwind", "internal/base model reader"},
	{"generator", "internal/base model"},
	{"fuzz", "internal/base model reader generator"},
	{"rules", "internal/base model reader internal/evidence"},
	{"lint", "internal/base model reader internal/evidence rules"},
	{"reports", "internal/base model reader internal/evidence rules lint"},
	{"internal/tool", "internal/base model reader internal/evidence unwind generator fuzz rules lint reports conformance"},
	{"cmd", "internal/base model reader internal/evidence unwind generator fuzz rules lint reports internal/tool"},
	{"internal/testkit", "internal/base model reader internal/evidence unwind generator fuzz rules lint reports internal/tool"},
	{"conformance", ""},
	{"corpus", ""},
	{"docs", ""},
}

// on returns the floor of a package, nil if it has none.
func on(pkg string) *floor {
	i := slices.IndexFunc(floors, func(f floor) bool { return pkg == f.path || strings.HasPrefix(pkg, f.path+"/") })
	if i < 0 {
		return nil
	}
	return &floors[i]
}

// TestFloors holds imports to the arrows of floors, and the picture of them in CONTRIBUTING.md. Tests may import anything.
func TestFloors(t *testing.T) {
	c := exec.Command("go", "list", "-json=ImportPath,Imports,Doc,GoFiles", "./...")
	c.Dir = ".."
	out := must.Get(c.Output())(t)
	for list := json.NewDecoder(strings.NewReader(string(out))); ; {
		var pkg struct {
			ImportPath, Doc  string
			Imports, GoFiles []string
		}
		if err := list.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
		name := strings.TrimPrefix(pkg.ImportPath, module)
		here := on(name)
		if !assert.NotNil(t, here, "%s is on no floor", name) {
			continue
		}
		if strings.HasPrefix(name, "internal/") && len(pkg.GoFiles) > 0 {
			assert.NotEmpty(t, pkg.Doc, "%s has no package comment", name)
		}
		for _, path := range pkg.Imports {
			if dep, ok := strings.CutPrefix(path, module); ok {
				there := on(dep)
				assert.True(t, there == here || there != nil && slices.Contains(strings.Fields(here.below), there.path), "%s imports %s", name, dep)
			}
		}
	}
	checkPicture(t)
}

// checkPicture compares the picture of floors in CONTRIBUTING.md with the arrows.
func checkPicture(t *testing.T) {
	const begin, end = "<!-- floors: written by go generate ./docs -->\n", "<!-- end of floors -->"
	var picture strings.Builder
	picture.WriteString("\n| packages | may import, besides packages of their own folder |\n|---|---|\n")
	for _, f := range floors[:len(floors)-3] {
		fmt.Fprintf(&picture, "| `%s/` | %s |\n", f.path, strings.ReplaceAll(f.below, " ", ", "))
	}
	picture.WriteString("\n")
	page := filepath.Join("..", "CONTRIBUTING.md")
	text := must.Get(os.ReadFile(page))(t)
	before, rest, ok := strings.Cut(string(text), begin)
	require.True(t, ok, "no picture of the floors")
	_, after, ok := strings.Cut(rest, end)
	require.True(t, ok)
	want := before + begin + picture.String() + end + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(text), "go generate ./docs writes the picture anew")
}
