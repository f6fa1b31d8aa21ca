package program

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The annotation of a flag that holds the title of its group.
const group = "group"

// Group makes a group of the flags that a command was given since the last call. The help lists
// groups and their flags in the order in which they were added.
func Group(c *cobra.Command, title string) {
	c.Flags().SortFlags = false
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[group] == nil {
			annotate(f, title)
		}
	})
}

// limits is the group of flags that only the topic "limits" of the help lists.
const limits = "limits"

// Limit marks a flag as a limit: seldom used, and listed by "help limits".
func Limit(f *pflag.Flag) { annotate(f, limits) }

func annotate(f *pflag.Flag, title string) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[group] = []string{title}
}

// flagGroup is the flags with one title.
type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// groups returns the groups of flags, those without a title last.
func groups(all *pflag.FlagSet) []flagGroup {
	var named []flagGroup
	rest := flagGroup{"Flags", new(pflag.FlagSet)}
	all.VisitAll(func(f *pflag.Flag) {
		title := f.Annotations[group]
		if title == nil {
			rest.flags.AddFlag(f)
			return
		}
		for _, g := range named {
			if g.title == title[0] {
				g.flags.AddFlag(f)
				return
			}
		}
		fl := new(pflag.FlagSet)
		fl.SortFlags = all.SortFlags
		fl.AddFlag(f)
		named = append(named, flagGroup{title[0], fl})
	})
	for i, g := range named {
		if g.title == rest.title { // the command has named the group
			rest.flags.VisitAll(named[i].flags.AddFlag)
			return named
		}
		if g.title != limits {
			rest.title = "Other flags"
		}
	}
	return append(named, rest)
}

// usage writes how a command is used, as cobra does, with its flags in groups.
func usage(c *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if c.Runnable() {
		fmt.Fprintf(&b, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND\n", c.CommandPath())
	}
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		for _, x := range c.Commands() {
			if x.IsAvailableCommand() || x.Name() == "help" {
				fmt.Fprintf(&b, "  %-*s %s\n", x.NamePadding(), x.Name(), x.Short)
			}
		}
	}
	bounded := false
	for _, g := range groups(c.LocalFlags()) {
		if g.title == limits {
			bounded = true
		} else if g.flags.HasAvailableFlags() {
			fmt.Fprintf(&b, "\n%s:\n%s", g.title, g.flags.FlagUsages())
		}
	}
	if c.HasAvailableInheritedFlags() {
		fmt.Fprintf(&b, "\nFlags of all commands:\n%s", c.InheritedFlags().FlagUsages())
	}
	if bounded || c.HasAvailableSubCommands() {
		b.WriteString("\n")
	}
	if bounded {
		fmt.Fprintf(&b, "Use '%s' for the limits on memory, time and reading.\n", limitsPath(c))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "Use '%s COMMAND --help' for the help of a command.\n", c.CommandPath())
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// limitsPath returns the command line that lists the limits of a command.
func limitsPath(c *cobra.Command) string {
	path := c.Root().Name() + " help " + limits
	if c.HasParent() {
		path += " " + c.Name()
	}
	return path
}

// limitFlags returns the flags of a command that are limits, nil if it has none.
func limitFlags(c *cobra.Command) *pflag.FlagSet {
	for _, g := range groups(c.LocalFlags()) {
		if g.title == limits {
			return g.flags
		}
	}
	return nil
}

// helpLimits lists the limits of a command.
func helpLimits(c *cobra.Command) error {
	fl := limitFlags(c)
	if fl == nil {
		return fmt.Errorf("'%s' has no limits", c.CommandPath())
	}
	fmt.Fprintf(c.OutOrStdout(), `Limits of '%s' on what an input can cost.

Real builds do not reach them. Limits on memory, reading, work and names grow with
what a file really contains. A report or standard error says which limit was reached.

%s`, c.CommandPath(), fl.FlagUsages())
	return nil
}

// helpCommand returns the command help, which reports unknown commands.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(c *cobra.Command, args []string) error {
			topic := len(args) > 0 && args[0] == limits && limitFlags(c.Root()) != nil
			if topic {
				args = args[1:]
			}
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(c.Root(), args[len(args)-max(1, len(rest))])
			}
			if topic {
				return helpLimits(about)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, begin string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, x := range c.Root().Commands() {
				if x.IsAvailableCommand() && len(args) == 0 && strings.HasPrefix(x.Name(), begin) {
					names = append(names, x.Name()+"\t"+x.Short)
				}
			}
			if len(args) == 0 && strings.HasPrefix(limits, begin) && limitFlags(c.Root()) != nil {
				names = append(names, limits+"\tLimits on memory, time and reading")
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}
