package properties

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// decode reads a plan's bytes, which must have no faults.
func decode(p *generator.Plan, b []byte) (*model.Section, error) {
	opts := reader.SectionOptions{Addr: p.Addr}
	if p.Relocatable {
		opts.Relocatable = true
		opts.Start = func(off int64, _ int) model.Start {
			i := int(off-int64(p.Version.Info().HeaderSize+len(p.Aux))-int64(p.Style.FDEGap)) / model.FDESize(p.Version)
			f := p.Funcs[i]
			return model.Start{Addr: f.Start, Place: uint32(f.Place), OK: !f.Unknown}
		}
	}
	s, faults := reader.DecodeSection(b, opts)
	if s == nil || len(faults) > 0 {
		return nil, fmt.Errorf("not read: %v", faults)
	}
	return s, nil
}

// describe reads a plan's bytes and describes them.
func describe(p *generator.Plan, b []byte) (*model.Section, *generator.Plan, error) {
	s, err := decode(p, b)
	if err != nil {
		return nil, nil, err
	}
	q, err := generator.FromModel(s)
	return s, q, err
}

// again encodes a plan and reports whether its bytes are b.
func (r *run) again(what string, p *generator.Plan, b []byte) bool {
	c, err := generator.Encode(p)
	if err != nil || !bytes.Equal(b, c) {
		r.fail("%s: %v\n%x, not\n%x", what, err, c, b)
		return false
	}
	return true
}

// same checks that two plans mean the same.
func (r *run) same(what string, p, q *generator.Plan) {
	if d := differ(p, q); d != "" {
		r.fail("%s: %s", what, d)
	}
}

// roundTrip writes, reads, describes and writes the section.
func (r *run) roundTrip() {
	if err := generator.Valid(r.p); err != nil {
		r.fail("not valid: %v", err)
	}
	b, err := generator.Encode(r.p)
	if err != nil {
		r.fail("not written: %v", err)
		return
	}
	r.input = b
	s, q, err := describe(r.p, b)
	if err != nil {
		r.fail("%v", err)
		return
	}
	r.encoded, r.decoded = b, s
	r.same("read as something else", r.p, q)
	if !r.again("written again", q, b) {
		return
	}
	t, err := decode(q, b)
	if err != nil {
		r.fail("%v", err)
	} else if !reflect.DeepEqual(s, t) {
		r.fail("two sections of the same bytes")
	}
	// The rules alone must give the same data words.
	q.Layout, q.Style = nil, r.p.Style
	for i := range q.Funcs {
		for j := range q.Funcs[i].Rows {
			q.Funcs[i].Rows[j].Words = r.p.Funcs[i].Rows[j].Words
		}
	}
	r.again("written by its rules", q, b)
}

// regions checks that regions and gaps are those of the plan.
func (r *run) regions() {
	_, s := r.section()
	if s == nil {
		return
	}
	r.tiled(s)
	sum := int64(0)
	for _, g := range s.Gaps() {
		sum += g.Len
	}
	if want := int64(r.p.Style.FDEGap) + int64(r.p.Style.FREGap) + int64(r.p.Style.Tail); sum != want {
		r.fail("%d bytes in gaps, planned %d", sum, want)
	}
}

// tiled checks that every byte belongs to one region, and that the gaps are the
// regions without a meaning.
func (r *run) tiled(s *model.Section) {
	at, gaps := int64(0), []model.Gap(nil)
	for g := range testkit.Regions(s) {
		if g.Off != at || g.Len <= 0 {
			r.fail("region %v follows 0x%x", g, at)
			return
		}
		at = g.End()
		if g.Kind == testkit.Padding || g.Kind == testkit.Unknown {
			gaps = append(gaps, model.Gap{Span: g.Span, NonZero: g.Kind == testkit.Unknown})
		}
	}
	if at != s.Size() {
		r.fail("regions end at 0x%x of 0x%x", at, s.Size())
	}
	if !slices.Equal(gaps, s.Gaps()) {
		r.fail("regions have gaps %v, the section %v", gaps, s.Gaps())
	}
}

// relocatable makes a round trip of the section with starts from relocations.
func (r *run) relocatable() {
	p := r.p.Clone()
	p.Relocatable, p.Addr = true, 0
	p.Flags &^= model.SFRAME_F_FDE_SORTED
	for i := range p.Funcs {
		p.Funcs[i].Place = 1 + i%2
		p.Funcs[i].Unknown = i%7 == 6
	}
	b, err := generator.Encode(p)
	if err != nil {
		r.fail("not written: %v", err)
		return
	}
	r.input = b
	_, q, err := describe(p, b)
	if err != nil {
		r.fail("%v", err)
		return
	}
	r.same("read as something else", p, q)
	r.again("written again", q, b)
}

