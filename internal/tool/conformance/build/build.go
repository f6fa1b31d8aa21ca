// Package build makes the cases of the conformance suite: from the corpus' files, which package conformance of the module has,
// from the generator, its breaks, and by hand. Three programs must agree about each case.
package build

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	suite "github.com/sframe-lint/sframe-lint/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/plain"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// builder collects cases.
type builder struct {
	driver *rules.Driver
	cases  []conformance.Case
	seen   map[string]bool // sections that there are already
}

func newBuilder() *builder {
	all := slices.DeleteFunc(catalogue.Rules(), func(r *rules.Rule) bool { return r.Family() == '8' })
	return &builder{driver: &rules.Driver{Rules: all}, seen: map[string]bool{}}
}

// all makes the cases once: to make them takes seconds.
var all = sync.OnceValues(func() ([]conformance.Case, error) { return cases("") })

// Cases returns the cases whose names match a pattern, as conformance.Select has it.
func Cases(pattern string) ([]conformance.Case, error) {
	if pattern == "" {
		c, err := all()
		return slices.Clone(c), err
	}
	return cases(pattern)
}

func cases(pattern string) ([]conformance.Case, error) {
	b := newBuilder()
	top, _, _ := strings.Cut(pattern, "/")
	for _, from := range []struct {
		kind string // what nothing else depends on, and takes long
		add  func() error
	}{{"", b.files}, {"", b.knobs}, {"", b.breaks}, {"", b.limits}, {"", b.fields}, {"corner", b.corners}, {"large", b.large}} {
		if wanted, err := path.Match(top, from.kind); err == nil && !wanted && from.kind != "" && pattern != "" {
			continue
		}
		if err := from.add(); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(b.cases, func(x, y conformance.Case) int { return strings.Compare(x.Kind(), y.Kind()) })
	return conformance.Select(b.cases, pattern, func(c *conformance.Case) string { return c.Name })
}

// files adds the cases of the corpus' files.
func (b *builder) files() error {
	names, err := fs.Glob(suite.Files, "cases/*.jsonl")
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := suite.Files.ReadFile(name)
		if err != nil {
			return err
		}
		for line := range bytes.Lines(text) {
			var c conformance.Case
			if err := json.Unmarshal(line, &c); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			b.cases = append(b.cases, c)
			b.seen[c.Address+" "+c.Section] = true
		}
	}
	return nil
}

// maxSection limits the bytes of a section of the suite.
const maxSection = 1500

// add adds a section under a name, with the clauses that it is about. It is not added
// twice, nor if it is large.
func (b *builder) add(name string, data []byte, addr uint64, about []string) error {
	key := fmt.Sprintf("0x%x %x", addr, data)
	if b.seen[key] || len(data) > maxSection {
		return nil
	}
	b.seen[key] = true
	c, err := b.judge(data, addr)
	if err != nil {
		return fmt.Errorf("%s: %w\n%x at 0x%x", name, err, data, addr)
	}
	c.Name = name
	for _, id := range append(about, c.Clauses...) {
		if !slices.Contains(about, id) {
			about = append(about, id)
		}
	}
	if len(about) == 0 { // rules that rest on practice, and on no clause of the manual
		about = []string{"C-ALL-SEC-01"}
	}
	c.Clauses = about
	b.cases = append(b.cases, *c)
	return nil
}

// duty returns what a decoder must do with a section, and what the plain decoder has read. The rules and that decoder must agree.
func (b *builder) duty(data []byte, addr uint64) (*conformance.Case, *plain.Section, error) {
	c := &conformance.Case{Section: hex.EncodeToString(data), Address: fmt.Sprintf("0x%x", addr)}
	version := model.Version(0)
	if len(data) > 2 {
		version = model.Version(data[2])
	}
	broken, err := b.errors(data, addr)
	if err != nil {
		return nil, nil, err
	}
	witness, refusal := plain.Decode(data, addr)
	switch {
	case refusal != nil && len(broken) == 0:
		return nil, nil, fmt.Errorf("the plain decoder refuses a section without errors: %w", refusal)
	case refusal != nil && !errors.Is(refusal, plain.ErrMeaning):
		c.Duty = conformance.Reject
	case len(broken) > 0:
		c.Duty = conformance.Either
	default:
		c.Duty = conformance.Accept
	}
	c.Rules, c.Clauses = broken, ofRules(version, broken)
	return c, witness, nil
}

// judge returns the case of a section, with the answer. The reader, the rules and the plain decoder must agree.
func (b *builder) judge(data []byte, addr uint64) (*conformance.Case, error) {
	c, witness, err := b.duty(data, addr)
	if err != nil {
		return nil, err
	}
	s, faults := reader.DecodeSection(data, reader.SectionOptions{Addr: addr})
	switch {
	case c.Duty == conformance.Reject:
		return c, nil
	case c.Duty == conformance.Either && s != nil:
		c.Points = conformance.Silent(s)
		return c, c.ExpectCommon(s, witness)
	case c.Duty == conformance.Either:
		return c, nil
	case s == nil || len(faults) > 0:
		return nil, fmt.Errorf("faults without a finding: %v", faults)
	}
	c.Points = conformance.Silent(s)
	c.Clauses = ofContent(s)
	return c, b.expect(c, conformance.DescribeSection(s), witness)
}

