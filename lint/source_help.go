package lint

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/evidence/lines"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// maxDirectives is the number of directives of a function that have their lines looked up, and maxHelpLines how many of them
// help writes; help with more counts from the function's start.
const maxDirectives, maxHelpLines = 64, 8

// directivePCs returns the last bytes of the instructions after which the directives of a finding belong, each followed
// by the first byte of the next one.
func directivePCs(f *rules.Finding) (all []lines.PC) {
	for _, d := range f.Directives() {
		if d.Offset == 0 || len(all) == 2*maxDirectives {
			return nil
		}
		at := lines.PC{Place: f.Place, Addr: f.Correction.Start + d.Offset}
		all = append(all, lines.PC{Place: at.Place, Addr: at.Addr - 1}, at)
	}
	return all
}

// inLines adds the lines to the directives of a finding in assembly, if all of them are known and in the file of the
// finding, and each is between instructions of two lines. Then help counts lines instead of bytes: "after line 9 (sub
// $0x20,%rsp) write .cfi_def_cfa_offset 48".
func inLines(o *reader.Object, f *rules.Finding, file string, found map[lines.PC]lines.Location) {
	pcs := directivePCs(f)
	for i := 0; i < len(pcs); i += 2 {
		l, next := found[pcs[i]], found[pcs[i+1]]
		if l.File != file || l.Line.Line == 0 || next.File == file && next.Line.Line == l.Line.Line {
			return
		}
	}
	if len(pcs) == 0 {
		return
	}
	for i := range f.Correction.Directives {
		f.Correction.Directives[i].After = found[pcs[2*i]].Line.Line
	}
	if f.Help != f.Correction.Help || len(f.Correction.Directives) > maxHelpLines {
		return
	}
	var b strings.Builder
	last := 0
	for i, d := range f.Correction.Directives {
		if i > 0 && last == d.After {
			b.WriteString(" and " + d.Text)
			continue
		}
		if last = d.After; i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "after line %d%s write %s", last, instruction(o, f, d.Offset), d.Text)
	}
	f.Help = b.String()
}

// maxDecoded bounds the bytes of a function that are decoded to find an instruction.
const maxDecoded = 4 << 10

// instruction returns the text of the instruction before an offset in the function of a finding, as " (nop)"; "" if it
// is not known.
func instruction(o *reader.Object, f *rules.Finding, offset uint64) string {
	e := o.ELF
	if offset > maxDecoded {
		return ""
	}
	code, err := e.Part(int(f.Place), f.Correction.Start, offset, nil)
	if err != nil || len(code) == 0 || uint64(len(code)) < offset {
		return ""
	}
	last := 0
	for n := range insn.For(e.Machine).All(code, f.Correction.Start) {
		last = n
	}
	if text := insn.Text(e.Machine, code[last:], f.Correction.Start+uint64(last)); text != "" {
		return " (" + text + ")"
	}
	return ""
}
