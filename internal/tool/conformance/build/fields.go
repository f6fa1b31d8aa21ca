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
func (b *builder) fields() {
	kinds(func(kind string, c generator.Config) {
		s, err := encoded(c)
		if b.note(kind, err) {
			return
		}
		at := s.FDE(1).FieldSpan(model.FDEStartFREOff)
		for off := uint64(0xffff_fffb); off <= 0xffff_ffff; off++ {
			b.add(fmt.Sprintf("limit/%s/start-fre-off-%x", kind, off), with(s, at, off), s.Addr(), named(s.Version(), "FDE-10", "IDX-08"))
		}
		if s.Version().Info().AttrSize > 0 {
			b.add("limit/"+kind+"/attributes-end-beyond", with(s, at, uint64(s.FRESubsection().Len-4)), s.Addr(), named(s.Version(), "IDX-08"))
		}
		if !s.Version().Info().Stubs {
			return
		}
		b.words(kind, c)
		c.Stubs, c.StubRows = 100, 2
		if s, err = encoded(c); b.note(kind, err) {
			return
		}
		b.lookUps(kind+"/repeated", bytesOf(s), s.Addr()) // decoders answer these between the ones below
		f := s.FDE(0)
		changed := with(s, f.FieldSpan(model.FDERepSize), 0)
		judged, err := judge(changed, s.Addr())
		if b.note(kind, err) {
			return
		}
		for i, name := range []string{"first", "middle", "last"} {
			pc := f.Start() + uint64(f.Size()-1)*uint64(i)/2
			b.cases = append(b.cases, conformance.Case{Name: "lookup/" + kind + "/rep-size-0/" + name, Clauses: named(s.Version(), "PCT-08", "PCT-04"),
				Duty: judged.Duty, Rules: judged.Rules, Section: hex.EncodeToString(changed), Address: judged.Address, PC: fmt.Sprintf("0x%x", pc)})
		}
	})
}

// words adds a section with an odd word, which is a register on s390x only in version 2, and one with a register above 31.
func (b *builder) words(kind string, c generator.Config) {
	const register = 40
	c.WordSize = model.SFRAME_FRE_DATAWORD_2B
	for _, c.Flexible = range []generator.Share{0, 100} {
		s, err := encoded(c)
		if b.note(kind, err) {
			return
		}
		seen := map[string]bool{}
		change := func(name string, sp model.Span, v uint32) {
			if !seen[name] {
				seen[name] = true
				b.add("limit/"+kind+"/"+name, with(s, sp, uint64(v)), s.Addr(), named(s.Version(), "FRE-03", "FLX-10", "S39-09"))
			}
		}
		for f := range s.FDEs() {
			for r := range f.FREs() {
				switch {
				case r.NumWords() < 2:
				case f.Flex():
					change("wide-register", r.WordSpan(0), r.Control(0)&7|register<<model.FlexRegShift)
				case c.Flexible == 0:
					change("odd-word", r.WordSpan(1), r.Control(1)|1)
					change("odd-word-of-wide-register", r.WordSpan(1), register<<1|1)
				}
			}
		}
	}
}

// encoded returns the section of knobs.
func encoded(c generator.Config) (*model.Section, error) {
	p, err := generator.Generate(c)
	if err != nil {
		return nil, err
	}
	data, err := generator.Encode(p)
	if err != nil {
		return nil, err
	}
	s, faults := reader.DecodeSection(data, reader.SectionOptions{Addr: p.Addr})
	if len(faults) > 0 {
		return nil, fmt.Errorf("not read: %v", faults)
	}
	return s, nil
}

func bytesOf(s *model.Section) []byte { return s.Bytes(model.Span{Len: s.Size()}) }

// with returns a section with another number in a field.
func with(s *model.Section, sp model.Span, v uint64) []byte {
	data := slices.Clone(bytesOf(s))
	number.Put(s.ByteOrder(), data[sp.Off:sp.End()], v)
	return data
}