// expect sets the answer that is expected, which must be that of the plain decoder.
func (b *builder) expect(c *conformance.Case, want, witness any) error {
	var err error
	if c.Expect, err = json.Marshal(want); err != nil {
		return err
	}
	got, err := json.Marshal(witness)
	if err == nil && !bytes.Equal(c.Expect, got) {
		err = fmt.Errorf("the plain decoder has\n%s, not\n%s", got, c.Expect)
	}
	return err
}

// errors lists the rules that report an error in a section.
func (b *builder) errors(data []byte, addr uint64) (ids []string, err error) {
	opts := reader.Options{Raw: true, RawAddress: addr}
	err = reader.ScanReader("section", bytes.NewReader(data), int64(len(data)), opts, func(o *reader.Object) error {
		for _, f := range b.driver.Run(o).Findings {
			if f.Severity == rules.Error && f.Rule.ID != catalogue.Obsolete && !slices.Contains(ids, f.Rule.ID) {
				ids = append(ids, f.Rule.ID)
			}
		}
		return nil
	})
	slices.Sort(ids)
	return ids, err
}

// lookUps adds look-ups in a section that was added.
func (b *builder) lookUps(name string, data []byte, addr uint64) error {
	s, _ := reader.DecodeSection(data, reader.SectionOptions{Addr: addr})
	witness, err := plain.Decode(data, addr)
	if err != nil {
		return err
	}
	seen := map[uint64]bool{}
	for _, p := range points(s) {
		if seen[p.pc] {
			continue
		}
		seen[p.pc] = true
		c := conformance.Case{
			Name: "lookup/" + name + "/" + p.name, Clauses: named(s.Version(), p.about...), Duty: conformance.Accept, Points: conformance.Silent(s),
			Section: hex.EncodeToString(data), Address: fmt.Sprintf("0x%x", addr), PC: fmt.Sprintf("0x%x", p.pc),
		}
		if err := b.expect(&c, lookUp(s, p.pc), witness.Lookup(p.pc)); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		b.cases = append(b.cases, c)
	}
	return nil
}

type point struct {
	name  string
	pc    uint64
	about []string // the end of the clause of each version
}

// points lists PCs of interest: around the ends of functions, at and before the starts of
// FREs, and for stubs in a later repetition.
func points(s *model.Section) (all []point) {
	stubs := s.Version().Info().Stubs // version 1 does not state the size of stubs
	if s.NumFDEs() == 0 || isRepeated(s.FDE(0)) && !stubs {
		return nil
	}
	f := s.FDE(0)
	add := func(what string, offset uint64, about ...string) {
		all = append(all, point{fmt.Sprintf("fde%d-%s", f.Index(), what), f.Start() + offset, about})
	}
	rows := []string{"PCT-06", "PCT-02"}
	if isRepeated(f) {
		rows = []string{"PCT-07", "PCT-03"}
	}
	size := uint64(f.Size())
	add("before", ^uint64(0), "FDE-07", "IDX-06")
	add("end", size, "FDE-09", "IDX-07")
	if size > 0 {
		add("last", size-1, "FDE-09", "IDX-07")
	}
	for r := range f.FREs() {
		add(fmt.Sprintf("fre%d", r.Index()), uint64(r.Start()), rows...)
		if r.Index() > 0 {
			add(fmt.Sprintf("before-fre%d", r.Index()), uint64(r.Start())-1, "FRE-10")
		}
		for n, at := range campaign.Repetitions(f) {
			if at += uint64(r.Start()); at < size {
				add(fmt.Sprintf("%s-stub-fre%d", []string{"second", "last"}[n], r.Index()), at, "PCT-08", "PCT-04")
			}
		}
	}
	// Of the other functions, the last one is enough: a reader finds it after all others.
	if f = s.FDE(s.NumFDEs() - 1); f.Index() > 0 && f.Size() > 0 && (stubs || !isRepeated(f)) {
		add("start", 0, rows...)
		add("last", uint64(f.Size())-1, "FDE-09", "IDX-07")
	}
	return all
}

func isRepeated(f model.FDE) bool { return f.PCType() == model.SFRAME_FDE_PCTYPE_MASK }

// found is the answer to a look-up, in the order and with the names of the protocol.
type found struct {
	Function *string          `json:"function"`
	Row      *conformance.Row `json:"row"`
}

// lookUp returns what a look-up of a PC finds.
func lookUp(s *model.Section, pc uint64) found {
	var out found
	if f, ok := s.Find(pc); ok {
		start := fmt.Sprintf("0x%x", f.Start())
		out.Function = &start
	}
	if _, r, ok := s.At(pc); ok {
		d := conformance.DescribeRow(r)
		out.Row = &d
	}
	return out
}
