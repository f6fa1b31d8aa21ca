package program

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
)

// NoArgs returns an error if a command has arguments.
func NoArgs(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case c.HasSubCommands():
		return unknownCommand(c, args[0])
	}
	return fmt.Errorf("unexpected argument %q: '%s' takes none", args[0], c.CommandPath())
}

// Commands returns the names of the subcommands that are similar to a word.
func Commands(c *cobra.Command, word string) []string {
	c.SuggestionsMinimumDistance = 2
	return c.SuggestionsFor(word)
}

// Elsewhere returns the name of the other program if that has a command, "" if not.
func Elsewhere(word string) string {
	return map[string]string{"break": "sframe-fuzz", "gen": "sframe-fuzz", "mutate": "sframe-fuzz", "shrink": "sframe-fuzz",
		"coverage": "sframe-lint", "diff": "sframe-lint", "dump": "sframe-lint", "explain": "sframe-lint", "link": "sframe-lint", "stat": "sframe-lint"}[word]
}

// unknownCommand suggests a command below one, one of other names, or one of another program.
func unknownCommand(c *cobra.Command, word string, others ...string) error {
	if other := Elsewhere(word); other != "" && other != c.Name() {
		return fmt.Errorf("unknown command %q; did you mean '%s %s'?", word, other, word)
	}
	if near := append(Commands(c, word), lookup.Near(word, others)...); len(near) > 0 {
		return fmt.Errorf("unknown command %q; did you mean %q?", word, near[0])
	}
	return fmt.Errorf("unknown command %q", word)
}

// flagError returns an error of the flag library in the words of the command line.
func flagError(c *cobra.Command, tree Tree, err error) error {
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(c, tree, unknown)
	case errors.As(err, &empty):
		kind, _ := pflag.UnquoteUsage(empty.GetFlag())
		return fmt.Errorf("--%s: no value given: expected %s", empty.GetFlag().Name, kind)
	case errors.As(err, &wrong):
		cause := wrong.Unwrap()
		if number := (*strconv.NumError)(nil); errors.As(cause, &number) {
			cause = fmt.Errorf("%q is not %s", wrong.GetValue(), article(wrong.GetFlag().Value.Type()))
		}
		name := wrong.GetFlag().Name
		return fmt.Errorf("--%s: %s", name, strings.TrimPrefix(cause.Error(), name+": "))
	}
	return err
}

// article names the values of a type.
func article(kind string) string {
	switch kind {
	case "bool":
		return "true or false"
	case "uint", "uint64":
		return "a number that is not negative"
	}
	return "a number"
}

// unknownFlag suggests a flag of the command, or says which other command has the flag.
func unknownFlag(c *cobra.Command, tree Tree, e *pflag.NotExistError) error {
	name := e.GetSpecifiedName()
	given := "--" + name
	if short := e.GetSpecifiedShortnames(); short != "" {
		// A name after a single hyphen is read as letters.
		given = "-" + name
		name, _, _ = strings.Cut(short, "=")
	}
	if c.Flags().Lookup(name) != nil && len(name) > 1 {
		return fmt.Errorf("unknown flag %s; did you mean --%s?", given, name)
	}
	for _, row := range limitsOf(c) {
		if strings.HasPrefix(row, name+"\t") {
			return fmt.Errorf("unknown flag %s; did you mean --limit %s=VALUE?", given, name)
		}
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near := lookup.Near(name, names); len(near) > 0 {
		return fmt.Errorf("unknown flag %s; did you mean --%s?", given, strings.Join(near, " or --"))
	}
	if other := holder(tree(All), name); other != nil {
		return fmt.Errorf("unknown flag %s; '%s' has it", given, other.CommandPath())
	}
	return fmt.Errorf("unknown flag %s", given)
}

// holder returns a command with the flag.
func holder(c *cobra.Command, name string) *cobra.Command {
	if f := c.Flags().Lookup(name); f != nil && !f.Hidden {
		return c
	}
	for _, sub := range c.Commands() {
		if found := holder(sub, name); found != nil {
			return found
		}
	}
	return nil
}

var exclusive = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^if any flags in the group \[(.*)\] are set none of the others can be; \[(.*)\] were all set$`)
})

// plain returns an error that cobra itself has found in the words of the command line.
func plain(err error) string {
	if m := exclusive().FindStringSubmatch(err.Error()); m != nil {
		return fmt.Sprintf("--%s exclude each other", strings.ReplaceAll(m[2], " ", " and --"))
	}
	var file *fs.PathError
	if errors.As(err, &file) { // the name of the system call says nothing
		return strings.Replace(err.Error(), file.Error(), file.Path+": "+file.Err.Error(), 1)
	}
	return err.Error()
}

// choice is a flag's value: one of some names.
type choice struct {
	value *string
	kind  string
	names []string
}

func (v *choice) String() string { return *v.value }
func (v *choice) Type() string   { return v.kind }

func (v *choice) Set(s string) error {
	if !slices.Contains(v.names, s) {
		return lookup.Unknown(v.kind, s, v.names, "")
	}
	*v.value = s
	return nil
}

// Choice adds a flag to a flag set of a command. The flag accepts one of some names; kind is their name in messages.
// value contains the default.
func Choice(c *cobra.Command, fl *pflag.FlagSet, value *string, flag, kind, usage string, names ...string) {
	fl.Var(&choice{value, kind, names}, flag, usage)
	Values(c, flag, names...)
}

// Complete makes the shell complete the values of a flag by a function. By default it completes file names.
func Complete(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // there is no such flag
	}
}

// Values makes the shell complete a flag by some values and not by file names.
func Values(c *cobra.Command, flag string, values ...string) {
	Complete(c, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// Directory makes the shell complete a flag by directories.
func Directory(c *cobra.Command, flag string) {
	Complete(c, flag, cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs))
}

// Format adds the flag --format. The first format is the default.
func Format(c *cobra.Command, value *string, names ...string) {
	*value = names[0]
	Choice(c, c.Flags(), value, "format", "format", "`FORMAT` of the output: "+lookup.List(names, ""), names...)
}

// list is a flag's value: strings. Those of the flag library write themselves as CSV when they are
// added, with a buffer of 4 KiB for each flag.
type list struct {
	value *[]string
	split bool // a value has several strings, separated by commas
	given bool // value does not have the default any more
}

var _ pflag.SliceValue = (*list)(nil)

func (l *list) String() string {
	if len(*l.value) == 0 {
		return ""
	}
	return "[" + strings.Join(*l.value, ",") + "]"
}

// Type returns the names of the flag library: the shell's completion offers such a flag again.
func (l *list) Type() string {
	if l.split {
		return "stringSlice"
	}
	return "stringArray"
}

func (l *list) Set(s string) error {
	add := []string{s}
	if l.split {
		var err error
		if add, err = csv.NewReader(strings.NewReader(s)).Read(); err != nil && s != "" {
			return err
		}
	}
	if !l.given {
		*l.value, l.given = nil, true
	}
	return l.Replace(append(*l.value, add...))
}

func (l *list) Append(s string) error {
	*l.value = append(*l.value, s)
	return nil
}

func (l *list) Replace(all []string) error {
	*l.value = all
	return nil
}

func (l *list) GetSlice() []string { return slices.Clone(*l.value) }

// List adds a flag that may be repeated. value contains the default.
func List(c *cobra.Command, value *[]string, flag, usage string) {
	c.Flags().Var(&list{value: value}, flag, usage)
}

// Names is [List] for values separated by commas.
func Names(c *cobra.Command, value *[]string, flag, usage string) {
	c.Flags().Var(&list{value: value, split: true}, flag, usage)
}
