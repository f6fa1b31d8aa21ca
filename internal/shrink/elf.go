package shrink

import (
	"debug/elf"
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/elfwrite"
	"github.com/sframe-lint/sframe-lint/reader"
)

// reduceELF reduces the sections of an ELF file, or a raw section. It first tries
// to make the file again: with nothing else in it, or with code and symbols for
// the functions. If neither is accepted, it cuts the sections in place.
func reduceELF(l *Loop[[]byte]) {
	o := object(l.Value)
	if o == nil || len(o.SFrames) == 0 {
		return
	}
	sf := o.SFrames[0]
	if o.ELF == nil {
		reduceSection(l, sf, func(s Section) []byte { return s.Bytes }, true)
		return
	}
	for _, around := range frames(o, sf) {
		if l.Try(around(Section{Bytes: sf.Data})) {
			reduceSection(l, sf, around, o.ELF.Type != elf.ET_REL)
			return
		}
	}
	if rewrap(l, o, sf) {
		o = object(l.Value)
	}
	for k := 0; o != nil && k < len(o.SFrames); k++ {
		reduceSection(l, o.SFrames[k], func(s Section) []byte { return splice(l.Value, k, s) }, false)
		o = object(l.Value)
	}
}

// rewrap makes the file again, with code, symbols and relocations for the
// section's functions, and reduces that. It reports whether the new file was
// accepted.
func rewrap(l *Loop[[]byte], o *reader.Object, sf *reader.SFrame) bool {
	if sf.Section == nil {
		return false
	}
	p, err := generator.FromModel(sf.Section)
	if err != nil {
		return false
	}
	if p = settled(p); p == nil {
		return false
	}
	sub := within(l, p, func(q *generator.Plan) ([]byte, bool) {
		w, err := wrapAs(o.ELF.Type, q)
		if err != nil {
			return nil, false
		}
		return w.Bytes, true
	})
	if !sub.Try(canonical(p)) {
		return false
	}
	sub.Run(Plans)
	return true
}

// wrapAs wraps a plan in a file of the given type.
func wrapAs(t elf.Type, p *generator.Plan) (*generator.File, error) {
	switch t {
	case elf.ET_REL:
		return generator.WrapRel(p)
	case elf.ET_DYN:
		return generator.WrapShared(p)
	}
	return generator.WrapExec(p)
}

// apart is the distance between functions that are in different sections.
const apart = 1 << 17

// settled gives the functions of an object file addresses: those of one
// section close to each other, sections apart. It returns nil if the start of
// a function is unknown.
func settled(p *generator.Plan) *generator.Plan {
	if !p.Relocatable {
		return p
	}
	q := p.Clone()
	q.Relocatable, q.Addr, q.Layout = false, 0, nil
	ends := map[int]uint64{}
	last := 0
	for i := range q.Funcs {
		f := &q.Funcs[i]
		if f.Unknown || f.Start > 1<<40 {
			return nil
		}
		ends[f.Place] = max(ends[f.Place], f.Start+uint64(f.Size))
		last = max(last, f.Place)
	}
	base := map[int]uint64{}
	at := uint64(apart)
	for place := range last + 1 {
		base[place] = at
		if end, ok := ends[place]; ok {
			at += (end + 2*apart) / apart * apart
		}
	}
	for i := range q.Funcs {
		f := &q.Funcs[i]
		f.Start, f.Place = f.Start+base[f.Place], 0
	}
	return q
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
		return elfwrite.Around(abi, o.ELF.Type, s.Bytes, opts.Addr, nil)
	}
	if o.ELF.Type != elf.ET_REL {
		return []frame{alone}
	}
	return []frame{alone, func(s Section) []byte {
		m, _ := reader.DecodeSection(s.Bytes, opts)
		return elfwrite.Around(abi, o.ELF.Type, s.Bytes, 0, m)
	}}
}

func order(big bool) binary.ByteOrder {
	if big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}
