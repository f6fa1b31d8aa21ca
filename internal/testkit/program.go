package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Build builds a program below cmd and returns its path.
func Build(t *testing.T, root, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	c := exec.Command("go", "build", "-o", path, "./cmd/"+name)
	c.Dir, c.Stderr = root, os.Stderr
	require.NoError(t, c.Run())
	return path
}
