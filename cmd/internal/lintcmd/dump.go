package lintcmd

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// dumpFlags are the flags of the dump command.
type dumpFlags struct {
	partFlags
	format string
	pc     pcs
	only   dump.Selection
	code   codeFlags
	table  tableFlags

	addresses []uint64 // with --format line
}

// partFlags say how a file is read, and which part of it.
type partFlags struct {
	member  string
	address address
	raw     bool
	section string
}

func (f *partFlags) flags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.member, "member", "", "select the archive members with this `NAME`")
	sectionFlag(c, &f.section)
	fl.Var(&f.address, "address", "address of the first byte of a raw section")
	fl.BoolVar(&f.raw, "raw", false, "read the file as a raw section, whatever its first bytes are")
}

func (f *partFlags) options() reader.Options {
	return reader.Options{Raw: f.raw, Section: f.section, RawAddress: f.address.value, NoSurvey: true}
}

var dumpCommand = command{
	name: "dump", args: "FILE", files: true, members: true, formats: []string{"text", "json", "objdump", "asm", "line"}, single: true,
	short: "Print SFrame stack trace data",
	long: `Prints the SFrame stack trace data of an ELF file, archive or raw section; "-" is
standard input.

With --code, it prints the instructions of each function, even if the file has no SFrame data.
Each instruction has its FRE, the values that the code proves and, with --cfi, the row of the
CFI. Marks show differences and findings.

Formats:

    text     each field with its offset, its bytes and its meaning
    json     the same, one object for each section
    objdump  what objdump --sframe prints
    asm      a text from which the command asm makes the same bytes
    line     one line for each address of --pc: function, CFA, RA, FP, FDE and FRE, and
             whether the code agrees`,
	status: [3]string{"something was printed", "there is nothing to print", "the input could not be read"},
	example: `  sframe-lint dump --func main a.out
  sframe-lint dump --code --cfi --func main a.out
  sframe-lint dump --format line --pc 0x401136 a.out
  sframe-lint dump --format objdump --member crt1.o libc.a`,
	start: startDump,
}

func startDump(a *app, c *cobra.Command) action {
	var f dumpFlags
	fl := c.Flags()
	fn := funcFlag(c)
	fl.Var(&f.pc, "pc", "select the functions that contain this address; in a relocatable\nfile, an offset in any section; with --format line, \"-\" reads\naddresses from standard input")
	f.code.flags(fl)
	f.table.flags(c)
	f.partFlags.flags(c)
	return func(args []string) error {
		named, _, _ := strings.Cut(a.formats[0], "=")
		f.format = a.form(named)
		f.only = dump.Selection{Func: *fn, PC: f.pc.value, ByPC: fl.Changed("pc")}
		if (f.format == "objdump" || f.format == "asm") && f.only != (dump.Selection{}) {
			return fmt.Errorf("--format %s prints whole sections: it excludes --func and --pc", f.format)
		}
		if err := cmp.Or(f.code.check(f.format), f.checkLine(args[0])); err != nil {
			return err
		}
		if f.format == "line" {
			var err error
			if f.addresses, err = f.pc.read(a.stdin); err != nil {
				return err
			}
		}
		return a.dump(&f, args[0])
	}
}

// dumper prints the sections of an input.
type dumper struct {
	*app
	*dumpFlags
	text    io.Writer
	w       *bufio.Writer // writes to text
	tables  *tables       // with --code
	objects int           // visited
	archive bool
	printed int // sections
}

func (a *app) dump(f *dumpFlags, arg string) error {
	path := fileOf(arg)
	d := &dumper{app: a, dumpFlags: f}
	var err error
	if f.code.on || f.format == "line" {
		if d.tables, err = f.table.tables(a); err != nil {
			return err
		}
	}
	werr := a.write(func(w io.Writer, _ string) error {
		d.text = w
		d.w = bufio.NewWriterSize(w, 32<<10) // a large dump's pieces are larger, and not copied
		visit, opts := d.object, f.options()
		switch {
		case f.code.on:
			visit, opts.NoSurvey = d.listing, false
		case f.format == "line":
			visit, opts.NoSurvey = d.lookup, false
		}
		err = a.scan(path, opts, func(o *reader.Object) error {
			if f.member != "" && o.Member != f.member {
				return nil
			}
			d.objects++
			d.archive = d.archive || o.Member != ""
			return visit(o)
		})
		return d.w.Flush()
	})
	if err := cmp.Or(werr, program.Failed(err)); err != nil {
		return err
	}
	if d.printed > 0 || a.status == program.ExitFailed {
		return nil
	}
	a.status = program.ExitFindings
	switch {
	case f.member == "" && d.objects == 0:
		a.nothingRead()
	case f.member != "" && d.objects == 0:
		a.printLine("%s: no member %q", reports.Name(path.Name, ""), f.member)
	case f.format == "line": // each line says so
	case f.code.on && f.code.only:
		a.status = program.ExitClean // nothing differs
	case f.only != (dump.Selection{}):
		a.noFunction(path, f.only)
	case f.code.on:
		a.printLine("%s: no code that can be listed", reports.Name(path.Name, ""))
	case d.archive:
		a.printLine("%s: none of its %s has SFrame data", reports.Name(path.Name, ""), rules.Count(d.objects, "member"))
	}
	return nil
}

