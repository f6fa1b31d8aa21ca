package program

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Tree returns the root of a tree of commands. Those below the root whose names a program does not
// need may be missing. A command has some twenty flags, and most runs refer to no command but one.
type Tree func(need func(name string) bool) *cobra.Command

// All needs every command.
func All(string) bool { return true }

// commandsNamed returns which commands the arguments can refer to. The help and the shell's completion list
// all of them.
func commandsNamed(args []string) func(name string) bool {
	if slices.ContainsFunc(args, lists) {
		return All
	}
	return func(name string) bool { return slices.Contains(args, name) }
}

// lists reports whether commands may be listed because of an argument. Flags of a letter can stand
// together, as in -qh.
func lists(arg string) bool {
	letters := strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && strings.Contains(arg, "h")
	return letters || arg == "help" || arg == "completion" || strings.HasPrefix(arg, "--help") || strings.HasPrefix(arg, cobra.ShellCompRequestCmd)
}
