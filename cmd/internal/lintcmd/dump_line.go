package lintcmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump/table"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

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
		return text + "; by the code " + frameText(t.ABI, &l.Code.Row, l.Code.Signed)
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
