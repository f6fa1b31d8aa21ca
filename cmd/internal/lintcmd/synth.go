package lintcmd

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// synthFlags are the flags of the command.
type synthFlags struct {
	output, section string
	opts            rewrite.Addition
}

var synthCommand = command{
	name: "synth", args: "FILE", files: true, members: true, formats: []string{"text", "json"},
	short: "Add SFrame data made from call frame information",
	long: `Derives an SFrame section from the call frame information of a file (.eh_frame or
.debug_frame), and writes a copy of the file with it. In an object file, the section has
relocations, as assemblers write them. A linked file gets a segment that loads the
section, PT_GNU_SFRAME, and a section header. The program headers move into that
segment, so strip a linked file before this command, not after it.

A function with a symbol but no call frame information gets an FDE if its code proves
all rows. The command lists other functions without an FDE, and functions that the
version cannot express, with the reason.`,
	status: [3]string{"written: all functions have an FDE", "written: functions were left out",
		"the file could not be read, has no functions, or could not be written"},
	example: `  sframe-lint synth --output new.o old.o
  sframe-lint synth --output libc.so.6 /lib/x86_64-linux-gnu/libc.so.6
  sframe-lint synth --section-out libc.sframe /lib/x86_64-linux-gnu/libc.so.6`,
	start: func(a *app, c *cobra.Command) action {
		var f synthFlags
		to := toVersion{version: model.SFRAME_VERSION_3}
		outputFlag(c, &f.output, "write the file with the section to `FILE`")
		sectionOutFlag(c, &f.section, "write only the section to `FILE`, for programs that register it")
		to.flag(c, 1, 2, 3)
		noFlex := c.Flags().Bool("no-flex", false, "write no flexible FDEs")
		c.Flags().BoolVar(&f.opts.Replace, "replace", false, "replace the SFrame section of a file that has one")
		return func(paths []string) error {
			f.opts.Version, f.opts.Flex = to.version, !*noFlex
			switch {
			case (f.output == "") == (f.section == ""):
				return errors.New("expected one of --output and --section-out")
			case paths[0] == "-":
				return errors.New("standard input can't be copied: name a file")
			}
			if err := cmp.Or(guardSection(f.section, paths), program.Guard("--output", f.output, paths, program.Head(paths[0]))); err != nil {
				return err
			}
			return a.synth(&f, paths[0])
		}
	},
}

// synthReport says what was written.
type synthReport struct {
	Schema  string           `json:"schema"`
	Path    string           `json:"path"`
	Version int              `json:"version"`
	FDEs    int              `json:"fdes"`
	Proven  int              `json:"fdes_from_code"` // of functions without CFI
	Bytes   int              `json:"bytes"`
	Address string           `json:"address,omitempty"` // of a linked file
	Omitted []expectOmission `json:"omitted"`
	More    int              `json:"omitted_more,omitempty"`
}

func (a *app) synth(f *synthFlags, path string) error {
	var r *synthReport
	err := a.scan(fileOf(path), reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		a.unread(o)
		if a.status == program.ExitFailed || o.Member != "" && r != nil {
			return nil
		}
		if f.section != "" {
			f.opts.Replace = true // nothing is replaced
		}
		x, err := rewrite.Synthesize(o, f.opts)
		if err != nil {
			return err
		}
		r = &synthReport{Schema: "sframe-lint/synth/1", Path: escape.UTF8(o.Path), Version: int(f.opts.Version), FDEs: x.FDEs, Proven: x.Proven, Bytes: len(x.Expected.Data), Omitted: []expectOmission{}, More: x.More}
		if !o.ELF.Relocatable() {
			r.Address = fmt.Sprintf("0x%x", x.Addr)
		}
		for _, m := range x.Omitted {
			r.Omitted = append(r.Omitted, omission(o, m, r.Version))
		}
		if f.section != "" {
			return edit.Write(f.section, x.Expected.Data)
		}
		p := &edit.Plan{Path: path}
		if err := addEdits(p, o, x.Edits); err != nil {
			return err
		}
		return p.Apply(a.ctx, f.output)
	})
	if err == nil && r == nil && a.status == program.ExitClean {
		err = fmt.Errorf("%s: nothing to add SFrame data to", path)
	}
	if err != nil {
		a.fail("%s", reason(err))
	}
	if err != nil || r == nil {
		return nil
	}
	if to := f.output + f.section; edit.IsStdout(to) {
		a.stdout = a.stderr // standard output has the file
	}
	a.failIfUnmet(len(r.Omitted) > 0)
	return a.report(r, forms{"text": r.text})
}

// text writes the report as text.
func (r *synthReport) text(w io.Writer) error {
	b := bufio.NewWriter(w)
	path := escape.Printable(r.Path)
	writeOmissions(b, path, r.Omitted, r.More)
	fmt.Fprintf(b, "%s: version %d, %s, %s", path, r.Version, rules.Count(r.FDEs, "FDE"), rules.Count(r.Bytes, "byte"))
	if r.Address != "" {
		fmt.Fprintf(b, " at %s", r.Address)
	}
	if r.Proven > 0 {
		fmt.Fprintf(b, "; %s from code without call frame information", rules.Count(r.Proven, "FDE"))
	}
	fmt.Fprintln(b)
	return b.Flush()
}
