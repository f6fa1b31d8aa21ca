package build

import (
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// fields adds sections with a field that code computes with carelessly, for each version and ABI that has it: an offset of
// FREs that overflows 32 bits when the size of attributes is added, and look-ups where a block has no size.
func (b *builder) fields() error {
	return kinds(func(kind string, c generator.Config) error {
		data, s, err := encoded(c)
		if err != nil {
			return err
		}
		for off := uint64(0xffff_fffb); off <= 0xffff_ffff; off++ {
			changed := with(data, s, s.FDE(1).FieldSpan(model.FDEStartFREOff), off)
			if err := b.add(fmt.Sprintf("limit/%s/start-fre-off-%x", kind, off), changed, s.Addr(), named(s.Version(), "FDE-10", "IDX-08")); err != nil {
				return err
			}
		}
		if s.Version().Info().AttrSize > 0 {
			changed := with(data, s, s.FDE(1).FieldSpan(model.FDEStartFREOff), uint64(s.FRESubsection().Len-4))
			if err := b.add("limit/"+kind+"/attributes-end-beyond", changed, s.Addr(), named(s.Version(), "IDX-08")); err != nil {
				return err
			}
		}
		if !s.Version().Info().Stubs {
			return nil
		}
		if err := b.words(kind, c); err != nil {
			return err
		}
		c.Stubs, c.StubRows = 100, 2
		if data, s, err = encoded(c); err != nil {
			return err
		}
		if err := b.lookUps(kind+"/repeated", data, s.Addr()); err != nil { // decoders answer these between the ones below
			return err
		}
		f := s.FDE(0)
		changed := with(data, s, f.FieldSpan(model.FDERepSize), 0)
		judged, err := judge(changed, s.Addr())
		if err != nil {
			return err
		}
		for i, name := range []string{"first", "middle", "last"} {
			pc := f.Start() + uint64(f.Size()-1)*uint64(i)/2
			b.cases = append(b.cases, conformance.Case{Name: "lookup/" + kind + "/rep-size-0/" + name, Clauses: named(s.Version(), "PCT-08", "PCT-04"),
				Duty: judged.Duty, Rules: judged.Rules, Section: hex.EncodeToString(changed), Address: judged.Address, PC: fmt.Sprintf("0x%x", pc)})
		}
		return nil
	})
}

// words adds a section with an odd word, which is a register on s390x only in version 2, and one with a register above 31.
func (b *builder) words(kind string, c generator.Config) error {
	const register = 40
	c.WordSize = model.SFRAME_FRE_DATAWORD_2B
	for _, c.Flexible = range []generator.Share{0, 100} {
		data, s, err := encoded(c)
		if err != nil {
			return err
		}
		seen := map[string]bool{}
		change := func(name string, sp model.Span, v uint32) {
			if err == nil && !seen[name] {
				seen[name] = true
				err = b.add("limit/"+kind+"/"+name, with(data, s, sp, uint64(v)), s.Addr(), named(s.Version(), "FRE-03", "FLX-10", "S39-09"))
			}
		}
		for f := range s.FDEs() {
			for r := range f.FREs() {
				switch {
				case r.NumWords() < 2:
				case f.Type() == model.SFRAME_FDE_TYPE_FLEX:
					change("wide-register", r.WordSpan(0), r.Control(0)&7|register<<model.FlexRegShift)
				case c.Flexible == 0:
					change("odd-word", r.WordSpan(1), r.Control(1)|1)
					change("odd-word-of-wide-register", r.WordSpan(1), register<<1|1)
				}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// encoded returns the section of knobs.
func encoded(c generator.Config) ([]byte, *model.Section, error) {
	p, err := generator.Generate(c)
	if err != nil {
		return nil, nil, err
	}
	data, err := generator.Encode(p)
	if err != nil {
		return nil, nil, err
	}
	s, _ := reader.DecodeSection(data, reader.SectionOptions{Addr: p.Addr})
	return data, s, nil
}

// with returns a section with another number in a field.
func with(data []byte, s *model.Section, sp model.Span, v uint64) []byte {
	data = slices.Clone(data)
	number.Put(s.ByteOrder(), data[sp.Off:sp.End()], v)
	return data
}
