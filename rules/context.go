package rules

import (
	"cmp"
	"fmt"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Context gives a rule made with [New] access to its section, and takes its findings.
type Context struct {
	Pass    *analysis.Pass
	Object  *reader.Object
	SFrame  *reader.SFrame // nil for a rule with scope PerObject
	Section *model.Section // nil if SFrame is nil or has none
	ABI     *model.ABIInfo // of Section; nil if Section is nil

	rule   *Rule
	facts  *Facts
	bounds *Limits
	out    *Report
	with   extras
}

// knownABIs returns a copy of each ABI by its identifier, for all sections.
var knownABIs = sync.OnceValue(func() []*model.ABIInfo {
	var out []*model.ABIInfo
	for _, a := range model.ABIs() {
		out = append(out, make([]*model.ABIInfo, max(int(a.ID)+1-len(out), 0))...)
		out[a.ID] = &a
	}
	return out
})

// Look returns a Context for a prerequisite analyzer. It can read the section but not report.
func Look(pass *analysis.Pass) *Context {
	c := &Context{Pass: pass, out: new(Report), with: extras{fde: -1, fre: -1}}
	c.Object, c.SFrame = prereq.Input(pass)
	c.enter()
	c.facts, _ = pass.ResultOf[Known].(*Facts)
	c.bounds, _ = pass.ResultOf[Bounds].(*Limits)
	return c
}

// newContext returns a context for a run of the rule with a pass of another driver.
func (r *Rule) newContext(pass *analysis.Pass) *Context {
	c := Look(pass)
	if c.rule = r; r.Scope == PerObject {
		c.SFrame, c.Section, c.ABI, c.facts = nil, nil, nil, &Facts{pass: pass, obj: c.Object}
	}
	return c
}

// enter sets the values of the context's section.
func (c *Context) enter() {
	if c.SFrame == nil || c.SFrame.Section == nil {
		return
	}
	c.Section = c.SFrame.Section
	id := c.Section.Header().ABI
	if known := knownABIs(); int(id) < len(known) && known[id] != nil {
		c.ABI = known[id]
		return
	}
	abi := c.Section.ABI()
	c.ABI = &abi
}

// Has reports whether a fact is known. If the rule's Needs include the fact and it is unknown, the rule counts as
// held back, so ask only if there is something to look up. Has also reports true if only a part can be read.
func (c *Context) Has(f Fact) bool {
	known := true
	for _, missing := range c.missing(f) {
		if c.rule != nil && c.rule.Needs&f != 0 {
			c.HoldBack(*missing)
		}
		known = known && missing.Part
	}
	return known
}

// missing returns the reasons why a fact is not known.
func (c *Context) missing(f Fact) []*Absence {
	var missing *Absence
	switch f {
	case CFIReadable:
		return c.missingCFI()
	case CodeReadable:
		missing = c.facts.beyondCode(c.bounds)
	case SymbolsReadable:
		missing = c.facts.overLimit(f, "symbol tables", cmp.Or(c.bounds.Symbols, budget.DefaultSymbols), c.bounds, (*reader.ELF).SymbolTables)
	default:
		missing = c.facts.Missing(f)
	}
	if missing == nil {
		return nil
	}
	return []*Absence{missing}
}

func (k *Facts) beyondCode(b *Limits) *Absence {
	return k.overLimit(CodeReadable, "machine code", cmp.Or(b.Code, budget.DefaultCode), b, (*reader.ELF).CodeSections)
}

// HoldBack records that the rule did not check all or a part of the section, for a reason found while it ran. The
// rule must not report findings for that part.
func (c *Context) HoldBack(missing Absence) {
	h := HeldBack{Rule: c.rule.ID, Absence: missing}
	if c.SFrame != nil {
		h.Section, h.SectionIndex = c.SFrame.Name, c.SFrame.Index
	}
	c.out.HeldBack = append(c.out.HeldBack, h)
}

// At reports bytes of the section. To report a header field, pass [model.HeaderField.Span].
func (c *Context) At(sp model.Span, format string, args ...any) { c.report(true, sp, format, args) }

// FDE reports a field of an FDE. It reports the whole entry if the version has no such field or the field could not
// be read.
func (c *Context) FDE(f model.FDE, field model.FDEField, format string, args ...any) {
	sp := f.FieldSpan(field)
	if sp.Len == 0 || sp.End() > c.Section.Size() {
		sp = f.Span()
	}
	x := *c
	x.with.fde = f.Index()
	x.report(true, sp, format, args)
}

// FRE reports bytes of an FRE.
func (c *Context) FRE(r model.FRE, sp model.Span, format string, args ...any) {
	x := *c
	x.with.fde, x.with.fre = r.FDEIndex(), r.Index()
	if x.with.frame != nil {
		x.with.frame.Sides[0] = FrameOf(r)
	}
	x.report(true, sp, format, args)
}

// File reports bytes of the object, for example of its ELF header.
func (c *Context) File(sp model.Span, format string, args ...any) { c.report(false, sp, format, args) }

// Cut reports whether the limit of findings is reached. If so, it counts one finding as cut. Rules with many findings
// call it before they build one.
func (c *Context) Cut() bool {
	if c.cuts() {
		c.out.Cut++
		return true
	}
	return false
}

// Withhold counts a fault that a rule deliberately does not report, by the reason.
func Withhold(c *Context, why Withheld) { c.out.Withheld[why]++ }

// refute states that a fact is not known, although nothing else contradicts it.
func (c *Context) refute(missing *Absence) {
	if c.rule.Refutes&missing.Fact == 0 {
		panic("the rule's Refutes do not name " + missing.Fact.String())
	}
	c.facts.refute(missing)
}

// cuts reports whether the next finding is beyond the limit, or memory has run out for findings.
func (c *Context) cuts() bool {
	a := c.bounds.account
	return c.out.full(c.bounds) || !c.with.free && a != nil && !a.budget.Keeps(findingCost)
}

func (c *Context) report(inSection bool, sp model.Span, format string, args []any) {
	for i := range c.with.refutes {
		c.refute(&c.with.refutes[i])
	}
	if c.Cut() {
		return
	}
	f := Finding{Span: sp, InSection: inSection, FDE: c.with.fde, FRE: c.with.fre, Message: c.message(format, args), Fixes: c.with.fixes, Frame: c.with.frame}
	if at := c.with.pc; at != nil {
		f.PC, f.HasPC, f.Place = at.pc, true, uint32(at.place)
		if y, ok := c.Object.ELF.Symbols.Func(at.place, at.pc); ok {
			f.Function = y.Name
		}
		c.facts.name(&f)
	} else {
		c.facts.locate(&f)
	}
	c.add(f)
}

// add adds a finding to the report, with its rule and its place in the file.
func (c *Context) add(f Finding) {
	o, sf := c.Object, c.SFrame
	f.Rule, f.Severity = c.rule, c.bounds.severityOf(c.rule)
	if c.with.most != Off && f.Severity <= c.rule.Severity {
		f.Severity = min(f.Severity, c.with.most)
	}
	f.Correction = c.with.correction
	if f.Help = c.with.help; f.Help == "" {
		f.Help = c.rule.Remedy()
	}
	f.Path, f.Member, f.Base, f.FileOffset = o.Path, o.Member, o.Base, o.Base+f.Span.Off
	if f.InSection = f.InSection && sf != nil; f.InSection {
		f.FileOffset += sf.Offset
	}
	if sf != nil {
		f.Section, f.SectionIndex = sf.Name, sf.Index
	}
	c.out.add(f, c.bounds, c.with.free)
}

// message writes a message: names in its arguments are cut to what reports show, and an [FDE] is named.
func (c *Context) message(format string, args []any) string {
	for i, a := range args {
		switch a := a.(type) {
		case string:
			if len(a) > escape.MaxName {
				args[i] = escape.Cut(a, escape.MaxName)
			}
		case FDE:
			args[i] = c.label(int(a))
		}
	}
	return fmt.Sprintf(format, args...)
}
