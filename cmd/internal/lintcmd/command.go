package lintcmd

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
)

// command is a row of the table of commands.
type command struct {
	name, args, short, long, example string
	status                           [3]string // see [program.Command]
	formats                          []string  // of --format, the default first; nil if the command writes no report
	single                           bool      // one report a run: it is written while the input is read
	files                            bool      // it reads files: the limits of reading apply
	page                             bool      // it writes a page, which has a limit, too
	members                          bool      // of archives, too, although it takes no PATH
	start                            func(a *app, c *cobra.Command) action
}

// action is what a command does with its arguments.
type action = func(args []string) error

// section is the commands for one purpose.
type section struct {
	title    string
	commands []command
}

// command returns the tree of commands. It is a [program.Tree].
func (a *app) command(need func(name string) bool) *cobra.Command {
	root := a.lintCommand()
	for _, s := range sections() {
		root.AddGroup(&cobra.Group{ID: s.title, Title: s.title})
		for i := range s.commands {
			if need(s.commands[i].name) {
				c := s.commands[i].row(a).Cobra()
				c.GroupID = s.title
				root.AddCommand(c)
			}
		}
	}
	a.color = "auto"
	program.Choice(root, root.PersistentFlags(), &a.color, "color", "value", "write colours: `WHEN` is auto (on a terminal), always or never", "auto", "always", "never")
	return root
}

// row returns the command for the program's table.
func (x *command) row(a *app) *program.Command {
	p := &program.Command{Name: x.name, Args: x.args, Short: x.short, Long: x.long, Status: x.status, Example: x.example}
	p.Start = func(c *cobra.Command) action {
		run := x.start(a, c)
		a.add(x, c)
		return a.interruptible(func(args []string) error {
			if err := a.check(x, c, args); err != nil {
				return err
			}
			a.needed = append(a.needed, args...)
			return run(args)
		})
	}
	return p
}

// shared are the flags that mean the same in all commands. docs/usage.md has them as a table.
type shared struct {
	formats   []string // F or F=FILE
	own       []string // that the command itself writes
	excluded  []string
	thinRoots []string
	jobs      int64
}

// add adds the shared flags that a row of the table has: its arguments say which.
func (a *app) add(x *command, c *cobra.Command) {
	if x.formats != nil {
		a.formats, a.own = nil, x.formats
		program.List(c, &a.formats, "format", "write the report as `FORMAT[=FILE]`: "+lookup.List(x.allFormats(), "")+repeat[!x.single])
		program.Values(c, "format", x.allFormats()...)
	}
	if x.reads("PATH") {
		a.pathFlags(c)
	} else if x.members {
		a.thinRootFlag(c)
	}
	if x.files {
		bounds := budget.Reading()
		if x.page {
			bounds = append(bounds, *budget.Output.Bound())
		}
		limitFlag(c, &a.limits, bounds)
	}
	completeOthers(c)
}

// completeOthers makes the shell offer directories for the flags that name one, and nothing for those that name no file.
func completeOthers(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		kind, _ := pflag.UnquoteUsage(f)
		if _, ok := c.GetFlagCompletionFunc(f.Name); ok {
			return
		}
		switch kind {
		case "FILE", "FILES":
		case "DIR":
			program.Directory(c, f.Name)
		default:
			program.Values(c, f.Name)
		}
	})
}

var repeat = map[bool]string{true: ";\nmay be repeated"}

// allFormats are the formats of --format: each report is there as Markdown.
func (x *command) allFormats() []string {
	if slices.Contains(x.formats, "markdown") {
		return x.formats
	}
	return slices.Insert(slices.Clone(x.formats), min(2, len(x.formats)), "markdown")
}

// reads reports whether an argument has a name.
func (x *command) reads(arg string) bool { return strings.Contains(x.args, arg) }

// check holds the arguments and the shared flags against each other and the files that they name.
func (a *app) check(x *command, c *cobra.Command, args []string) error {
	if x.formats != nil {
		if len(a.formats) == 0 {
			a.formats = x.formats[:1]
		}
		if err := checkFormats(a.formats, x.allFormats()); err != nil {
			return err
		}
		if x.single && len(a.formats) > 1 {
			return fmt.Errorf("--format: '%s' writes one report a run", c.CommandPath())
		}
	}
	return cmp.Or(a.checkPaths(c), stdinOnce(args))
}

