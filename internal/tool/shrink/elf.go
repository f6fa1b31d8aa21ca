package shrink

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/reader"
)

// reduceELF reduces the sections of an ELF file, or a raw section. It first tries
// to make the file again with nothing else in it. If that is not accepted, it cuts the sections in place.
func reduceELF(l *Loop[[]byte]) {
	o := object(l.Value)
	if o == nil || len(o.SFrames) == 0 {
		return
	}
	sf := o.SFrames[0]
	if o.ELF == nil {
		reduceSection(l, sf, func(s Section) []byte { return s.Bytes })
		return
	}
	for _, around := range frames(o, sf) {
		if l.Try(around(Section{Bytes: sf.Data})) {
			reduceSection(l, sf, around)
			return
		}
	}
	for k := 0; o != nil && k < len(o.SFrames); k++ {
		reduceSection(l, o.SFrames[k], func(s Section) []byte { return splice(l.Value, k, s) })
		o = object(l.Value)
	}
}

// frames returns the smallest files that can be around the section, as functions of its bytes, the
// smallest one first; none if the machine of o has no ABI.
func frames(o *reader.Object, sf *reader.SFrame) []frame {
	abi := o.ELF.ABI()
	if !abi.Known() {
		return nil
	}
	opts := reader.SectionOptions{}
	if sec, ok := o.ELF.SectionOf(sf); ok && o.ELF.Type != elf.ET_REL {
		opts.Addr = sec.Addr
	}
	alone := func(s Section) []byte {
		return Around(abi, o.ELF.Type, s.Bytes, opts.Addr, nil)
	}
	if o.ELF.Type != elf.ET_REL {
		return []frame{alone}
	}
	return []frame{alone, func(s Section) []byte {
		m, _ := reader.DecodeSection(s.Bytes, opts)
		return Around(abi, o.ELF.Type, s.Bytes, 0, m)
	}}
}
