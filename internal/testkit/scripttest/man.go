package scripttest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Man holds the manual pages of a program in a directory against its commands, or writes them
// again.
func Man(t *testing.T, root *cobra.Command, dir string, update bool) {
	t.Helper()
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	pages := map[string]string{}
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		c.DisableAutoGenTag = true
		var b bytes.Buffer
		require.NoError(t, doc.GenMan(c, &doc.GenManHeader{
			Section: "1", Source: root.Name(), Manual: root.Name() + " manual",
			Date: &time.Time{},
		}, &b))
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		// No date: pages must not change with the day.
		pages[name] = strings.Replace(b.String(), `"Jan 0001"`, `""`, 1)
	}
	if update {
		require.NoError(t, os.MkdirAll(dir, 0o777))
		for name, page := range pages {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(page), 0o666))
		}
	}
	for name, page := range pages {
		have, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err, "run go generate ./...")
		assert.Equal(t, page, string(have), "%s is stale: run go generate ./...", name)
	}
	stale, err := filepath.Glob(filepath.Join(dir, root.Name()+"*.1"))
	require.NoError(t, err)
	assert.Len(t, stale, len(pages), "pages of commands that no longer exist: %v", stale)
}
