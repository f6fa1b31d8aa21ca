package lintcmd

import (
	"bytes"
	"flag"
	"io"
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

//go:generate go test . -run TestManualPages -update

var update = flag.Bool("update", false, "write the manual pages anew")

const manDir = "../../docs/man"

// TestManualPages keeps the pages in docs/man up to date with the commands.
func TestManualPages(t *testing.T) {
	pages := map[string]string{}
	for _, c := range commands(t) {
		var b bytes.Buffer
		require.NoError(t, doc.GenMan(c, &doc.GenManHeader{
			Section: "1", Source: "sframe-lint", Manual: "sframe-lint manual",
			Date: &time.Time{},
		}, &b))
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		// No date: pages must not change with the day.
		pages[name] = strings.Replace(b.String(), `"Jan 0001"`, `""`, 1)
	}
	if *update {
		require.NoError(t, os.MkdirAll(manDir, 0o777))
		for name, page := range pages {
			require.NoError(t, os.WriteFile(filepath.Join(manDir, name), []byte(page), 0o666))
		}
	}
	for name, page := range pages {
		have, err := os.ReadFile(filepath.Join(manDir, name))
		require.NoError(t, err, "run go generate ./...")
		assert.Equal(t, page, string(have), "%s is stale: run go generate ./...", name)
	}
	stale, err := filepath.Glob(manDir + "/*.1")
	require.NoError(t, err)
	assert.Len(t, stale, len(pages), "pages of commands that no longer exist: %v", stale)
}

// commands returns the main command and those below it that have a page.
func commands(t *testing.T) []*cobra.Command {
	t.Helper()
	a := &app{stdout: io.Discard, stderr: io.Discard}
	root := a.command()
	root.DisableAutoGenTag = true
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	all := []*cobra.Command{root}
	for _, c := range root.Commands() {
		c.DisableAutoGenTag = true
		all = append(all, c)
	}
	return all
}
