package rules

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Context is the interface of a rule made with [New] to its section and its report.
type Context struct {
	Pass    *analysis.Pass
	Object  *reader.Object
	SFrame  *reader.SFrame // nil for a rule with scope PerObject
	Section *model.Section // nil if SFrame is nil or has none

	rule       *Rule
	most       Severity // that a finding has; Off: any
	facts      *Facts
	bounds     *Limits
	fixes      []Fix
	frame      *Frame
	help       string // "": the remedy of the rule
	correction *Correction
	free       bool
	out        *Report
	abi        *model.ABIInfo
}

// ABI returns Section.ABI(), the same copy for each call: rules hold it while they walk.
func (c *Context) ABI() *model.ABIInfo {
	if c.abi == nil {
		if known := knownABIs(); int(c.Section.Header().ABI) < len(known) {
			c.abi = known[c.Section.Header().ABI]
		}
	}
	if c.abi == nil {
		abi := c.Section.ABI()
		c.abi = &abi
	}
	return c.abi
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

// Look returns a Context for a prerequisite analyzer, which can read the section
// but cannot ask for facts or report.
func Look(pass *analysis.Pass) *Context {
	c := &Context{Pass: pass}
	c.Object, c.SFrame = prereq.Input(pass)
	if c.SFrame != nil {
		c.Section = c.SFrame.Section
	}
	c.facts, _ = pass.ResultOf[Known].(*Facts)
	c.bounds, _ = pass.ResultOf[Bounds].(*Limits)
	return c
}

// newContext returns a context for a run of the rule with a pass.
func (r *Rule) newContext(pass *analysis.Pass) *Context {
	facts := pass.ResultOf[Known].(*Facts)
	if c := facts.context; c != nil {
		c.rule = r
		if len(c.out.Found)+len(c.out.HeldBack)+c.out.Cut > 0 {
			*c.out = Report{}
		}
		return c
	}
	if r.Scope == PerObject && facts.sf != nil {
		facts = &Facts{pass: pass, obj: facts.obj}
	}
	c := facts.newContext(pass.ResultOf[Bounds].(*Limits))
	c.Pass, c.rule = pass, r
	return c
}

// newContext returns a context without a rule.
func (k *Facts) newContext(bounds *Limits) *Context {
	c := &Context{Pass: k.pass, Object: k.obj, SFrame: k.sf, facts: k, bounds: bounds, out: new(Report)}
	if k.sf != nil {
		c.Section = k.sf.Section
	}
	return c
}

// Has reports whether a fact is known, for rules that do not require it.
func (c *Context) Has(f Fact) bool { return c.facts.Missing(f) == nil }

// MayReadCode reports whether the object's machine code is small enough to be
// read. If not, the rule is held back. A rule calls it when it has something to
// look up; its Needs include CodeReadable.
func (c *Context) MayReadCode() bool {
	return c.may(CodeReadable, c.facts.beyondCode(c.bounds))
}

func (k *Facts) beyondCode(b *Limits) *Absence {
	return k.beyond(CodeReadable, "machine code", cmp.Or(b.Code, DefaultCodeLimit), b, (*reader.ELF).CodeSections)
}

// MayReadSymbols is MayReadCode for the object's symbol tables and
// SymbolsReadable.
func (c *Context) MayReadSymbols() bool {
	return c.may(SymbolsReadable, c.facts.beyondSymbols(c.bounds))
}

// FewSymbols reports whether the symbol tables are within the limit, for prerequisites that require [Bounds].
func (c *Context) FewSymbols() bool { return c.facts.beyondSymbols(c.bounds) == nil }

func (k *Facts) beyondSymbols(b *Limits) *Absence {
	return k.beyond(SymbolsReadable, "symbol tables", cmp.Or(b.Symbols, DefaultSymbolLimit), b, (*reader.ELF).SymbolTables)
}

func (c *Context) may(f Fact, missing *Absence) bool {
	if !slices.Contains(c.rule.Needs, f) {
		panic("the rule's Needs do not name " + f.String())
	}
	if missing != nil {
		c.HoldBack(*missing)
	}
	return missing == nil || missing.Part
}

// Refute states that a fact is not known, although nothing else contradicts it. Rules that need
// it and run later are held back. The rule's Refutes must include the fact.
func (c *Context) Refute(missing Absence) {
	if !slices.Contains(c.rule.Refutes, missing.Fact) {
		panic("the rule's Refutes do not name " + missing.Fact.String())
	}
	c.facts.refute(&missing)
}

// HoldBack states that the rule did not check the section, or a part of it, for a reason
// that it found while it ran. The rule must not report anything on what it did not check.
func (c *Context) HoldBack(missing Absence) {
	h := HeldBack{Rule: c.rule.ID, Absence: missing}
	if c.SFrame != nil {
		h.Section, h.SectionIndex = c.SFrame.Name, c.SFrame.Index
	}
	c.out.HeldBack = append(c.out.HeldBack, h)
}

// Survey returns the summary of the section's FDEs and FREs, nil without a
// Section.
func (c *Context) Survey() *model.Survey { return c.SFrame.Survey() }

// Header reports at a field of the section's header.
func (c *Context) Header(f model.HeaderField, format string, args ...any) {
	c.At(f.Span(), format, args...)
}

// At reports bytes of the section.
func (c *Context) At(sp model.Span, format string, args ...any) {
	c.report(true, sp, -1, -1, format, args...)
}

// FDE reports a field of an FDE, or the whole entry if the version has no such
// field or it could not be read.
func (c *Context) FDE(f model.FDE, field model.FDEField, format string, args ...any) {
	sp := f.FieldSpan(field)
	if sp.Len == 0 || sp.End() > c.Section.Size() {
		sp = f.Span()
	}
	c.report(true, sp, f.Index(), -1, format, args...)
}

// FRE reports bytes of an FRE.
func (c *Context) FRE(r model.FRE, sp model.Span, format string, args ...any) {
	c.describe(r)
	c.report(true, sp, r.FDEIndex(), r.Index(), format, args...)
}

// Fault reports the bytes of a fault of the reader.
func (c *Context) Fault(f reader.Fault, format string, args ...any) {
	c.report(true, f.Span, f.FDE, f.FRE, format, args...)
}

// File reports bytes of the object: of its ELF structure, say.
func (c *Context) File(sp model.Span, format string, args ...any) {
	c.report(false, sp, -1, -1, format, args...)
}

// FileFDE reports bytes of the object that concern an FDE.
func (c *Context) FileFDE(fde int, sp model.Span, format string, args ...any) {
	c.report(false, sp, fde, -1, format, args...)
}

// Uncovered reports bytes of the section that concern code without a known FDE, at pc.
// In a relocatable file pc is an offset in the section with index place.
func (c *Context) Uncovered(place int, pc uint64, sp model.Span, format string, args ...any) {
	c.reportPC(true, place, pc, sp, format, args)
}

// FilePC reports bytes of the object that concern the code at a PC. place and pc are as
// in Uncovered.
func (c *Context) FilePC(place int, pc uint64, sp model.Span, format string, args ...any) {
	c.reportPC(false, place, pc, sp, format, args)
}

func (c *Context) reportPC(inSection bool, place int, pc uint64, sp model.Span, format string, args []any) {
	if c.Cut() {
		return
	}
	f := Finding{Span: sp, InSection: inSection, FDE: -1, FRE: -1, PC: pc, HasPC: true, Place: uint32(place), Message: fmt.Sprintf(format, cutNames(args)...)}
	if y, ok := c.Object.ELF.Symbols.Func(place, pc); ok {
		f.Function = y.Name
	}
	c.facts.name(&f)
	c.add(f)
}

// Cut reports whether the limit of findings is reached, and then counts one as
// cut. A rule that may have very many findings calls it before it prepares one.
func (c *Context) Cut() bool {
	if c.cuts() {
		c.out.Cut++
		return true
	}
	return false
}

// cuts reports whether the next finding is beyond the limit, or memory has run out for findings.
func (c *Context) cuts() bool {
	a := c.bounds.account
	return c.out.full(c.bounds) || !c.free && a != nil && !a.budget.Keeps(findingCost)
}

func (c *Context) report(inSection bool, sp model.Span, fde, fre int, format string, args ...any) {
	if c.Cut() {
		return
	}
	f := Finding{Span: sp, InSection: inSection, FDE: fde, FRE: fre, Message: fmt.Sprintf(format, cutNames(args)...), Fixes: c.fixes, Frame: c.frame}
	c.facts.locate(&f)
	c.add(f)
}

// add adds a finding to the report, with its rule and its place in the file.
func (c *Context) add(f Finding) {
	o, sf := c.Object, c.SFrame
	f.Rule, f.Severity = c.rule, c.bounds.severityOf(c.rule)
	if c.most != Off && f.Severity <= c.rule.Severity {
		f.Severity = min(f.Severity, c.most)
	}
	f.Correction = c.correction
	if f.Help = cmp.Or(f.Help, c.help); f.Help == "" {
		f.Help = c.rule.Remedy()
	}
	f.Path, f.Member, f.Base, f.FileOffset = o.Path, o.Member, o.Base, o.Base+f.Span.Off
	if f.InSection = f.InSection && sf != nil; f.InSection {
		f.FileOffset += sf.Offset
	}
	if sf != nil {
		f.Section, f.SectionIndex = sf.Name, sf.Index
	}
	c.out.add(f, c.bounds, c.free)
}

// cutNames cuts names in a message's arguments to what reports show.
func cutNames(args []any) []any {
	for i, a := range args {
		if name, ok := a.(string); ok && len(name) > escape.MaxName {
			args[i] = escape.Cut(name, escape.MaxName)
		}
	}
	return args
}

// Faults calls yield for the section's faults of a code.
func (c *Context) Faults(code reader.FaultCode, yield func(reader.Fault)) {
	for _, f := range c.SFrame.Faults {
		if f.Code == code {
			yield(f)
		}
	}
}

// EachFDE calls yield for every FDE.
func (c *Context) EachFDE(yield func(model.FDE)) { c.EachFDEBut(nil, yield) }

// EachFDEBut is EachFDE without some FDEs.
func (c *Context) EachFDEBut(without []bool, yield func(model.FDE)) {
	for i := range c.Section.NumFDEs() {
		if i%stopFDEs == stopFDEs-1 && c.Object.Budget.Err() != nil {
			return // the result is not used
		}
		if i >= len(without) || !without[i] {
			yield(c.Section.FDE(i))
		}
	}
}

// EachRow calls yield for every row of the section.
func (c *Context) EachRow(yield func(model.FRE)) {
	c.EachFDE(func(f model.FDE) {
		for r := range f.FREs() {
			yield(r)
		}
	})
}

// FieldName returns the specification's name of an FDE field in the section's version.
func (c *Context) FieldName(f model.FDEField) string {
	return model.FieldName(c.Section.Version(), f)
}

// Address writes a PC, in a relocatable file as an offset in the section with index place.
func (c *Context) Address(place uint32, pc uint64) string {
	if !c.Relocatable() || int(place) >= len(c.Object.ELF.Sections) {
		return fmt.Sprintf("0x%x", pc)
	}
	return fmt.Sprintf("%s+0x%x", c.Object.ELF.Sections[place].Name, pc)
}

// Linked reports whether the section is in a linked ELF file.
func (c *Context) Linked() bool { return c.Object.ELF != nil && !c.Relocatable() }

// Relocatable reports whether the section is in a relocatable file, whose
// functions have no addresses yet.
func (c *Context) Relocatable() bool { return c.Object.ELF != nil && c.Object.ELF.Relocatable() }

// Bolted reports whether BOLT has rewritten a linked file. It changes code, and .eh_frame with it, but not .sframe.
func (c *Context) Bolted() bool {
	return c.Linked() && len(c.Object.ELF.BoltSections()) > 0
}

// BoltedHelp says what to do about SFrame data that BOLT has left as they were.
const BoltedHelp = "remove the section with objcopy --remove-section .sframe before BOLT runs, or use BOLT's output without SFrame data"
