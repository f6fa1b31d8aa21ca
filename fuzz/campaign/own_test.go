//go:build linux

package campaign

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOwn: readers in Rust and Go are fuzzed in process. The one in Rust reads what the format says; if it keeps 8
// bits of the number of FREs, it is found.
func TestOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles readers")
	}
	dir := t.TempDir()
	build := func(t *testing.T, name string, command ...string) string {
		if _, err := exec.LookPath("cc"); err != nil {
			t.Skip("there is no C compiler")
		}
		if _, err := exec.LookPath(command[0]); err != nil {
			t.Skip("there is no ", command[0])
		}
		lib := filepath.Join(dir, name+".so")
		out, err := exec.Command(command[0], append(slices.Clone(command[1:len(command)-1]), "-o", lib, command[len(command)-1])...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return lib
	}
	campaign := func(t *testing.T, lib string) *Summary {
		target, err := NewLibrary("own="+lib, Limits{Timeout: time.Minute})
		require.NoError(t, err)
		s, err := Run(t.Context(), Options{Dir: filepath.Join(dir, filepath.Base(lib)+"-campaign"), Targets: []*Target{target}, Seed: 1,
			Count: libraryBatch, MaxShrink: 200})
		require.NoError(t, err)
		return s
	}
	rust := []string{"rustc", "-O", "-C", "overflow-checks", "--crate-type", "cdylib", "../target/reader.rs"}
	t.Run("rust", func(t *testing.T) {
		s := campaign(t, build(t, "right", rust...))
		assert.Empty(t, s.Finds)
		assert.Equal(t, []string{"V3 SFRAME_ABI_AMD64_ENDIAN_LITTLE"}, s.Targets[0].Reads)
	})
	t.Run("fault", func(t *testing.T) {
		s := campaign(t, build(t, "fault", slices.Insert(slices.Clone(rust), 1, "--cfg", "fault")...))
		require.Len(t, s.Finds, 1)
		assert.Equal(t, Misreads, s.Finds[0].Kind)
	})
	t.Run("go", func(t *testing.T) {
		s := campaign(t, build(t, "go", "go", "build", "-tags", "target", "-buildmode=c-shared", "../target/gotarget"))
		assert.Empty(t, s.Finds)
		assert.NotEmpty(t, s.Targets[0].Reads)
	})
	t.Run("neither", func(t *testing.T) {
		source := filepath.Join(dir, "neither.c")
		require.NoError(t, os.WriteFile(source, []byte("int other;\n"), 0o600))
		_, err := NewLibrary("own="+build(t, "neither", "cc", "-shared", source), Limits{})
		assert.ErrorContains(t, err, "sframe_fuzz_lookup")
	})
}
