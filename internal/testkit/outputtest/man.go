package outputtest

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tree returns a command and all below it.
func tree(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, x := range c.Commands() {
		all = append(all, tree(x)...)
	}
	return all
}

var man = flag.String("man", "", "write the manual pages into this `DIRECTORY`")

// Man builds the manual pages of a program. It also checks that the documentation pages about a command have each flag
// of the command. described gives these pages by a prefix of the command's name; the longest prefix applies.
func Man(t *testing.T, root *cobra.Command, docs string, described map[string][]string) {
	t.Helper()
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	for _, c := range tree(root) {
		c.DisableAutoGenTag = true
		var b bytes.Buffer
		require.NoError(t, doc.GenMan(c, &doc.GenManHeader{
			Section: "1", Source: root.Name(), Manual: root.Name() + " manual",
			Date: &time.Time{},
		}, &b))
		name := strings.ReplaceAll(c.CommandPath(), " ", "-")
		if *man != "" {
			// No date: the same commit gives the same pages.
			page := strings.Replace(b.String(), `"Jan 0001"`, `""`, 1)
			require.NoError(t, os.WriteFile(filepath.Join(*man, name+".1"), []byte(page), 0o666))
		}
		best := ""
		for beginning := range described {
			if strings.HasPrefix(name, beginning) && len(beginning) > len(best) {
				best = beginning
			}
		}
		text := ""
		for _, page := range described[best] {
			data, err := os.ReadFile(filepath.Join(docs, page))
			require.NoError(t, err)
			text += string(data)
		}
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" || f.Name == "version" || f.Name == "color" && c != root {
				return
			}
			assert.Regexp(t, regexp.MustCompile(`(^|[^\w-])--`+f.Name+`($|[^\w-])`), text, "%s: --%s is not in %v", name, f.Name, described[best])
		})
	}
}
