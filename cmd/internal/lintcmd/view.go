package lintcmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump/table"
	"github.com/sframe-lint/sframe-lint/internal/tool/html"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

// viewFlags are the flags of the command.
type viewFlags struct {
	partFlags
	out  string
	only dump.Selection
	code bool

	table tableFlags
}

var viewCommand = command{
	name: "view", args: "FILE [OTHER]", files: true, page: true, members: true,
	short: "Write a page to browse SFrame stack trace data",
	long: `Writes a page to browse the SFrame stack trace data of an ELF file, archive or raw
section in a web browser. It shows functions, FREs, a picture of the stack frame that
each FRE describes, and all bytes. For each function it shows the instructions with the
rows of SFrame data, CFI and code, and findings, as dump --code --cfi prints them.

The page is one file that needs no network. Its keys are / (search), the arrows, Page
Up, Page Down, Home, End and Enter. With --func or --pc, the instructions of one
function can be read without JavaScript.

With a second file, the page shows both. The key o switches between the same function in
each file. Filters show the functions that differ.`,
	status: [3]string{"the page was written", "there is nothing to show", "the input could not be read, or the page could not be written"},
	example: `  sframe-lint view -o lua.html lua
  sframe-lint view --member crt1.o -o crt1.html libc.a
  sframe-lint view -o diff.html old.o new.o`,
	start: startView,
}

func startView(a *app, c *cobra.Command) action {
	var f viewFlags
	fl := c.Flags()
	outputFlag(c, &f.out, "write the page to `FILE` and not to standard output")
	fn := funcFlag(c)
	var pc address
	fl.Var(&pc, "pc", "show only the instructions of the functions that contain this address;\nin a relocatable file, an offset in any section")
	fl.BoolVar(&f.code, "code", true, "add the instructions; --code=false makes the page smaller")
	f.table.flags(c)
	f.partFlags.flags(c)
	return func(args []string) error {
		if f.out == "" && program.IsTerminal(a.stdout) {
			return errors.New("the page is not for a terminal: name a file with --output")
		}
		f.only = dump.Selection{Func: *fn, PC: pc.value, ByPC: fl.Changed("pc")}
		if f.out != "" {
			if err := program.Guard("--output", f.out, args, nil); err != nil {
				return err
			}
		}
		return a.view(&f, args)
	}
}

// viewer writes the page of a file. It opens the page when there is something to show.
type viewer struct {
	*app
	*viewFlags
	args []string // what the page is on
	page *html.View
	file *edit.Output // nil for standard output

	total  *budget.Budget // of the page
	tables *tables        // with code
}

func (a *app) view(f *viewFlags, args []string) error {
	b, end := a.newBudget()
	defer end()
	v := &viewer{app: a, viewFlags: f, args: args, total: b}
	var err error
	if f.code {
		if v.tables, err = f.table.tables(a); err != nil {
			return err
		}
	}
	for _, path := range args {
		if err == nil {
			err = v.add(path)
		}
	}
	if err := v.close(err); err != nil {
		return program.Failed(err)
	}
	if f.only != (dump.Selection{}) && a.status == program.ExitClean && !a.selects(fileOf(args[0]), f.only) {
		a.noFunction(fileOf(args[0]), f.only)
		a.status = program.ExitFindings
	}
	if v.page == nil && a.status == program.ExitClean {
		a.status = program.ExitFindings
		a.printLine("%s: no SFrame data to show", reports.Name(fileOf(args[0]).Name, ""))
	}
	return nil
}

// add adds a file to the page, with a name if the page has several.
func (v *viewer) add(path string) error {
	opts, name := v.options(), path
	opts.NoSurvey = !v.code
	if len(v.args) == 1 {
		opts.Context, name = v.total, ""
	}
	return v.scan(fileOf(path), opts, func(o *reader.Object) error {
		return v.object(o, name)
	})
}

// object adds the sections of an object to the page.
func (v *viewer) object(o *reader.Object, name string) error {
	if v.member != "" && o.Member != v.member {
		return nil
	}
	if v.unread(o); o.ELF == nil && v.status == program.ExitClean && v.isForeign(o) {
		return nil
	}
	if err := v.listing(o); err != nil {
		return err
	}
	for _, s := range o.SFrames {
		if len(s.Data) == 0 {
			continue
		}
		if err := v.open(); err != nil {
			return err
		}
		v.page.File(name)
		if err := v.section(o, s); err != nil {
			return err
		}
	}
	return nil
}

// listing adds the instructions of an object with SFrame data to the page.
func (v *viewer) listing(o *reader.Object) error {
	if !v.code || o.ELF == nil || !slices.ContainsFunc(o.SFrames, func(s *reader.SFrame) bool { return len(s.Data) > 0 }) {
		return nil
	}
	if err := v.open(); err != nil {
		return err
	}
	t, err := v.tables.open(o, table.Selection{CFI: true, Func: v.only.Func, PCs: pcsOf(v.only)})
	if err != nil {
		return err
	}
	return v.page.Code(t, v.only != (dump.Selection{}))
}

// section adds a section, or those that a linker has concatenated in it, to the page.
func (v *viewer) section(o *reader.Object, s *reader.SFrame) error {
	if s.Section == nil || o.ELF != nil && o.ELF.Relocatable() || !rewrite.Joined(s.Data) {
		return v.page.Section(o, s) // in a relocatable file, relocations give the starts
	}
	n := 0
	for p, err := range rewrite.Pieces(s.Data, s.Section.Addr(), false) {
		if err != nil {
			v.printLine("%s: %s: bytes after section %d are not shown: %v", nameOf(o), s.Name, n, err)
			return nil
		}
		name := cmp.Or(s.Name, ".sframe")
		if n++; n > 1 {
			name += fmt.Sprintf(", section %d (readers miss it)", n)
		}
		part := &reader.SFrame{Name: name, Index: s.Index,
			Offset: s.Offset + p.Off, Data: s.Data[p.Off:][:p.Size()], Section: p.Section}
		if err := v.page.Section(o, part); err != nil {
			return err
		}
	}
	return nil
}

// open begins the page, unless it has begun.
func (v *viewer) open() error {
	if v.page != nil {
		return nil
	}
	w := v.stdout
	if v.out != "" {
		file, err := openReport("--output", v.out, v.args)
		if err != nil {
			return err
		}
		v.file, w = file, file
	}
	var names []string
	for _, arg := range v.args {
		names = append(names, fileOf(arg).Name)
	}
	v.page = html.NewView(w, tool(), strings.Join(names, " and "), v.total)
	return nil
}

// close ends the page. It returns the error of a write, if one has failed, or that of the
// input.
func (v *viewer) close(err error) error {
	if v.page != nil {
		err = cmp.Or(v.page.Close(), err)
	}
	if v.file != nil {
		err = cmp.Or(v.file.Close(), err)
	}
	return err
}
