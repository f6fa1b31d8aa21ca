package lintcmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump/table"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
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

// pcs is the value of --pc: an address, or "-" for those on standard input.
type pcs struct {
	address
	stdin bool
}

func (p *pcs) Set(s string) error {
	if p.stdin = s == "-"; p.stdin {
		return nil
	}
	return p.address.Set(s)
}

// mostPCs bounds the addresses that are read from standard input.
const mostPCs = 1 << 16

// read returns the addresses to look up.
func (p *pcs) read(stdin io.Reader) (all []uint64, err error) {
	if !p.stdin {
		return []uint64{p.value}, nil
	}
	lines := bufio.NewScanner(stdin)
	for n := 1; lines.Scan(); n++ {
		var a address
		switch text := strings.TrimSpace(lines.Text()); {
		case text == "":
			continue
		case len(all) == mostPCs:
			return nil, fmt.Errorf("--pc: standard input has more than %d addresses", mostPCs)
		default:
			if err := a.Set(text); err != nil {
				return nil, fmt.Errorf("--pc: line %d of standard input: %w", n, err)
			}
		}
		all = append(all, a.value)
	}
	return all, lines.Err()
}

// pcsOf returns the address of a selection for a table.
func pcsOf(s dump.Selection) []uint64 {
	if !s.ByPC {
		return nil
	}
	return []uint64{s.PC}
}

func (f *dumpFlags) checkLine(file string) error {
	switch {
	case f.format != "line" && f.pc.stdin:
		return errors.New("--pc - requires --format line")
	case f.format != "line":
		return nil
	case !f.only.ByPC:
		return errors.New("--format line requires --pc")
	case f.code.on:
		return errors.New("--format line excludes --code")
	case f.pc.stdin && file == "-":
		return errors.New("--pc - and FILE both read standard input")
	}
	return nil
}

// lookup prints a line for each address: what a tracer recovers there, and what the code says of it.
func (d *dumper) lookup(o *reader.Object) error {
	d.unread(o)
	if o.ELF == nil {
		return nil
	}
	t, err := d.tables.open(o, table.Selection{PCs: slices.Compact(slices.Sorted(slices.Values(d.addresses)))})
	if err != nil {
		return err
	}
	texts := map[uint64][]string{}
	err = t.At(func(pc uint64, f *table.Function, l *table.Line) {
		texts[pc] = append(texts[pc], lineText(t, f, l, pc))
		d.printed++
	})
	for _, pc := range d.addresses {
		if texts[pc] == nil {
			texts[pc] = []string{"no code"}
		}
		for _, text := range texts[pc] {
			fmt.Fprintf(d.w, "0x%x: %s\n", pc, text)
		}
	}
	return err
}

// lineText describes the frame at an instruction.
func lineText(t *table.Table, f *table.Function, l *table.Line, pc uint64) string {
	name := f.Name
	if name == "" {
		name = f.Section
	}
	text := fmt.Sprintf("%s+0x%x", escape.Name(name), pc-f.Start)
	if l.File != "" {
		text += fmt.Sprintf(" (%s:%d)", escape.Name(l.File), l.Line)
	}
	if !l.SFrame.Has {
		return text + ": no SFrame data"
	}
	text += ": " + frameText(t.ABI, &l.SFrame.Row, l.SFrame.Signed) + fmt.Sprintf("; FDE %d", f.FDE)
	if l.SFrame.FRE >= 0 {
		text += fmt.Sprintf(" FRE %d", l.SFrame.FRE)
	}
	const byCode = table.CodeCFA | table.CodeRA | table.CodeFP | table.CodeSigning
	switch {
	case l.Code.Agrees:
		return text + "; the code agrees"
	case l.Differs&byCode != 0:
		return text + "; in the code " + frameText(t.ABI, &l.Code.Row, l.Code.Signed)
	case l.Code.Judged && l.Code.Reason == 0:
		return text + "; the code does not decide it"
	}
	return text + "; the code does not decide it: " + l.Code.Reason.String()
}

func frameText(abi model.ABIInfo, r *model.Row, signed bool) string {
	if r.Outermost() {
		return "outermost frame"
	}
	rule := func(v model.Recovery) string {
		if v.Kind == model.Invalid {
			return "not known"
		}
		return v.Format(abi)
	}
	text := fmt.Sprintf("CFA %s, RA %s", rule(r.CFA), rule(r.RA))
	if signed {
		text += " signed"
	}
	return text + ", FP " + rule(r.FP)
}

// selects reports whether the SFrame data of a file has a function that was asked for.
func (a *app) selects(p lint.Path, only dump.Selection) (found bool) {
	_ = a.scan(p, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			found = found || only.Selects(o, s)
		}
		return nil
	})
	return found
}

// mostNames is the number of functions that are looked at for a suggestion.
const mostNames = 1 << 14

// noFunction says that a file has no function of a pattern or at an address, and which are near.
func (a *app) noFunction(p lint.Path, only dump.Selection) {
	word := strings.Trim(only.Func, "*?")
	var names, with []string
	var near model.FDE
	var nearest string
	err := a.scan(p, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			if s.Section == nil || o.ELF == nil {
				continue
			}
			for f := range s.Section.FDEs() {
				y, ok := o.ELF.Symbols.Func(f.Place(), f.Start())
				if f.Resolved() && (nearest == "" || distance(f, only.PC) < distance(near, only.PC)) {
					near, nearest = f, fmt.Sprintf("0x%x to 0x%x", f.Start(), f.End())
					if ok {
						nearest = escape.Name(y.Name) + ", " + nearest
					}
				}
				if !ok || len(names) == mostNames {
					continue
				}
				if names = append(names, y.Name); word != "" && strings.Contains(y.Name, word) {
					with = append(with, y.Name)
				}
			}
		}
		return nil
	})
	if err != nil {
		return // it was read before, and what is wrong was said
	}
	what, hint := fmt.Sprintf("no function %s", escape.Name(only.Func)), ""
	close := lookup.Near(word, names)
	if n := len(with); n > 0 && n <= 3 {
		close = with
	}
	switch {
	case only.ByPC:
		what = fmt.Sprintf("no function at 0x%x", only.PC)
		if nearest != "" {
			hint = "; the nearest one is " + nearest
		}
	case len(close) > 0:
		hint = "; did you mean " + escape.Printable(lookup.List(close, `"`)) + "?"
	case len(with) > 0:
		hint = fmt.Sprintf("; --func '*%s*' is for %d functions", escape.Printable(word), len(with))
	}
	a.printLine("%s: %s in its SFrame data%s", reports.Name(p.Name, ""), what, hint)
}

// distance is how far an address is from a function.
func distance(f model.FDE, pc uint64) uint64 {
	switch {
	case pc < f.Start():
		return f.Start() - pc
	case pc >= f.End():
		return pc - f.End() + 1
	}
	return 0
}
