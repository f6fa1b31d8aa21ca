package program

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Command is an entry in a program's table of commands. It determines the line in the help, the page and the command
// line.
type Command struct {
	Name  string
	Args  string // arguments after the flags: optional words are in brackets, repeated words end in ...
	Short string // its line in the list of commands
	Long  string
	// Status has the meanings of the exit statuses 0, 1 and 3. "" means that the command does not have the status.
	Status  [3]string
	Example string
	// Start adds the flags, and returns the function that runs with the arguments.
	Start func(c *cobra.Command) func(args []string) error
}

// Cobra returns the command for the library that parses command lines.
func (x *Command) Cobra() *cobra.Command {
	c := &cobra.Command{
		Use: strings.TrimSpace(x.Name + " [flags] " + x.Args), Short: x.Short, Long: x.Long + statuses(x.Status),
		Example: x.Example, Args: Arguments(x.Args), DisableFlagsInUseLine: true,
	}
	run := x.Start(c)
	c.RunE = func(_ *cobra.Command, args []string) error { return run(args) }
	return c
}

// statuses lists the exit statuses of a command.
func statuses(means [3]string) string {
	if means[0] == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n\nExit status:\n\n")
	for i, text := range []string{means[0], means[1], "the command line or the configuration is wrong", cmp.Or(means[2], "a file could not be read or is not an input")} {
		if text != "" {
			fmt.Fprintf(&b, "    %d  %s\n", i, strings.ReplaceAll(text, "\n", "\n       "))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Arguments checks the arguments of a command against its usage line: see [Command.Args].
func Arguments(line string) cobra.PositionalArgs {
	names := strings.Fields(line)
	return func(c *cobra.Command, args []string) error {
		if len(names) == 0 {
			return NoArgs(c, args)
		}
		if strings.HasPrefix(line, "{") {
			return nil // the command checks them itself, as they depend on its flags
		}
		need, repeats := 0, false
		for _, name := range names {
			if !strings.HasPrefix(name, "[") {
				need++
			}
			repeats = repeats || strings.Contains(name, "...")
		}
		switch {
		case len(args) < need:
			return fmt.Errorf("no %s given", strings.TrimSuffix(names[len(args)], "..."))
		case len(args) > len(names) && !repeats:
			return fmt.Errorf("unexpected argument %q: expected %s", args[len(names)], strings.Join(names, " and "))
		}
		return nil
	}
}

// Tree returns the root of a tree of commands. It may omit commands below the root whose names a program does not
// need. A command has some twenty flags, and most runs use only one command.
type Tree func(need func(name string) bool) *cobra.Command

// All selects every command.
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

// version is set by the linker for releases:
// -X github.com/sframe-lint/sframe-lint/internal/tool/program.version=...
var version string

// Version returns the version that the linker set, or else the version that the go command recorded.
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "devel"
}

// versionText is what --version prints after the name: the version, the commit, and the version of Go.
func versionText() string {
	commit := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = s.Value[:min(len(s.Value), 12)]
			}
		}
	}
	return fmt.Sprintf("%s (commit %s, %s, %s/%s)", Version(), commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
