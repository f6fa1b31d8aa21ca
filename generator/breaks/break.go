// Package breaks turns valid sections and files into faulty ones.
//
// A [Break] makes exactly one fault. It states which rule must report which bytes, and which other findings may
// follow. It changes a [Subject]: a raw section or one in a file. Subjects and breaks are immutable. All choices come
// from a seed, so a [Recipe] gives the same bytes each time.
//
// The package never reads sections. It breaks only what it has written itself, and keeps the offsets of all parts.
package breaks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/model"
)

// Break makes one known fault.
type Break struct {
	Name string
	Rule string // the rule that must report it
	Doc  string // what it does, in one sentence
	// Also are other rules that may report the fault, since it necessarily breaks them, too.
	Also []string

	needs, spoils trust
	sites         sites
}

// fault makes a break. The first of the rules must report it; it cannot be made without breaking the others.
func fault(name, rules, doc string, needs trust, at sites) Break {
	return spoiling(name, rules, doc, needs, 0, at)
}

// spoiling makes a break after which rules cannot rely on something.
func spoiling(name, rules, doc string, needs, spoils trust, at sites) Break {
	ids := strings.Fields(rules)
	return Break{name, ids[0], doc, ids[1:], needs, spoils, at}
}

// Expectation is the finding that a break must cause. Offsets are in bytes.
type Expectation struct {
	Break     string
	Rule      string
	InSection bool     // Off counts from the start of the section, otherwise from the object or, outside it, the archive
	Off, Len  int64    // of the faulty bytes
	FileOff   int64    // Off, counted from the start of the file
	Also      []string // other rules that may report the fault
}

// trust is what a rule relies on, and what a fault makes unreliable: rules do
// not check what depends on an unreliable part.
type trust uint16

const (
	file    trust = 1 << iota // the container can be followed to the section
	head                      // the section's magic and version
	layout                    // where the sub-sections lie
	machine                   // what the header says of the ABI
	starts                    // where functions start
	rows                      // every row can be decoded
	symbols                   // the file's symbols of functions
	relocs                    // that each FDE has its relocation
	mapped                    // that the section is in memory
	end                       // where the file ends
)

// Common needs.
const (
	header   = file | head
	sections = header | layout
	decoded  = sections | rows
	judged   = decoded | machine // rows compared with the ABI
	proven   = judged | starts   // rows compared with code or CFI
)

// site is a spot where a break can make its fault.
type site struct {
	spot
	claims []string
	do     edit
}

// draft is a subject that a break changes.
type draft struct {
	*Subject
	rnd    *rand.Rand
	failed bool // there is no room for the fault
}

// spot is a place in a draft: the file, or a function of it, a row and an entity of the row.
type spot struct {
	*draft
	i, j, g int // of the function, of its row, and of another function
	entity
}

// spot returns the file as a place for tests, which change nothing.
func (s *Subject) spot() spot { return spot{draft: &draft{Subject: s}} }

// fde is the same place in another function, other in the one of two, nth in another row.
func (x spot) fde(i int) spot { x.i = i; return x }
func (x spot) other() spot    { return x.fde(x.g) }
func (x spot) nth(j int) spot { x.j = j; return x }

// What a break does at a spot: it tests it, draws a value, and makes a fault that an anchor names. Sites are the spots of a file.
type (
	test  func(spot) bool
	drawn func(spot) uint64
	edit  func(spot) anchor
	sites func(spot) []site
)

// anchor names bytes in a way that other breaks do not change.
type anchor struct {
	scope scope
	span  func(spot) model.Span
	i, j  int // of the spot
}

// of returns where the bytes are in a subject.
func (a anchor) of(s *Subject) model.Span { return a.span(s.spot().fde(a.i).nth(a.j)) }

// lost is the span of an anchor that a later break has removed.
var lost = model.Span{Off: -1}

type scope uint8

const (
	inSection scope = iota
	inObject
	inArchive
)

// ofSection is an anchor in the section, ofObject one at fixed bytes of the
// object, ofFile one at bytes of it that may move.
func ofSection(span func(spot) model.Span) anchor { return anchor{scope: inSection, span: span} }
func ofFile(span func(spot) model.Span) anchor    { return anchor{scope: inObject, span: span} }
func ofObject(sp model.Span) anchor               { return ofFile(func(spot) model.Span { return sp }) }
func ofHeader(f model.HeaderField) anchor {
	return ofSection(func(spot) model.Span { return f.Span() })
}

// ofHeaderOf is an anchor at a field of a section header, which may move.
func ofHeaderOf(name string, field model.Span) anchor {
	return ofFile(func(x spot) model.Span { return in(x.elf.named(name).at, field) })
}

// here is an anchor in the function or row of a spot.
func (x spot) here(span func(spot) model.Span) anchor { return anchor{inSection, span, x.i, x.j} }
func (x spot) ofField(f model.FDEField) anchor {
	return x.here(func(x spot) model.Span { return x.field(f) })
}