// byteOrder flips the plan of the section, and what is read of the other byte order back.
func (r *run) byteOrder() {
	other := generator.Flip(r.p)
	r.same("flipped twice", r.p, generator.Flip(other))
	flipped, err := generator.Encode(other)
	if err != nil {
		r.fail("not flipped: %v", err)
		return
	}
	_, q, err := describe(other, flipped)
	if err != nil {
		r.fail("flipped: %v", err)
		return
	}
	r.same("flipped and read", r.p, generator.Flip(q))
}

// version converts the section to the other version that has the same meaning,
// and back.
func (r *run) version() {
	p := r.p.Clone()
	for i := range p.Funcs { // a conversion chooses data words and types anew
		for j := range p.Funcs[i].Rows {
			if r := &p.Funcs[i].Rows[j]; r.Rules.Valid() {
				r.Words = nil
			}
		}
		p.FitType(&p.Funcs[i])
	}
	info := p.Version.Info()
	others := model.Versions(func(v model.VersionInfo) bool { return v.Errata2 && info.Errata2 && v.Flex != info.Flex })
	if len(others) == 0 {
		return
	}
	c, err := generator.Convert(p, others[0])
	if err != nil {
		cannot := func(f generator.Func) bool { return len(f.Rows) == 0 || len(f.Rows) > int(others[0].Info().MaxFREs) }
		if !info.Flex && !slices.ContainsFunc(p.Funcs, cannot) {
			r.fail("not expressed in %v: %v", others[0], err)
		}
		return // V2 cannot express all that V3 can
	}
	b, err := generator.Encode(c)
	if err == nil {
		_, err = decode(c, b)
	}
	if err == nil {
		err = generator.Valid(c)
	}
	if err != nil {
		r.fail("in %v: %v", c.Version, err)
	}
	back, err := generator.Convert(c, p.Version)
	if err != nil {
		if !nearLimit(p) {
			r.fail("from %v and back: %v", c.Version, err)
		}
		return
	}
	back.Flags |= p.Flags & (model.SFRAME_F_FDE_FUNC_START_PCREL | model.SFRAME_F_FRAME_POINTER) // V3 has one choice
	back.Flags &= p.Flags | ^model.SFRAME_F_FDE_FUNC_START_PCREL
	r.same(fmt.Sprintf("in %v and back", c.Version), p, back)
}

// nearLimit reports whether a start is near the limits of 32 bits, so that it may be
// out of reach of a field at another place.
func nearLimit(p *generator.Plan) bool {
	return slices.ContainsFunc(p.Funcs, func(f generator.Func) bool {
		d := int64(f.Start - p.Addr)
		return max(d, -d) > 1<<31-1<<26
	})
}

// differ returns the first difference in what two plans mean, "" for none.
func differ(p, q *generator.Plan) string {
	switch {
	case p.Version != q.Version || p.ABI != q.ABI || p.BigEndian != q.BigEndian || p.Flags != q.Flags ||
		p.Addr != q.Addr || p.FixedFP != q.FixedFP || p.FixedRA != q.FixedRA || !bytes.Equal(p.Aux, q.Aux):
		return "the headers differ"
	case len(p.Funcs) != len(q.Funcs):
		return fmt.Sprintf("%d and %d functions", len(p.Funcs), len(q.Funcs))
	}
	for i := range p.Funcs {
		f, g := &p.Funcs[i], &q.Funcs[i]
		if f.Start != g.Start || f.Size != g.Size || f.PCType != g.PCType || f.FDEType != g.FDEType ||
			f.Place != g.Place || f.Unknown != g.Unknown ||
			f.PauthKey != g.PauthKey || f.Signal != g.Signal || f.RepSize != g.RepSize || len(f.Rows) != len(g.Rows) {
			return fmt.Sprintf("FDE %d: %+v and %+v", i, *f, *g)
		}
		for j := range f.Rows {
			if r, o := &f.Rows[j], &g.Rows[j]; r.Start != o.Start || r.Mangled != o.Mangled || r.Rules != o.Rules {
				return fmt.Sprintf("FDE %d FRE %d: %+v and %+v", i, j, *r, *o)
			}
		}
	}
	return ""
}
