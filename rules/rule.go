package rules

import (
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Scope says what a rule runs on.
type Scope uint8

const (
	// PerSection rules run on every section whose header could be decoded.
	PerSection Scope = iota
	// PerBytes rules run on every section. Context.Section is nil if the header could not be decoded.
	PerBytes
	// PerObject rules run once on an object: Context.SFrame is nil.
	PerObject
)

// Files says in which files a rule checks sections.
type Files uint8

const (
	AnyFile          Files = iota // all files, including raw sections
	ELFFiles                      // ELF files
	RelocatableFiles              // relocatable ELF files
	LinkedFiles                   // linked ELF files
)

// Rule is a check with its documentation. It has no state. [New] makes it, and it must not change afterwards, since
// all drivers share it. If Title is empty, New reads the documentation from the file next to the rule, ID.md.
type Rule struct {
	// ID is SF and four digits; the first is the family. It is never reused. Rules of other modules have another
	// prefix in capital letters.
	ID string
	// Title names the fault in a few words, as a noun phrase.
	Title string
	// Clause is the chapter of the format's manual that the rule rests on, "" for none.
	Clause string
	// Versions and ABIs limit the rule to some sections. Empty means all.
	Versions []model.Version
	ABIs     []model.ABI
	// Files limits the rule to sections in some files.
	Files Files
	// Needs are the facts that the rule rests on. If one is unknown, the rule is held back: see [Result.HeldBack].
	Needs Fact
	// Refutes are facts that the rule's findings may refute: see [Absence]. Rules with Refutes run before the others.
	Refutes Fact
	// Requires are analyzers whose results the rule uses, besides those that New adds. They run before the rule,
	// unless it does not apply or a fact is missing.
	Requires []*analysis.Analyzer
	// Severity is the default severity. If it is Off, the rule runs only if the driver overrides it.
	Severity Severity
	Scope    Scope
	// Text is Markdown: what is wrong, why it matters and to whom.
	Text string
	// Fix says in Markdown how to repair the fault. It begins with a verb. See [Finding.Help].
	Fix string
	// InSource says that Fix is a change of CFI directives in the source.
	InSource bool
	// Basis says what the rule rests on if the manual does not cover it.
	Basis string
	// Good and Bad show correct and faulty data, each on one line, in the format's terms.
	Good, Bad string
	// Follows are the IDs of rules that may report the cause of this rule's findings. Reports list those findings
	// first.
	Follows []string
	// Bugs are public bug reports of the fault.
	Bugs []string
	// Quirk names the producers with this known habit. New sets it from the table of producers.
	Quirk []string
	// OptIn rules run only if their full ID is selected.
	OptIn bool

	// Analyzer returns a [*Report].
	Analyzer *analysis.Analyzer
	run      func(*Context)
	contents bool // the rule rests on FDEs or FREs
	made     *made
	rests    Fact // those that appliesTo asks for; 0 for other scopes than PerSection
}

// made is a rule and what [New] adds, in one piece of memory: each start of a program makes all rules.
type made struct {
	rule     Rule
	analyzer analysis.Analyzer
	requires [8]*analysis.Analyzer
	remedy   string // Fix, as a part of a sentence, when it was asked for
	asked    sync.Once
}

// New completes a rule. It adds an analyzer, whose result is a [*Report], that calls run if the rule applies and all
// facts that it needs are known.
func New(r Rule, run func(*Context)) *Rule {
	m := &made{rule: r, requires: [8]*analysis.Analyzer{Container, Contents, Bounds, Known, CallFrames}}
	rule := &m.rule
	rule.describe()
	if rule.Quirk == nil {
		rule.Quirk = producers.Breaking(r.ID)
	}
	rule.run, rule.made = run, m
	rule.contents = rule.Scope == PerSection && rule.Needs&(FDEsKnown|FREsKnown|AttributesKnown|AllFDEsKnown) != 0
	if rule.Scope == PerSection {
		rule.rests = rule.restsOn()
	}
	rule.Analyzer = &m.analyzer
	m.analyzer.Name, m.analyzer.Doc = r.ID, rule.Title
	m.analyzer.Requires = append(m.requires[:5], r.Requires...)
	m.analyzer.ResultType = reportType
	m.analyzer.Run = rule.analyze
	return rule
}

var reportType = reflect.TypeFor[*Report]()

// analyze checks what the pass of another driver is about.
func (r *Rule) analyze(pass *analysis.Pass) (any, error) { return r.check(r.newContext(pass)), nil }

// check runs the rule where it applies and everything that it needs is known.
func (r *Rule) check(c *Context) *Report {
	if c.facts.whole && r.rests != 0 {
		r.run(c)
		return c.out
	}
	applies, missing := r.appliesTo(c.facts)
	switch {
	case !applies:
	case missing != nil:
		c.HoldBack(*missing)
	default:
		r.run(c)
		// The rule did not check the sections that follow the first one in the same bytes.
		if r.contents && len(c.out.HeldBack) == 0 {
			if a := c.facts.Missing(SingleSection); a != nil && a.Fact == SingleSection {
				c.HoldBack(*a)
			}
		}
	}
	return c.out
}

// appliesTo reports whether the rule applies to the section, and what it needs and
// is not known. What a rule applies to is itself uncertain where the version or
// the ABI that it is limited to is not known.
func (r *Rule) appliesTo(k *Facts) (applies bool, missing *Absence) {
	e := k.obj.ELF
	switch {
	case r.Scope != PerSection:
		return true, nil
	case k.sf == nil, k.sf.Section == nil && len(k.sf.Data) == 0, r.Files > AnyFile && e == nil,
		r.Files == RelocatableFiles && !e.Relocatable(), r.Files == LinkedFiles && e.Relocatable():
		return false, nil
	}
	s := k.sf.Section
	if r.rests != 0 && k.has(r.rests) { // as for nearly all rules and sections
		return (len(r.Versions) == 0 || slices.Contains(r.Versions, s.Version())) &&
			(len(r.ABIs) == 0 || slices.Contains(r.ABIs, s.Header().ABI)), nil
	}
	if missing = k.Missing(HeaderKnown); missing != nil {
		return true, missing
	}
	if len(r.Versions) > 0 {
		if missing = k.Missing(VersionKnown); missing != nil || !slices.Contains(r.Versions, s.Version()) {
			return missing != nil, missing
		}
	}
	if len(r.ABIs) > 0 {
		if missing = k.Missing(ABIKnown); missing != nil || !slices.Contains(r.ABIs, s.Header().ABI) {
			return missing != nil, missing
		}
	}
	return true, k.Missing(r.Needs &^ limited)
}

// restsOn returns the facts that appliesTo asks for.
func (r *Rule) restsOn() Fact {
	facts := HeaderKnown | r.Needs&^limited
	if len(r.Versions) > 0 {
		facts |= VersionKnown
	}
	if len(r.ABIs) > 0 {
		facts |= ABIKnown
	}
	return facts
}

// Container gives a rule the *[reader.Object] to check. [Driver] provides it. Under another driver of analyzers, it
// reads the only file of the pass that is not Go.
var Container = prereq.Container

// Contents gives a rule the *[reader.SFrame] to check, nil for a rule with scope PerObject. [Driver] provides it.
// Under another driver, it is the first section.
var Contents = prereq.Contents

// Bounds gives a rule the *[Limits] that it must keep. A driver may replace the default limits.
var Bounds = &analysis.Analyzer{
	Name:       "bounds",
	Doc:        "what a rule may cost",
	ResultType: reflect.TypeFor[*Limits](),
	Run:        func(*analysis.Pass) (any, error) { return &Limits{}, nil },
}

// TextPath returns the path of the rule's text in the repository, or "" for a rule of another module.
func TextPath(id string) string { return textAt("rules/", id) }

// DocURL returns the URL of the rule's text, or "" for a rule of another module.
func DocURL(id string) string {
	return textAt("https://github.com/sframe-lint/sframe-lint/blob/main/rules/", id)
}

func textAt(folder, id string) string {
	if x := allTexts()[id]; x != nil {
		return folder + x.path
	}
	return ""
}

// OnRequest reports whether the rule runs only if selected. Opt-in rules need their full ID; advice on size (SF7)
// also accepts a prefix such as SF7.
func (r *Rule) OnRequest() bool { return r.OptIn || r.Family() == '7' }

// Family returns the digit of the rule's family, or 0 for a rule of another module.
func (r *Rule) Family() byte {
	if len(r.ID) < 3 || r.ID[:2] != "SF" || r.ID[2] < '0' || r.ID[2] > '9' {
		return 0
	}
	return r.ID[2]
}