// object prints the sections of an object.
func (d *dumper) object(o *reader.Object) error {
	switch {
	case o.Status == reader.StatusDamaged:
		d.unread(o)
	case d.isForeign(o):
		return nil
	case len(o.SFrames) == 0 && (o.Member == "" || d.member != ""):
		d.reportOutcome(o)
	}
	names := map[string]bool{}
	for i, s := range o.SFrames {
		if !d.only.Selects(o, s) {
			continue
		}
		if d.format == "objdump" && names[s.Name] {
			d.printLine("%s: objdump prints only the first section of the name %s", nameOf(o), reports.Escape(s.Name))
			continue
		}
		names[s.Name] = true
		if d.format == "objdump" && i == 0 {
			d.bfdHeader(o)
		}
		d.printed++
		if err := d.section(o, s); err != nil {
			return err
		}
	}
	return nil
}

// About the bytes that a dump writes of an FDE and an FRE: less than 128 times those that they
// have in a section, as many as --limit max-work allows for each of these that the file really has.
const (
	fdeOutput = 600
	freOutput = 300
)

func (d *dumper) section(o *reader.Object, s *reader.SFrame) error {
	if sec := s.Section; sec != nil && d.only == (dump.Selection{}) {
		if err := o.Step(fdeOutput*int64(sec.NumFDEs()) + freOutput*int64(sec.NumFREs())); err != nil {
			d.printed--
			return err
		}
	}
	switch d.format {
	case "objdump":
		err := dump.Objdump(d.w, o, s)
		if errors.Is(err, dump.ErrNothing) {
			d.printed--
			d.printLine("%s: %v", nameOf(o), err)
			return nil
		}
		return err
	case "json":
		return dump.JSON(d.w, o, s, d.only)
	case "asm":
		return d.assembly(o, s)
	}
	return dump.Full(d.w, o, s, d.only)
}

// assembly writes a section as a text. The comments before it say what it is: one text has one section.
func (d *dumper) assembly(o *reader.Object, s *reader.SFrame) error {
	if o.ELF != nil || d.printed > 1 {
		fmt.Fprintf(d.w, "# %s\n", nameOf(o))
	}
	if d.printed > 1 {
		d.printLine("%s: section %d: the text of one section is the input of asm", nameOf(o), d.printed)
	}
	if err := budget.Of(o.Context).Spend(budget.Memory, int64(len(s.Data))/8); err != nil {
		return err
	}
	defer budget.Of(o.Context).Release(budget.Memory, int64(len(s.Data))/8)
	return dump.Assembly(d.w, o, s)
}

// bfdHeader writes the lines that objdump writes before an object's sections.
func (d *dumper) bfdHeader(o *reader.Object) {
	name := o.Path
	if o.Member != "" {
		if name = o.Member; o.Base == 0 {
			name = filepath.Join(filepath.Dir(o.Path), o.Member) // of a thin archive
		}
		if d.printed == 0 {
			fmt.Fprintf(d.w, "In archive %s:\n", bfdName(o.Path))
		}
	}
	if o.ELF != nil {
		fmt.Fprintf(d.w, "\n%s:     file format %s\n\n", bfdName(name), o.ELF.ABI().BFDTarget)
	}
}

// bfdName writes a name as objdump does: up to the first NUL, and a control
// character as a caret and the character 64 further on.
func bfdName(name string) string {
	name, _, _ = strings.Cut(name, "\x00")
	var b strings.Builder
	for _, c := range []byte(name) {
		if c < ' ' || c == 0x7f {
			b.WriteByte('^')
			c += 0x40
		}
		b.WriteByte(c)
	}
	return b.String()
}