// checkPaths checks the flags for paths and names.
func (a *app) checkPaths(c *cobra.Command) error {
	if a.jobs < 0 {
		return fmt.Errorf("--jobs: %d is below 0", a.jobs)
	}
	for _, p := range a.excluded {
		if err := lookup.CheckPattern(p); err != nil {
			return fmt.Errorf("--exclude: %w", err)
		}
	}
	for _, p := range valuesOf(c.Flags().Lookup("allow-gap")) {
		if strings.ContainsAny(p, `[]\\`) {
			return fmt.Errorf("--allow-gap: %q is not a pattern: only * and ? stand for other characters", p)
		}
	}
	debug := lint.Sources{DebugFiles: valuesOf(c.Flags().Lookup("debug-file"))}
	return cmp.Or(filesExist(c), debug.CheckDebugFiles(c.Flags().Args()))
}

// valuesOf returns the values of a flag, nil if there is none or it was not set.
func valuesOf(f *pflag.Flag) []string {
	if f == nil || !f.Changed {
		return nil
	}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// filesExist reports an error if a directory or file that a flag names is not there: what it has would be
// missing in silence.
func filesExist(c *cobra.Command) error {
	for name, dir := range map[string]bool{"thin-root": true, "source-root": true, "debug-root": true, "debug-file": false, "sysroot": true, "input-root": true} {
		for _, p := range valuesOf(c.Flags().Lookup(name)) {
			info, err := os.Stat(p)
			switch {
			case err != nil:
				return openError("--"+name, err)
			case dir && !info.IsDir():
				return fmt.Errorf("--%s: %s is not a directory", name, p)
			}
		}
	}
	return nil
}

// pathFlags adds the flags for paths.
func (a *app) pathFlags(c *cobra.Command) {
	program.List(c, &a.excluded, "exclude", "skip files and directories below PATH that match `GLOB`, as in a\n.gitignore; may be repeated")
	c.Flags().Int64VarP(&a.jobs, "jobs", "j", 0, "read `N` files at once (default: the number of processors)")
	a.thinRootFlag(c)
}

// thinRootFlag adds the flag for members of thin archives.
func (a *app) thinRootFlag(c *cobra.Command) {
	program.List(c, &a.thinRoots, "thin-root", "also read members of thin archives below `DIR`; others must be below the\narchive's directory or a named one; may be repeated")
}

// outputFlag adds the flag for the file that a command writes.
func outputFlag(c *cobra.Command, path *string, usage string) {
	c.Flags().StringVarP(path, "output", "o", "", usage)
}

// sectionOutFlag adds the flag for a file that gets only a section.
func sectionOutFlag(c *cobra.Command, path *string, usage string) {
	c.Flags().StringVar(path, "section-out", "", usage)
}

// guardSection returns an error if the file of --section-out must not be written.
func guardSection(path string, needed []string) error {
	if path == "" {
		return nil
	}
	return program.Guard("--section-out", path, needed, binary.LittleEndian.AppendUint16(nil, model.SFRAME_MAGIC))
}

// sectionFlag adds the flag for the section that is read.
func sectionFlag(c *cobra.Command, name *string) {
	c.Flags().StringVar(name, "section", "", "also read sections with this `NAME`, whatever their type")
}

// funcFlag adds the flag that selects functions.
func funcFlag(c *cobra.Command) *string {
	return c.Flags().String("func", "", "select functions whose names match `GLOB` (*, ?)")
}

// toVersion is the value of the flag for the version that a command writes.
type toVersion struct {
	version model.Version
	allowed []int
}

func (t *toVersion) flag(c *cobra.Command, allowed ...int) {
	t.allowed = allowed
	usage := "`VERSION` of the format to write"
	if t.version == 0 {
		usage += " (default: that of the file)"
	}
	c.Flags().Var(t, "to", usage)
	program.Values(c, "to", t.names()...)
}

func (t *toVersion) names() (all []string) {
	for _, v := range t.allowed {
		all = append(all, strconv.Itoa(v))
	}
	return all
}

func (t *toVersion) Type() string { return "VERSION" }

func (t *toVersion) String() string {
	if t.version == 0 {
		return ""
	}
	return strconv.Itoa(int(t.version))
}

func (t *toVersion) Set(s string) error {
	v, err := strconv.Atoi(s)
	if err != nil || !slices.Contains(t.allowed, v) {
		return fmt.Errorf("%q is not a version that can be written: expected %s", s, lookup.List(t.names(), ""))
	}
	t.version = model.Version(v)
	return nil
}
