package lint

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/evidence/lines"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// compilers are those that the .comment section of an object names.
type compilers struct {
	all    []producers.Compiler
	looked bool
	causes map[rules.Cause]*rules.Cause
}

// maxComment is the number of bytes of .comment that are read.
const maxComment = 4 << 10

// of returns the compiler of the code that a finding is about: the only one of an object, or, by the shape of the rows,
// the one that writes such. A linked file has the start files of another one.
func (c *compilers) of(o *reader.Object, f *rules.Finding) (producers.Compiler, bool) {
	if !c.looked {
		c.looked = true
		for i := range o.ELF.Sections {
			if o.ELF.Sections[i].Name != ".comment" {
				continue
			}
			b, err := o.ELF.SectionPart(i, 0, min(maxComment, o.ELF.Sections[i].Size), nil)
			if err != nil {
				continue
			}
			for text := range bytes.SplitSeq(b, []byte{0}) {
				if x, ok := producers.CompilerOf(string(text)); ok {
					c.all = append(c.all, x)
				}
			}
		}
	}
	if atCalls(f) {
		i := slices.IndexFunc(c.all, producers.Compiler.CallsOnly)
		if i < 0 {
			return producers.Compiler{}, false
		}
		return c.all[i], true
	}
	if len(c.all) == 0 {
		return producers.Compiler{}, false
	}
	for _, x := range c.all[1:] {
		if x != c.all[0] {
			return producers.Compiler{}, false
		}
	}
	return c.all[0], true
}

// Texts of remedies in compiled code.
const (
	accepting    = "; or accept it with an exception for the function"
	acceptingAll = "; or accept it with an exception for the file or its functions"
	inline       = "; in inline assembly, "
	perhaps      = "; unless the function is assembly, "
	mostWords    = 512 // bytes that they add to a remedy, about
)

// compiledBy completes the remedy of a finding in code that a compiler made: who writes assembly can correct a
// directive, others cannot. known says that the code is not assembly. A known fault that makes all functions wrong is the
// cause of the finding.
func (c *compilers) compiledBy(o *reader.Object, f *rules.Finding, by producers.Compiler, ok, known bool) {
	if !f.BlamesSource() {
		return
	}
	w := wrongOf(o, f)
	about, avoid, ofCompiler := by.Known(w)
	if ok && ofCompiler && w.AtCalls {
		f.Correction.Cause = c.cause(rules.Cause{Text: fmt.Sprintf("%s wrote the CFI: %s", by, about), Remedy: avoid + acceptingAll})
	}
	switch advice := by.Advice(w); {
	case known && ok && !ofCompiler:
		f.Help = "in inline assembly, " + f.Help + "; elsewhere, " + advice + accepting
	case known && ok:
		f.Help = advice + accepting + inline + f.Help
	case known:
		f.Help += compiled
	case ok:
		f.Help += perhaps + advice + accepting
	}
}

// atCalls reports whether the function of a finding has rows for calls only.
func atCalls(f *rules.Finding) bool { return f.Correction != nil && f.Correction.AtCalls }

// cause returns the same pointer for equal causes.
func (c *compilers) cause(x rules.Cause) *rules.Cause {
	if c.causes == nil {
		c.causes = map[rules.Cause]*rules.Cause{}
	}
	if c.causes[x] == nil {
		c.causes[x] = &x
	}
	return c.causes[x]
}

// wrongOf returns what a finding says of the CFA.
func wrongOf(o *reader.Object, f *rules.Finding) *producers.Wrong {
	w := &producers.Wrong{ABI: o.ELF.ABI(), Rule: f.Rule.ID, AtCalls: atCalls(f)}
	if f.Frame != nil {
		w.Proof = f.Frame.Proof
		for i, s := range f.Frame.Sides {
			switch {
			case i == 0:
				w.Says = s.Row.CFA
			case s.Source == "code" && s.Row.CFA.Kind != model.Invalid:
				w.Truth = s.Row.CFA
			}
		}
	}
	return w
}

// compiled is what to do with a directive in code that was not written in assembly.
const compiled = "; in compiled code that is a directive in inline assembly, or a fault of the compiler to report to its authors"

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
