package lintcmd

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/tool/dump/table"
	"github.com/sframe-lint/sframe-lint/reader"
)

// codeFlags say what is listed beside instructions.
type codeFlags struct {
	on, cfi, only bool
}

func (f *codeFlags) flags(fl *pflag.FlagSet) {
	fl.BoolVar(&f.on, "code", false, "print the instructions, each with its FRE, the values that the code proves,\nand findings")
	fl.BoolVar(&f.cfi, "cfi", false, "with --code: also print the rows of the CFI, and where they differ")
	fl.BoolVar(&f.only, "only-differences", false, "with --code: print only instructions with differences or findings")
}

func (f *codeFlags) check(format string) error {
	switch {
	case f.cfi && !f.on:
		return errors.New("--cfi requires --code")
	case f.only && !f.on:
		return errors.New("--only-differences requires --code")
	case f.on && format != "text" && format != "json":
		return errors.New("--code prints text or json")
	}
	return nil
}

// listing prints the instructions of an object.
func (d *dumper) listing(o *reader.Object) error {
	d.unread(o)
	if o.ELF == nil {
		return nil
	}
	t, err := d.tables.open(o, table.Selection{Func: d.only.Func, PCs: pcsOf(d.only), CFI: d.code.cfi, OnlyDifferences: d.code.only})
	if err != nil {
		return err
	}
	var out table.Writer = table.NewText(d.text, t, d.useColor(d.stdout))
	if d.format == "json" {
		out = table.NewJSON(d.w, t)
	}
	begun := false
	begin := func() error {
		if begun {
			return nil
		}
		begun = true
		d.printed++
		return out.Begin(d.printed == 1)
	}
	if d.only.Func == "" && !d.only.ByPC && len(t.OtherFindings()) > 0 {
		if err := begin(); err != nil {
			return err
		}
	}
	var failed error
	err = t.Functions(func(f *table.Function) bool {
		if failed = begin(); failed == nil {
			failed = out.Function(f)
		}
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	if err != nil || !begun {
		return err
	}
	return out.Flush()
}
