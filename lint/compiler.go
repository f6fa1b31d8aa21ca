package lint

import (
	"bytes"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/producers"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// compilers are those that the .comment section of an object names.
type compilers struct {
	all    []producers.Compiler
	looked bool
}

// maxComment is how much of .comment is read, in bytes.
const maxComment = 4 << 10

// of returns the only compiler of an object.
func (c *compilers) of(o *reader.Object) (producers.Compiler, bool) {
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
	accepting = "; or accept it with an exception for the function"
	inline    = "; in inline assembly, "
	perhaps   = "; unless the function is assembly, "
	mostWords = 512 // bytes that they add to a remedy, about
)

// compiledBy completes the remedy of a finding in code that a compiler made: who writes assembly can correct a
// directive, others cannot. known says that the code is not assembly.
func compiledBy(o *reader.Object, f *rules.Finding, by producers.Compiler, ok, known bool) {
	if !strings.Contains(f.Help, ".cfi_") {
		return
	}
	switch advice := by.Advice(wrongOf(o, f)); {
	case known && ok:
		f.Help = advice + accepting + inline + f.Help
	case known:
		f.Help += compiled
	case ok:
		f.Help += perhaps + advice + accepting
	}
}

// wrongOf returns what a finding says of the CFA.
func wrongOf(o *reader.Object, f *rules.Finding) *producers.Wrong {
	w := &producers.Wrong{ABI: o.ELF.ABI(), Rule: f.Rule.ID}
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
