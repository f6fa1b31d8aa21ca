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

// TestOwn: readers in Rust and Go are fuzzed in process, in one campaign, so that inputs are made once. They read what the
// format says; if the one in Rust keeps 8 bits of the number of FREs, it is found.
func TestOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles readers")
	}
	t.Parallel()
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("there is no C compiler")
	}
	dir := t.TempDir()
	build := func(name string, command ...string) string {
		lib := filepath.Join(dir, name+".so")
		out, err := exec.Command(command[0], append(slices.Clone(command[1:len(command)-1]), "-o", lib, command[len(command)-1])...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return lib
	}
	readers := map[string][]string{
		"rust":  {"rustc", "-O", "-C", "overflow-checks", "--crate-type", "cdylib", "../../../integrations/target/reader.rs"},
		"fault": {"rustc", "--cfg", "fault", "-O", "-C", "overflow-checks", "--crate-type", "cdylib", "../../../integrations/target/reader.rs"},
		"go":    {"go", "build", "-C", "../../../integrations", "-tags", "target", "-buildmode=c-shared", "./target/gotarget"},
	}
	var targets []*Target
	for name, command := range readers {
		if _, err := exec.LookPath(command[0]); err != nil {
			t.Log("there is no ", command[0])
			continue
		}
		target, err := NewLibrary("own="+build(name, command...), Limits{Timeout: time.Minute})
		require.NoError(t, err)
		target.Name = name
		targets = append(targets, target)
	}
	s, err := Run(t.Context(), Setup{Dir: filepath.Join(dir, "campaign"), Targets: targets, Seed: 1, Count: 2048})
	require.NoError(t, err)
	for _, x := range s.Targets {
		finds := slices.DeleteFunc(slices.Clone(s.Finds), func(f FindSummary) bool { return f.Target != x.Name })
		switch x.Name {
		case "fault":
			require.Len(t, finds, 1)
			assert.Equal(t, Misreads, finds[0].Kind)
			continue
		case "rust":
			assert.Equal(t, []string{"V3 amd64"}, x.Compared)
		}
		assert.NotEmpty(t, x.Compared, x.Name)
		assert.Empty(t, finds, x.Name)
	}

	source := filepath.Join(dir, "neither.c")
	require.NoError(t, os.WriteFile(source, []byte("int other;\n"), 0o600))
	_, err = NewLibrary("own="+build("neither", "cc", "-shared", source), Limits{})
	assert.ErrorContains(t, err, "sframe_fuzz_lookup")
}
