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

// Random returns the case for a seed: a valid section with any feature of the manual, a PC to look up in such a
// section, a section with a known fault, or a damaged section.
func Random(seed uint64) (*Case, error) {
	rnd := rand.New(rand.NewPCG(seed, 0x72616e64))
	for {
		c := generator.SwarmWide(rnd)
		s, err := breaks.Recipe{Config: c, Container: breaks.Raw}.Subject()
		if err != nil {
			continue // the knobs leave no room
		}
		data := s.Section()
		switch seed % 4 {
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
		x, err := Read(data, s.Addr())
		if err == nil {
			err = x.Answer()
		}
		if err == nil && seed%4 == 1 {
			if pc, ok := drawPC(x.Read, rnd); ok {
				err = x.LookUp(pc)
			}
		}
		if err != nil {
			return nil, err
		}
		x.Name = fmt.Sprintf("random/%d", seed)
		return &x.Case, nil
	}
}

// Reading is the case of a section, with the results of the reader and the plain decoder.
type Reading struct {
	Case
	Read *model.Section // nil if there is no header

	witness *plain.Section // nil if the plain decoder refuses the section
}

// Read returns the case of a section, without the answer. The rules and the plain decoder must agree about the duty
// of decoders.
func Read(data []byte, addr uint64) (*Reading, error) {
	x := &Reading{Case: Case{Section: hex.EncodeToString(data), Address: fmt.Sprintf("0x%x", addr), Duty: Either}}
	f := reader.DecodeSFrame(data, reader.SectionOptions{Addr: addr})
	for _, f := range onSections.Run(&reader.Object{SFrames: []*reader.SFrame{f}}).Findings {
		if !slices.Contains(x.Rules, f.Rule.ID) {
			x.Rules = append(x.Rules, f.Rule.ID)
		}
	}
	for _, rule := range x.Rules {
		for _, c := range clauses.Of(rule) {
			x.Clauses = append(x.Clauses, c.ID)
		}
	}
	var refusal error
	x.witness, refusal = plain.Decode(data, addr)
	switch {
	case refusal != nil && len(x.Rules) == 0:
		return nil, fmt.Errorf("the plain decoder refuses a section in which no rule finds an error: %w\n%s at %s", refusal, x.Section, x.Address)
	case refusal != nil && !errors.Is(refusal, plain.ErrMeaning):
		x.Duty = Reject
	case refusal == nil && len(x.Rules) == 0:
		x.Duty = Accept
	}
	if x.Read = f.Section; x.Read != nil && x.Duty != Reject {
		x.Points = Silent(x.Read)
	}
	if x.Duty == Accept && (x.Read == nil || len(f.Faults) > 0) {
		return nil, fmt.Errorf("faults without a finding: %v\n%s at %s", f.Faults, x.Section, x.Address)
	}
	return x, nil
}

// Answer sets the expected answer. For a valid section that is its content. For an invalid section it contains the
// values on which the reader and the plain decoder agree.
func (x *Reading) Answer() error {
	switch {
	case x.Duty == Reject || x.Read == nil:
		return nil
	case x.Duty == Accept:
		return x.expect(DescribeSection(x.Read), x.witness)
	}
	var both [2]any
	for i, read := range []any{DescribeSection(x.Read), x.witness} {
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
	x.Expect, err = json.Marshal(expect)
	return err
}

// LookUp turns the case into a look-up of a PC.
func (x *Reading) LookUp(pc uint64) error {
	x.PC = fmt.Sprintf("0x%x", pc)
	return x.expect(lookUp(x.Read, pc), x.witness.Lookup(pc))
}

// expect sets the answer that is expected, which must be that of the plain decoder.
func (x *Reading) expect(want, witness any) (err error) {
	if x.Expect, err = json.Marshal(want); err != nil {
		return err
	}
	got, err := json.Marshal(witness)
	if err == nil && !bytes.Equal(x.Expect, got) {
		err = fmt.Errorf("the plain decoder has\n%s, not\n%s of\n%s at %s", got, x.Expect, x.Section, x.Address)
	}
	return err
}

// Examine asks a decoder about any section. If the reader and the plain decoder disagree, any answer is accepted.
func Examine(d Decoder, data []byte, addr uint64) (Result, *Answer) {
	x, err := Read(data, addr)
	if err == nil {
		err = x.Answer()
	}
	if err != nil {
		x = &Reading{Case: Case{Section: hex.EncodeToString(data), Address: fmt.Sprintf("0x%x", addr), Duty: Either}}
	}
	a := d.Ask(Request{x.Section, x.Address, ""})
	return judge(&x.Case, a), a
}

// drawPC returns a PC at or beside the start of a row, or the end of a function; false if a look-up
// has more than one answer.
func drawPC(s *model.Section, rnd *rand.Rand) (uint64, bool) {
	if s == nil || s.NumFDEs() == 0 || !s.Disjoint() {
		return 0, false
	}
	f := s.FDE(rnd.IntN(s.NumFDEs()))
	if f.Mask() && !s.Version().Info().Stubs {
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

// Shrink returns a smaller case on which a decoder fails in the same way: with the same outcome and the same verdict
// on the section. It asks the decoder at most most times.
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
		c, err := Read(b, addr)
		if err != nil || c.Duty != r.Case.Duty || !sameVersion(b, data) || c.Answer() != nil {
			return false
		}
		if r.Case.PC != "" {
			at, err := strconv.ParseUint(r.Case.PC, 0, 64)
			if err != nil || c.Read == nil || !c.Read.Disjoint() || c.LookUp(at) != nil {
				return false
			}
		}
		c.Name = r.Case.Name
		x := judge(&c.Case, d.Ask(Request{c.Section, c.Address, c.PC}))
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

func sameVersion(a, b []byte) bool { return len(a) > 2 && len(b) > 2 && a[2] == b[2] }
