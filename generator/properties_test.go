package generator_test

import (
	"bytes"
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/arbitrary"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

var (
	cases = flag.Int("cases", 10000, "cases to try of each property")
	seed  = flag.Int64("seed", 1, "what the cases are drawn from; 0: the time")
)

// holds tries a property of sections; it returns what is wrong, "" for
// nothing. A counterexample is reported as small as shrinking gets it.
func holds(t *testing.T, property func(*generator.Plan) string, turns ...func(*generator.Config)) {
	t.Helper()
	params := gopter.DefaultTestParametersWithSeed(*seed)
	if *seed == 0 {
		params = gopter.DefaultTestParameters()
	}
	params.MinSuccessfulTests = *cases
	params.MaxShrinkCount = 100000
	all := gopter.NewProperties(params)
	all.Property(t.Name(), prop.ForAll(property, arbitrary.Plans(turns...)))
	all.TestingRun(t)
}

// decode reads a plan's bytes, which must leave nothing to complain about.
func decode(p *generator.Plan, b []byte) (*model.Section, string) {
	f, wrong := decodeSFrame(p, b)
	return f.Section, wrong
}

func decodeSFrame(p *generator.Plan, b []byte) (*reader.SFrame, string) {
	opts := reader.SectionOptions{Addr: p.Addr}
	if p.Relocatable {
		opts.Relocatable = true
		opts.Start = func(off int64, _ int) model.Start {
			i := int(off-int64(28+len(p.Aux))-int64(p.Style.FDEGap)) / model.FDESize(p.Version)
			f := p.Funcs[i]
			return model.Start{Addr: f.Start, Place: uint32(f.Place), OK: !f.Unknown}
		}
	}
	f := reader.DecodeSFrame(b, opts)
	if f.Section == nil || len(f.Faults) > 0 {
		return f, fmt.Sprintf("faults: %v", f.Faults)
	}
	return f, ""
}

// encoded is the section of a plan.
func encoded(p *generator.Plan) (b []byte, s *model.Section, wrong string) {
	b, err := generator.Encode(p)
	if err != nil {
		return nil, nil, err.Error()
	}
	s, wrong = decode(p, b)
	return b, s, wrong
}

// differ returns the first thing in which two plans mean something else.
func differ(p, q *generator.Plan) string {
	switch {
	case p.Version != q.Version || p.ABI != q.ABI || p.BigEndian != q.BigEndian || p.Flags != q.Flags ||
		p.Addr != q.Addr || p.FixedFP != q.FixedFP || p.FixedRA != q.FixedRA || !bytes.Equal(p.Aux, q.Aux):
		return "the headers differ"
	case len(p.Funcs) != len(q.Funcs):
		return fmt.Sprintf("%d and %d functions", len(p.Funcs), len(q.Funcs))
	}
	for i := range p.Funcs {
		f, g := p.Funcs[i], q.Funcs[i]
		if f.Start != g.Start || f.Place != g.Place || f.Unknown != g.Unknown || f.Size != g.Size ||
			f.PCType != g.PCType || f.FDEType != g.FDEType || f.PauthKey != g.PauthKey ||
			f.Signal != g.Signal || f.RepSize != g.RepSize || len(f.Rows) != len(g.Rows) {
			return fmt.Sprintf("function %d: %+v and %+v", i, f, g)
		}
		for j := range f.Rows {
			r, o := f.Rows[j], g.Rows[j]
			if r.Start != o.Start || r.Mangled != o.Mangled || r.Rules != o.Rules {
				return fmt.Sprintf("function %d, row %d: %+v and %+v", i, j, r, o)
			}
		}
	}
	return ""
}

func TestDecodeEncode(t *testing.T) {
	holds(t, func(p *generator.Plan) string {
		b, s, wrong := encoded(p)
		if wrong != "" {
			return wrong
		}
		q, err := generator.FromModel(s)
		if err != nil {
			return err.Error()
		}
		if d := differ(p, q); d != "" {
			return d
		}
		// The rules alone must lead to the same words.
		q.Layout, q.Style = nil, p.Style
		for i := range q.Funcs {
			for j := range q.Funcs[i].Rows {
				q.Funcs[i].Rows[j].Words = nil
			}
		}
		again, err := generator.Encode(q)
		if err != nil {
			return err.Error()
		}
		if !bytes.Equal(b, again) {
			return fmt.Sprintf("rules give\n%x, plan gives\n%x", again, b)
		}
		return ""
	})
}

func TestEncodeDecode(t *testing.T) {
	holds(t, func(p *generator.Plan) string {
		b, s, wrong := encoded(p)
		if wrong != "" {
			return wrong
		}
		again, err := generator.EncodeModel(s)
		if err != nil {
			return err.Error()
		}
		if !bytes.Equal(b, again) {
			return fmt.Sprintf("\n%x became\n%x", b, again)
		}
		t, wrong := decode(p, again)
		if wrong != "" {
			return wrong
		}
		return model.Diff(s, t)
	})
}

// TestRelocatable does the same for sections whose starts relocations give.
func TestRelocatable(t *testing.T) {
	holds(t, func(p *generator.Plan) string {
		p = p.Clone()
		p.Relocatable, p.Addr = true, 0
		p.Flags &^= model.SFRAME_F_FDE_SORTED
		for i := range p.Funcs {
			p.Funcs[i].Place = 1 + i%2
			p.Funcs[i].Unknown = i%7 == 6
		}
		b, s, wrong := encoded(p)
		if wrong != "" {
			return wrong
		}
		q, err := generator.FromModel(s)
		if err != nil {
			return err.Error()
		}
		if d := differ(p, q); d != "" {
			return d
		}
		again, err := generator.Encode(q)
		if err != nil || !bytes.Equal(b, again) {
			return fmt.Sprint(err, " or other bytes")
		}
		return ""
	})
}

func TestFlipTwice(t *testing.T) {
	holds(t, func(p *generator.Plan) string {
		b, s, wrong := encoded(p)
		if wrong != "" {
			return wrong
		}
		flipped, err := generator.FlipBytes(s)
		if err != nil {
			return err.Error()
		}
		byPlan, err := generator.Encode(generator.Flip(p))
		if err != nil || !bytes.Equal(flipped, byPlan) {
			return fmt.Sprintf("%v or bytes flip to\n%x, the plan to\n%x", err, flipped, byPlan)
		}
		u, wrong := decode(generator.Flip(p), flipped)
		if wrong != "" {
			return wrong
		}
		q, err := generator.FromModel(u)
		if err != nil {
			return err.Error()
		}
		if d := differ(p, generator.Flip(q)); d != "" {
			return d
		}
		back, err := generator.FlipBytes(u)
		if err != nil || !bytes.Equal(b, back) {
			return fmt.Sprintf("%v or other bytes", err)
		}
		return ""
	})
}

// TestConvertThereAndBack sees that every rule survives V2 to V3 to V2, and
// V3 to V2 to V3 where V2 can say it all.
func TestConvertThereAndBack(t *testing.T) {
	holds(t, func(p *generator.Plan) string {
		other := model.SFRAME_VERSION_2 + model.SFRAME_VERSION_3 - p.Version
		c, err := generator.Convert(p, other)
		if err != nil {
			if p.Version == model.SFRAME_VERSION_2 {
				return err.Error()
			}
			return "" // V2 cannot say it all; tested by name elsewhere
		}
		if _, _, wrong := encoded(c); wrong != "" {
			return wrong
		}
		if err := generator.Valid(c); err != nil {
			return err.Error()
		}
		back, err := generator.Convert(c, p.Version)
		if err != nil {
			return err.Error()
		}
		back.Flags |= p.Flags & (model.SFRAME_F_FDE_FUNC_START_PCREL | model.SFRAME_F_FRAME_POINTER) // V3 has one choice
		back.Flags &= p.Flags | ^model.SFRAME_F_FDE_FUNC_START_PCREL
		return differ(p, back)
	}, func(c *generator.Config) { c.Version = max(c.Version, 2) })
}

// TestLookup compares look-ups with a scan over all functions and rows, for
// every PC of small functions and one byte around them.
func TestLookup(t *testing.T) {
	holds(t, func(p *generator.Plan) string {
		_, s, wrong := encoded(p)
		if wrong != "" {
			return wrong
		}
		for i := range p.Funcs {
			f := &p.Funcs[i]
			for pc := f.Start - 1; pc != f.Start+uint64(f.Size)+1; pc++ {
				fde, row := scan(p, pc)
				if r, ok := s.Lookup(pc); ok != (row >= 0) || ok && (r.FDEIndex() != fde || r.Index() != row) {
					return fmt.Sprintf("PC 0x%x: found %v FDE %d row %d, a scan finds FDE %d row %d", pc, ok, r.FDEIndex(), r.Index(), fde, row)
				}
			}
		}
		return ""
	}, func(c *generator.Config) { c.FuncSize = min(c.FuncSize, 128) })
}

// scan finds the function and row of a PC the slow way, -1 for none.
func scan(p *generator.Plan, pc uint64) (fde, row int) {
	fde, row = -1, -1
	for i := range p.Funcs {
		f := &p.Funcs[i]
		if pc < f.Start || pc >= f.Start+uint64(f.Size) {
			continue
		}
		off := pc - f.Start
		if f.PCType == model.SFRAME_FDE_PCTYPE_MASK {
			off %= uint64(f.RepSize)
		}
		for j := range f.Rows {
			if uint64(f.Rows[j].Start) <= off {
				fde, row = i, j
			}
		}
	}
	return fde, row
}

// TestRegions sees that every byte of a section has one owner, and that
// gaps are where the plan has put them.
func TestRegions(t *testing.T) {
	holds(t, func(p *generator.Plan) string {
		_, s, wrong := encoded(p)
		if wrong != "" {
			return wrong
		}
		at, gaps := int64(0), []model.Gap(nil)
		for r := range s.Regions() {
			if r.Off != at || r.Len <= 0 {
				return fmt.Sprintf("region %+v follows 0x%x", r, at)
			}
			at = r.End()
			if r.Kind == model.RegionPadding || r.Kind == model.RegionUnknown {
				gaps = append(gaps, model.Gap{Span: r.Span, NonZero: r.Kind == model.RegionUnknown})
			}
		}
		if at != s.Size() {
			return fmt.Sprintf("regions end at 0x%x of 0x%x", at, s.Size())
		}
		if !slices.Equal(gaps, s.Gaps()) {
			return fmt.Sprintf("regions have gaps %v, the section %v", gaps, s.Gaps())
		}
		sum := int64(0)
		for _, g := range gaps {
			sum += g.Len
		}
		if want := int64(p.Style.FDEGap) + int64(p.Style.FREGap) + int64(p.Style.Tail); sum != want {
			return fmt.Sprintf("%d bytes in gaps, planned %d", sum, want)
		}
		return ""
	})
}
