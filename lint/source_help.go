package lint

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/insn"
	"github.com/sframe-lint/sframe-lint/internal/lines"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// maxDirectives is how many places of a function have their lines looked up; help with more counts from its start.
const maxDirectives = 8

// directivePCs returns the last bytes of the instructions after which the directives of a finding belong.
func directivePCs(f *rules.Finding) (all []lines.PC) {
	for _, d := range f.Directives() {
		if d.Offset == 0 || len(all) == maxDirectives {
			return nil
		}
		all = append(all, lines.PC{Place: f.Place, Addr: f.Mend.Start + d.Offset - 1})
	}
	return all
}

// inLines makes the help of a finding in assembly count lines instead of bytes, if all of them are known and in one
// file: "after line 9 (sub $0x20,%rsp) write .cfi_def_cfa_offset 48".
func inLines(o *reader.Object, f *rules.Finding, found map[lines.PC]lines.Location) {
	pcs := directivePCs(f)
	if len(pcs) == 0 || f.Help != f.Mend.Help {
		return
	}
	var b strings.Builder
	file, last := found[pcs[0]].File, 0
	for i, pc := range pcs {
		l, d := found[pc], f.Mend.Directives[i]
		if l.File != file || l.Line.Line == 0 {
			return
		}
		if i > 0 && last == l.Line.Line {
			b.WriteString(" and " + d.Text)
			continue
		}
		if last = l.Line.Line; i > 0 {
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
	var code []byte
	var err error
	if e.Relocatable() {
		code, err = e.SectionPart(int(f.Place), f.Mend.Start, offset, nil)
	} else if at, ok := e.LoadedAt(f.Mend.Start); ok && at.Len >= int64(offset) {
		at.Len = int64(offset)
		code, err = e.Data(at)
	}
	if err != nil || len(code) == 0 {
		return ""
	}
	last := 0
	for n := range insn.For(e.Machine).All(code, f.Mend.Start) {
		last = n
	}
	if text := insn.Text(e.Machine, code[last:], f.Mend.Start+uint64(last)); text != "" {
		return " (" + text + ")"
	}
	return ""
}
