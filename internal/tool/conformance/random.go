package conformance

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/sframe-lint/sframe-lint/fuzz"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/plain"
	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// onSections are the rules by which a section is valid.
var onSections = rules.Driver{Rules: slices.DeleteFunc(catalogue.Rules(), func(r *rules.Rule) bool {
	return r.Family() == '8' || r.OnRequest() || r.Severity != rules.Error || r.ID == catalogue.Obsolete
})}

// Random returns the case of a seed: a valid section with anything that the manual allows, a PC to look up in
// one, a section with a known fault, or a damaged one.
func Random(seed uint64) (*Case, error) {
	rnd := rand.New(rand.NewPCG(seed, 0x72616e64))
	for {
		c := generator.SwarmWide(rnd)
		s, err := breaks.Recipe{Config: c, Container: breaks.Raw}.Subject()
		if err != nil {
			continue // the knobs leave no room
		}
		data := s.Section()
		switch kind := seed % 4; kind {
		case 0, 1:
			return loadCase(fmt.Sprintf("random/%d", seed), data, s.Addr(), rnd, kind == 1)
		case 2:
			all := breaks.All()
			broken, _, err := all[rnd.IntN(len(all))].Apply(s, breaks.NewSeed(rnd))
			if err != nil || broken.Limit() > 0 || broken.Memory() > 0 {
				continue // the break has no place here
			}
			data = broken.Section()
		case 3:
			data = fuzz.New(rnd.Uint64()).Section(data, 1+rnd.IntN(4))
		}
		return loadCase(fmt.Sprintf("random/%d", seed), data, s.Addr(), rnd, false)
	}
}

// loadCase returns the case of a section, or of a PC in it.
func loadCase(name string, data []byte, addr uint64, rnd *rand.Rand, lookUp bool) (*Case, error) {
	c := &Case{Name: name, Section: hex.EncodeToString(data), Address: fmt.Sprintf("0x%x", addr), Duty: Either}
	section := reader.DecodeSFrame(data, reader.SectionOptions{Addr: addr})
	for _, f := range onSections.Run(&reader.Object{SFrames: []*reader.SFrame{section}}).Findings {
		if !slices.Contains(c.Rules, f.Rule.ID) {
			c.Rules = append(c.Rules, f.Rule.ID)
		}
	}
	for _, rule := range c.Rules {
		for _, x := range clauses.Of(rule) {
			c.Clauses = append(c.Clauses, x.ID)
		}
	}
	witness, refusal := plain.Decode(data, addr)
	switch {
	case refusal != nil && len(c.Rules) == 0:
		return nil, fmt.Errorf("the plain decoder refuses a section in which no rule finds an error: %w\n%s at %s", refusal, c.Section, c.Address)
	case refusal != nil && !errors.Is(refusal, plain.ErrMeaning):
		c.Duty = Reject
	case refusal == nil && len(c.Rules) == 0:
		c.Duty = Accept
	}
	if c.Duty == Reject || section.Section == nil {
		return c, nil
	}
	c.Points = Silent(section.Section)
	if c.Duty == Either {
		return c, c.ExpectCommon(section.Section, witness)
	}
	if err := agree(section.Section, witness); err != nil {
		return nil, fmt.Errorf("%w\n%s at %s", err, c.Section, c.Address)
	}
	var expect any = witness
	if lookUp && rnd != nil {
		if pc, ok := drawPC(section.Section, rnd); ok {
			c.PC = fmt.Sprintf("0x%x", pc)
			expect = witness.Lookup(pc)
		}
	}
	var err error
	c.Expect, err = json.Marshal(expect)
	return c, err
}

// Examine asks a decoder about any section. Where the reader and the plain decoder do not agree, any answer will do.
func Examine(d Decoder, data []byte, addr uint64) (Result, *Answer) {
	c, err := loadCase("", data, addr, nil, false)
	if err != nil {
		c = &Case{Section: hex.EncodeToString(data), Address: fmt.Sprintf("0x%x", addr), Duty: Either}
	}
	a := d.Ask(Request{c.Section, c.Address, ""})
	return judge(c, a), a
}

