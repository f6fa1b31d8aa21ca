package program

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
)

// The annotation of a flag that holds the title of its group.
const group = "group"

// Group makes a group of the flags added to a command since the last call. The help lists groups and their flags in
// the order of addition.
func Group(c *cobra.Command, title string) {
	c.Flags().SortFlags = false
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[group] == nil {
			annotate(f, title)
		}
	})
}

// limits is the topic of the help that lists what --limit sets.
const limits = "limits"

// Limits adds the flag --limit, whose values are NAME=VALUE. The help topic "limits" lists each limit: its name, a
// tab and its text.
func Limits(c *cobra.Command, value pflag.Value, rows []string) {
	c.Flags().Var(value, "limit", "set a limit to `NAME=VALUE`; may be repeated")
	c.Flags().Lookup("limit").Annotations = map[string][]string{limits: rows}
	Complete(c, "limit", func(*cobra.Command, []string, string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
		for _, row := range rows {
			name, text, _ := strings.Cut(row, "\t")
			all = append(all, cobra.CompletionWithDesc(name+"=", strings.ReplaceAll(text, "\n", " ")))
		}
		return all, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	})
}

// limitsOf returns the rows of the limits of a command.
func limitsOf(c *cobra.Command) []string {
	if f := c.LocalFlags().Lookup("limit"); f != nil {
		return f.Annotations[limits]
	}
	return nil
}

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
		rest.title = "Other flags"
	}
	return append(named, rest)
}

// help writes what a command does and how it is used. Of a program with groups of commands it writes a page that fits
// a screen: the topic "flags" has the rest.
func help(c *cobra.Command, _ []string) {
	text := c.Short + ".\n\n"
	if len(c.Groups()) == 0 {
		text = strings.TrimSpace(c.Long) + "\n\n"
	}
	_, _ = io.WriteString(c.OutOrStdout(), text)
	_ = usage(c) // the writer keeps its first error
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
		commands(c, &b)
	}
	if len(c.Groups()) == 0 {
		flags(c, &b)
	}
	if c.HasAvailableInheritedFlags() {
		fmt.Fprintf(&b, "\nFlags of all commands:\n%s", c.InheritedFlags().FlagUsages())
	}
	bounded := limitsOf(c) != nil
	if bounded || c.HasAvailableSubCommands() {
		b.WriteString("\n")
	}
	if len(c.Groups()) > 0 {
		fmt.Fprintf(&b, "Use '%s help flags' for the flags and exit statuses of '%s'.\n", c.Name(), c.UseLine())
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

// commands lists the commands below one, in their groups.
func commands(c *cobra.Command, b *strings.Builder) {
	list := func(title, group string) {
		fmt.Fprintf(b, "\n%s:\n", title)
		for _, x := range c.Commands() {
			if x.GroupID == group && (x.IsAvailableCommand() || x.Name() == "help") {
				fmt.Fprintf(b, "  %-*s %s\n", x.NamePadding(), x.Name(), x.Short)
			}
		}
	}
	for _, g := range c.Groups() {
		list(g.Title, g.ID)
	}
	if len(c.Groups()) > 0 {
		list("Help", "")
	} else {
		list("Commands", "")
	}
}

// flags lists the flags of a command in their groups.
func flags(c *cobra.Command, b *strings.Builder) {
	for _, g := range groups(c.LocalFlags()) {
		if g.flags.HasAvailableFlags() {
			fmt.Fprintf(b, "\n%s:\n%s", g.title, g.flags.FlagUsages())
		}
	}
}

// limitsPath returns the command line that lists the limits of a command.
func limitsPath(c *cobra.Command) string {
	return strings.TrimSpace(c.Root().Name() + " help " + limits + strings.TrimPrefix(c.CommandPath(), c.Root().Name()))
}

// helpLimits lists the limits of a command.
func helpLimits(c *cobra.Command) error {
	rows := limitsOf(c)
	if rows == nil {
		return fmt.Errorf("'%s' has no limits", c.CommandPath())
	}
	fmt.Fprintf(c.OutOrStdout(), `Limits of '%s' on what an input can cost, set by --limit NAME=VALUE.

Real builds do not reach them. Limits on memory, reading, work and names grow with
what a file really contains. A report or standard error says which limit was reached.

`, c.CommandPath())
	for _, row := range rows {
		name, text, _ := strings.Cut(row, "\t")
		fmt.Fprintf(c.OutOrStdout(), "  %-13s %s\n", name, strings.ReplaceAll(text, "\n", "\n                "))
	}
	return nil
}

// helpFlags writes all that is known of the main command.
func helpFlags(c *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s\n", strings.TrimSpace(c.Long), c.UseLine())
	c.InitDefaultHelpFlag()
	flags(c, &b)
	_, err := io.WriteString(c.OutOrStdout(), b.String())
	return err
}

// topic is what the command help can be asked about besides commands.
type topic struct {
	name, short string
	write       func(about *cobra.Command) error
}

// topics are those of a program.
func topics(root *cobra.Command) (all []topic) {
	if limitsOf(root) != nil {
		all = append(all, topic{limits, "Limits on memory, time and reading", helpLimits})
	}
	if len(root.Groups()) > 0 {
		all = append(all, topic{"flags", "Flags and exit statuses", func(c *cobra.Command) error {
			if c.HasParent() {
				return c.Help()
			}
			return helpFlags(c)
		}})
	}
	return all
}

// helpCommand returns the command help, which reports unknown commands.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(c *cobra.Command, args []string) error {
			write := func(about *cobra.Command) error { return about.Help() }
			for _, t := range topics(c.Root()) {
				if len(args) > 0 && args[0] == t.name {
					write, args = t.write, args[1:]
					break
				}
			}
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				var names []string
				for _, t := range topics(c.Root()) {
					names = append(names, t.name)
				}
				return unknownCommand(c.Root(), args[len(args)-max(1, len(rest))], names...)
			}
			about.InitDefaultHelpFlag()
			return write(about)
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, begin string) ([]string, cobra.ShellCompDirective) {
			var names []string
			add := func(name, short string) {
				if len(args) == 0 && strings.HasPrefix(name, begin) {
					names = append(names, name+"\t"+short)
				}
			}
			for _, x := range c.Root().Commands() {
				if x.IsAvailableCommand() {
					add(x.Name(), x.Short)
				}
			}
			for _, t := range topics(c.Root()) {
				add(t.name, t.short)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// limitShells makes the command completion report a shell that it has no script for.
func limitShells(root *cobra.Command, args []string) {
	root.InitDefaultCompletionCmd(args...)
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		var names []string
		for _, s := range c.Commands() {
			names = append(names, s.Name())
		}
		c.Args = nil
		c.RunE = func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("no shell given: expected " + lookup.List(names, ""))
			}
			return lookup.Unknown("shell", args[0], names, "")
		}
	}
}
