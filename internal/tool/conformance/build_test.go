package conformance_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

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

// buildCases makes all cases. root is the directory of the module.
func buildCases(root string) ([]conformance.Case, error) {
	all := slices.DeleteFunc(catalogue.Rules(), func(r *rules.Rule) bool { return r.Family() == '8' })
	b := &builder{driver: &rules.Driver{Rules: all}, seen: map[string]bool{}}
	for _, from := range []func() error{func() error { return b.corpus(root) }, b.knobs, b.corners, b.breaks, b.limits, b.fields, b.large} {
		if err := from(); err != nil {
			return nil, err
		}
	}
	return b.cases, nil
}

// maxSection is the most bytes of a section of the suite.
const maxSection = 1500

// add adds a section under a name, with the clauses that it is about. It is not added
// twice, nor if it is large.
func (b *builder) add(name string, data []byte, addr uint64, about []string) error {
	key := fmt.Sprintf("%x %x", addr, data)
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

// judge returns what a decoder must do with a section. The reader, the rules and the plain
// decoder must agree.
func (b *builder) judge(data []byte, addr uint64) (*conformance.Case, error) {
	c := &conformance.Case{Section: hex.EncodeToString(data), Address: fmt.Sprintf("0x%x", addr)}
	version := model.Version(0)
	if len(data) > 2 {
		version = model.Version(data[2])
	}
	broken, err := b.errors(data, addr)
	if err != nil {
		return nil, err
	}
	witness, refusal := plain.Decode(data, addr)
	switch {
	case refusal != nil && len(broken) == 0:
		return nil, fmt.Errorf("the plain decoder refuses a section without errors: %w", refusal)
	case refusal != nil && !errors.Is(refusal, plain.ErrMeaning):
		c.Duty = conformance.Reject
	case len(broken) > 0:
		c.Duty = conformance.Either
	default:
		c.Duty = conformance.Accept
	}
	c.Rules, c.Clauses = broken, ofRules(version, broken)
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