// ofEntry is an anchor at an FDE.
func (x spot) ofEntry() anchor {
	return x.here(func(x spot) model.Span { return model.Span{Off: x.written().entry, Len: x.ix.fdeSize} })
}
func (x spot) ofInfo() anchor {
	return x.here(func(x spot) model.Span { return model.Span{Off: x.line().infoAt(), Len: 1} })
}
func (x spot) ofStart() anchor {
	return x.here(func(x spot) model.Span { return model.Span{Off: x.line().at, Len: int64(x.line().width)} })
}
func (x spot) ofRow() anchor {
	return x.here(func(x spot) model.Span { return model.Span{Off: x.line().at, Len: x.line().end() - x.line().at} })
}

// ofWords is an anchor at n data words from the k-th on.
func (x spot) ofWords(k, n int) anchor {
	return x.here(func(x spot) model.Span {
		return model.Span{Off: x.line().word(k).Off, Len: int64(n * x.line().wordWidth)}
	})
}

// Apply returns a subject with one more fault. The seed chooses the place and the values of the fault. It returns an
// error if there is no place for the fault, or an earlier break has changed the place or data that the rule relies on.
func (b *Break) Apply(s *Subject, seed uint64) (*Subject, Expectation, error) {
	var none Expectation
	if why := b.conflict(s); why != "" {
		return nil, none, fmt.Errorf("%s: %s", b.Name, why)
	}
	all := b.sites(s.spot())
	all = slices.DeleteFunc(all, func(x site) bool { return slices.ContainsFunc(x.claims, s.taken) })
	rnd := rand.New(rand.NewPCG(seed, 0xb4ea_4b4e))
	for _, k := range rnd.Perm(len(all))[:min(len(all), s.tries())] {
		x := all[k].spot
		x.draft = &draft{Subject: s.clone(), rnd: rnd}
		at := all[k].do(x)
		if x.failed || x.enclose() != nil {
			continue // this place has no room; another may
		}
		c := x.Subject
		if c.loses(at) {
			continue
		}
		c.claimed = append(c.claimed, all[k].claims...)
		c.relied |= b.needs
		c.spoiled |= b.spoils
		c.done = append(c.done, done{b, at})
		c.arranged = sync.OnceValue(c.sorted)
		return c, c.expectation(len(c.done) - 1), nil
	}
	return nil, none, fmt.Errorf("%s: there is no place for it", b.Name)
}

// mostCopied bounds the bytes of containers that a break copies to try its places.
const mostCopied = 16 << 20

// tries returns how many places a break tries, each in a copy: where a large section has no room at any
// place, the time would grow with the square of its size.
func (s *Subject) tries() int { return max(mostCopied/max(len(s.object), 1), 1) }

// loses reports whether the bytes of an earlier fault, or those of the new one,
// are gone.
func (s *Subject) loses(at anchor) bool {
	return at.of(s) == lost || slices.ContainsFunc(s.done, func(d done) bool { return d.at.of(s) == lost })
}

func (s *Subject) taken(claim string) bool { return slices.Contains(s.claimed, claim) }

// conflict returns why the break cannot follow those applied, "" if it can.
func (b *Break) conflict(s *Subject) string {
	switch {
	case s.outer:
		return "the archive is closed"
	case slices.Contains(s.Breaks(), b.Name):
		return "it was applied already"
	case s.spoiled&b.needs != 0 || s.relied&b.spoils != 0:
		return "it conflicts with an earlier break"
	}
	return ""
}

func (s *Subject) expectation(k int) Expectation {
	d := s.done[k]
	sp := d.at.of(s)
	e := Expectation{Break: d.b.Name, Rule: d.b.Rule, InSection: d.at.scope == inSection, Off: sp.Off, Len: sp.Len, FileOff: sp.Off, Also: append(s.latentRules(), d.b.Also...)}
	if d.at.scope == inSection {
		e.FileOff += s.off
	}
	if d.at.scope != inArchive && s.container == Archive {
		e.FileOff += s.at
	}
	return e
}

// latentRules returns the rules that may find something in the subject as soon as
// anything in it moves.
func (s *Subject) latentRules() []string {
	var rules []string
	if s.plan.Style.Tail > 0 {
		rules = append(rules, "SF1017") // zeros that round an object file's section up
	}
	for _, f := range s.plan.Funcs {
		if f.RepSize > 0 && f.Start%uint64(f.RepSize) != 0 {
			return append(rules, "SF2022") // stubs whose start field, misread, may lead to a multiple of their size
		}
	}
	return rules
}

// Expectations returns the findings that all breaks so far must cause. Their offsets may differ from those that Apply
// returned, since a later break may have moved the bytes.
func (s *Subject) Expectations() []Expectation {
	var all []Expectation
	for k := range s.done {
		all = append(all, s.expectation(k))
	}
	return all
}

// All returns all breaks, by rule and name. The caller may modify the slice but not the breaks.
func All() []*Break { return slices.Clone(registry) }

// Lookup returns the break with a name, or nil if there is none.
func Lookup(name string) *Break {
	for _, b := range registry {
		if b.Name == name {
			return b
		}
	}
	return nil
}

var registry = gather()

func gather() []*Break {
	var all []*Break
	for _, family := range [][]Break{
		headerBreaks, layoutBreaks, fdeBreaks, rowBreaks, sharingBreaks, flexBreaks, frameBreaks, abiBreaks, sizeBreaks,
		containerBreaks, segmentBreaks, relocBreaks, archiveBreaks, symbolBreaks, cfiBreaks, codeBreaks,
	} {
		for i := range family {
			all = append(all, &family[i])
		}
	}
	return all
}
