package lint

import (
	"bytes"
	"fmt"
	"slices"

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
