package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Build builds the program with this name in cmd and returns its path. root is the root of the module.
func Build(t *testing.T, root, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	c := exec.Command("go", "build", "-o", path, "./cmd/"+name)
	c.Dir, c.Stderr = root, os.Stderr
	require.NoError(t, c.Run())
	return path
}
