package fuzzcmd

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStrays: what a run that was killed has written is removed by the next one, unless it was
// changed since.
func TestStrays(t *testing.T) {
	dir := t.TempDir()
	out, err := newOutput(dir)
	require.NoError(t, err)
	for i := range 5 {
		require.NoError(t, out.add(&entry{data: []byte{byte(i)}, row: row{File: fmt.Sprintf("%d.elf", i)}}))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "3.elf"), []byte("mine"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "other"), nil, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, tempName), []byte("half"), 0o600))
	list, err := os.OpenFile(filepath.Join(dir, listName), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = list.WriteString("0123 half a li") // killed here
	require.NoError(t, err)

	out, err = newOutput(dir)
	require.NoError(t, err)
	require.NoError(t, out.add(&entry{data: []byte("new"), row: row{File: "1.elf"}}))
	require.NoError(t, out.close())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	assert.Equal(t, []string{"1.elf", "3.elf", manifestName, "other"}, names)
}
