package lintcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/internal/tool/asm"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/internal/tool/rewrite"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

// asmFlags are the flags of the command.
type asmFlags struct {
	out     string
	into    string
	noFiles bool
}

var asmCommand = command{
	name: "asm", args: "FILE", files: true,
	short: "Assemble an SFrame section from text",
	long: `Assembles an SFrame section from a text. People and 'dump --format asm' write such
texts, and docs/asm.md describes the language. The assembler derives values that the
text does not state, and every field can be set to any value. The result is a raw
section, or an ELF file if the text has the directive .elf. With --into it is a copy of
an ELF file with another section. "-" is standard input.

The output has at most 64 MiB, or the size of the text if that is larger. Repetitions
and reading may cost at most that size plus 16 times the size of the text. The text may
name other files, unless --no-files is given. Only the named part of a file is read.`,
	status: [3]string{"the file was written", "", "the text has errors, or a file could not be read or written"},
	example: `  sframe-lint dump --format asm a.out > a.sfs
  sframe-lint asm a.sfs -o a.sframe
  sframe-lint asm a.sfs --into a.out -o b.out`,
	start: func(a *app, c *cobra.Command) action {
		var f asmFlags
		outputFlag(c, &f.out, "write the bytes to `FILE` and not to standard output")
		c.Flags().StringVar(&f.into, "into", "", "write a copy of the ELF `FILE` with its section replaced by the assembled one")
		c.Flags().BoolVar(&f.noFiles, "no-files", false, "reject texts that name other files")
		return func(args []string) error {
			if f.out == "" && program.IsTerminal(a.stdout) {
				return errors.New("the bytes are not for a terminal: name a file with --output")
			}
			return a.assemble(&f, args[0])
		}
	},
}

// assemble runs the command.
func (a *app) assemble(f *asmFlags, arg string) error {
	limit := a.limits.Of(budget.Section)
	text, err := a.text(arg, limit)
	switch name := reports.Name(fileOf(arg).Name, ""); {
	case err != nil:
	case len(bytes.TrimSpace(text)) == 0:
		err = fmt.Errorf("%s: the text is empty", name)
	case reader.IsInput(text[:min(len(text), 8)]), bytes.IndexByte(text, 0) >= 0:
		err = fmt.Errorf("%s: not a text: 'sframe-lint dump --format asm' writes one", name)
	}
	if err != nil {
		return program.Failed(err)
	}
	opts := asm.Options{Name: reports.Name(fileOf(arg).Name, "")}
	needed := []string{arg, f.into}
	if !f.noFiles {
		dir := filepath.Dir(arg)
		opts.Read = func(name string, off, n int64) ([]byte, int64, error) {
			if !filepath.IsAbs(name) {
				name = filepath.Join(dir, name)
			}
			if needed[len(needed)-1] != name {
				needed = append(needed, name)
			}
			f, info, err := regular.Open(name)
			if err != nil {
				return nil, 0, err
			}
			defer f.Close()
			b := make([]byte, max(min(n, info.Size()-off), 0))
			if _, err = f.ReadAt(b, off); err == io.EOF && len(b) == 0 {
				err = nil
			}
			return b, info.Size(), err
		}
	}
	out, err := asm.Assemble(text, opts)
	if err != nil {
		var all asm.Errors
		if !errors.As(err, &all) {
			return program.Failed(err)
		}
		for _, e := range all {
			a.printLine("%s", reports.Escape(e.Error()))
		}
		a.status = program.ExitFailed
		return nil
	}
	data := out.Bytes
	if f.into != "" {
		if data, err = a.replaceSection(f.into, out); err != nil {
			return program.Failed(err)
		}
	}
	if f.out == "" {
		_, err := a.stdout.Write(data)
		return program.Failed(err)
	}
	if err := program.Guard("--output", f.out, needed, data); err != nil {
		return err
	}
	return program.Failed(edit.Write(f.out, data))
}

// text returns the text of an argument.
func (a *app) text(arg string, limit int64) (text []byte, err error) {
	if arg != "-" {
		text, err = regular.Read(arg, limit)
	} else if text, err = io.ReadAll(io.LimitReader(a.stdin, max(limit, 1<<20)+1)); err != nil {
		err = fmt.Errorf("standard input: %w", err)
	}
	if err == nil && limit > 0 && int64(len(text)) > limit {
		err = fmt.Errorf("%s: the text has more than %d bytes", arg, limit)
	}
	return text, err
}

// replaceSection returns a file with another section in the place of its own.
func (a *app) replaceSection(path string, out *asm.Output) ([]byte, error) {
	if out.ELF {
		return nil, errors.New("--into: the text has a file of its own: take out .elf")
	}
	file, err := regular.Read(path, 0)
	if err != nil {
		return nil, err
	}
	found := 0
	var change *rewrite.Change
	err = a.scan(fileOf(path), reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		if o.ELF == nil && o.Foreign == "" || o.Member != "" {
			return fmt.Errorf("it is not an ELF file")
		}
		for _, sf := range o.SFrames {
			if found++; found > 1 {
				return errors.New("it has more than one SFrame section")
			}
			if change, err = rewrite.Put(o, sf, out.Section); err != nil {
				return err
			}
			sec, ok := o.ELF.SectionOf(sf)
			if ok && !o.ELF.Relocatable() && sec.Addr != out.Addr {
				return fmt.Errorf("the section is at 0x%x, and the text says .address 0x%x", sec.Addr, out.Addr)
			}
		}
		return nil
	})
	if err == nil && found == 0 {
		err = fmt.Errorf("%s: no SFrame section", path)
	}
	if err != nil {
		return nil, err
	}
	var p edit.Plan
	if !p.Add(change.Edits...) {
		return nil, errOverlap
	}
	if file, err = p.Bytes(file); err != nil {
		err = fmt.Errorf("%s: changed meanwhile", path)
	}
	return file, err
}