// ExpectCommon expects what the reader and the plain decoder both read of a section that breaks a rule.
func (c *Case) ExpectCommon(s *model.Section, witness *plain.Section) error {
	var both [2]any
	for i, read := range []any{DescribeSection(s), witness} {
		b, err := json.Marshal(read)
		if err == nil {
			err = json.Unmarshal(b, &both[i])
		}
		if err != nil {
			return err
		}
	}
	expect, _ := common(both[0], both[1])
	var err error
	c.Expect, err = json.Marshal(expect)
	return err
}

// agree returns an error unless the reader and the plain decoder have read the same functions.
func agree(s *model.Section, witness *plain.Section) error {
	if s == nil || s.NumFDEs() != len(witness.Functions) {
		return errors.New("the plain decoder reads another number of functions than the reader")
	}
	for f := range s.FDEs() {
		want, err := json.Marshal(Describe(f))
		if err != nil {
			return err
		}
		if got, err := json.Marshal(witness.Functions[f.Index()]); err != nil || !bytes.Equal(want, got) {
			return fmt.Errorf("the plain decoder has %s, not %s", got, want)
		}
	}
	return nil
}

// drawPC returns a PC at or beside the start of a row, or the end of a function; false if a look-up
// has more than one answer.
func drawPC(s *model.Section, rnd *rand.Rand) (uint64, bool) {
	if s == nil || s.NumFDEs() == 0 || !s.Disjoint() {
		return 0, false
	}
	f := s.FDE(rnd.IntN(s.NumFDEs()))
	if f.PCType() == model.SFRAME_FDE_PCTYPE_MASK && !s.Version().Info().Stubs {
		return 0, false // version 1 does not state the size of stubs
	}
	pcs := []uint64{f.Start() - 1, f.Start(), f.End() - 1, f.End()}
	for r := range f.FREs() {
		pcs = append(pcs, f.Start()+uint64(r.Start()), f.Start()+uint64(r.Start())-1)
		for _, at := range campaign.Repetitions(f) {
			if at += uint64(r.Start()); at < uint64(f.Size()) {
				pcs = append(pcs, f.Start()+at)
			}
		}
	}
	return pcs[rnd.IntN(len(pcs))], true
}

// Shrink returns a smaller case that a decoder fails in the same way: with the same outcome, and the same
// verdict on the section. It asks at most most times.
func Shrink(ctx context.Context, d Decoder, r Result, most int) Result {
	best := r
	data, err := hex.DecodeString(r.Case.Section)
	if err != nil {
		return r
	}
	addr, err := strconv.ParseUint(r.Case.Address, 0, 64)
	if err != nil {
		return r
	}
	search := &shrink.Search{Context: ctx, MaxTries: most, Keep: func(b []byte) bool {
		c, err := loadCase(r.Case.Name, b, addr, nil, false)
		if err != nil || c.Duty != r.Case.Duty || !sameVersion(b, data) {
			return false
		}
		if r.Case.PC != "" && !c.lookUp(r.Case.PC, b, addr) {
			return false
		}
		x := judge(c, d.Ask(Request{c.Section, c.Address, c.PC}))
		if x.Outcome != r.Outcome {
			return false
		}
		if len(b) < len(best.Case.Section)/2 {
			best = x
		}
		return true
	}}
	search.File(data)
	return best
}

// lookUp makes a case one of a PC; false if that has more than one answer.
func (c *Case) lookUp(pc string, data []byte, addr uint64) bool {
	s, _ := reader.DecodeSection(data, reader.SectionOptions{Addr: addr})
	witness, err := plain.Decode(data, addr)
	at, bad := strconv.ParseUint(pc, 0, 64)
	if s == nil || !s.Disjoint() || err != nil || bad != nil {
		return false
	}
	c.PC = pc
	c.Expect, err = json.Marshal(witness.Lookup(at))
	return err == nil
}

func sameVersion(a, b []byte) bool { return len(a) > 2 && len(b) > 2 && a[2] == b[2] }
