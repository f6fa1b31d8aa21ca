package rules

import (
	"errors"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/producers"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Scope says what a rule is run on.
type Scope uint8

const (
	// PerSection rules run on every section that has a model.
	PerSection Scope = iota
	// PerBytes rules run on every section, even where not so much as a header
	// could be read: Context.Section may be nil.
	PerBytes
	// PerObject rules run once on an object: Context.SFrame is nil.
	PerObject
)

// Rule is one check and all that there is to tell about it. Rules hold no
// state.
type Rule struct {
	// ID is SF and four digits; the first is the family. Stable, never reused.
	ID string
	// Title names the fault in a few words, as a noun phrase.
	Title string
	// Clause is the chapter of the format's manual that the rule rests on,
	// "" for rules on the container.
	Clause string
	// Versions and ABIs limit the sections that the rule is run on; empty:
	// all.
	Versions []model.Version
	ABIs     []model.ABI
	// Severity is the default.
	Severity Severity
	Scope    Scope
	// Text explains, in Markdown: what is wrong, why it matters and to whom.
	Text string
	// Fix says how the fault is mended.
	Fix string
	// Good and Bad show the fault in a line each, in the format's terms.
	Good, Bad string
	// Bugs are the public reports of the fault, if there are any.
	Bugs []string
	// Quirk names the producers whose known habit the finding is, if any. New
	// fills it in for the rules in the table of producers.
	Quirk []string
	// OptIn rules run only when they are selected by their whole ID.
	OptIn bool

	Analyzer *analysis.Analyzer
}

// New completes a rule with an analyzer that calls run.
func New(r Rule, run func(*Context)) *Rule {
	rule := &r
	if rule.Quirk == nil {
		rule.Quirk = producers.Breaking(r.ID)
	}
	rule.Analyzer = &analysis.Analyzer{
		Name:     r.ID,
		Doc:      r.Title + "\n\n" + r.Text,
		URL:      DocURL(r.ID),
		Requires: []*analysis.Analyzer{Container, Contents, Bounds},
		Run: func(pass *analysis.Pass) (any, error) {
			c := &Context{Pass: pass, Object: pass.ResultOf[Container].(*reader.Object)}
			if s, ok := pass.ResultOf[Contents].(*reader.SFrame); ok && s != nil {
				c.SFrame, c.Section = s, s.Section
			}
			c.bounds, _ = pass.ResultOf[Bounds].(*Limits)
			run(c)
			return nil, nil
		},
	}
	return rule
}

// Container gives a rule the *[reader.Object] that it is run on.
var Container = &analysis.Analyzer{
	Name: "container",
	Doc:  "the ELF file, archive member or raw section that is looked at",
	Run:  provided,
}

// Contents gives a rule the *[reader.SFrame] that it is run on, nil for a
// rule with scope PerObject.
var Contents = &analysis.Analyzer{
	Name: "contents",
	Doc:  "the .sframe section that is looked at, with its model",
	Run:  provided,
}

// Bounds gives a rule the *[Limits] that it is to keep.
var Bounds = &analysis.Analyzer{
	Name: "bounds",
	Doc:  "what a rule may cost",
	Run:  provided,
}

// Limits are what a rule may cost.
type Limits struct {
	// Code is how many bytes of machine code may be read; below 0 any number.
	Code int64
	// Symbols is how many bytes of symbol table may be read; below 0 any
	// number.
	Symbols int64
	// Room tells whether the rule may report another finding, and counts the
	// one that it may not.
	Room func() bool
	// Skipped is told why a rule did not look.
	Skipped func(reason string)
}

func provided(*analysis.Pass) (any, error) {
	return nil, errors.New("only the driver of package rules provides this")
}

// DocURL is where a rule's page is published.
func DocURL(id string) string {
	return "https://github.com/sframe-lint/sframe-lint/blob/main/docs/rules/" + id + ".md"
}

// Family returns the digit of the rule's family.
func (r *Rule) Family() byte {
	if len(r.ID) < 3 {
		return 0
	}
	return r.ID[2]
}

// Applies tells whether the rule is meant for a section of this version and
// ABI.
func (r *Rule) Applies(s *model.Section) bool {
	if len(r.Versions) > 0 && !slices.Contains(r.Versions, s.Version()) {
		return false
	}
	return len(r.ABIs) == 0 || slices.Contains(r.ABIs, s.ABI().ID)
}
