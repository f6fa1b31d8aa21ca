package minimize

import (
	"debug/elf"
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/shrinking"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// elf shrinks an ELF file. Most is won where the file around the section can
// be made anew: with nothing else in it, or with code and symbols for the
// functions. Where neither will do, the section is cut where it lies.
func (f *file) elf(o *reader.Object) {
	sf := o.SFrames[0]
	if b := newBare(o, sf); b != nil && f.try(b.around(sf.Data, nil)) {
		f.section(sf, b)
		return
	}
	if f.rewrap(o, sf) {
		o = f.object()
	}
	for k := 0; o != nil && k < len(o.SFrames); k++ {
		f.section(o.SFrames[k], &spliced{f: f, k: k})
		o = f.object()
	}
}

// rewrap makes the file anew, with code, symbols and relocations for the
// section's functions, and shrinks that. It tells whether that would do.
func (f *file) rewrap(o *reader.Object, sf *reader.SFrame) bool {
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
	_, ok := shrinking.Plan(p, func(q *generator.Plan) bool {
		w, err := wrapAs(o.ELF.Type, q)
		return err == nil && f.try(w.Bytes)
	})
	return ok
}

// wrapAs puts a plan into a file of a type.
func wrapAs(t elf.Type, p *generator.Plan) (*generator.File, error) {
	switch t {
	case elf.ET_REL:
		return generator.WrapRel(p)
	case elf.ET_DYN:
		return generator.WrapShared(p)
	}
	return generator.WrapExec(p)
}

// apart is the distance of functions in sections of their own.
const apart = 1 << 17

// settled gives the functions of an object file addresses: those of one
// section close to each other, sections apart. It returns nil where the start
// of a function is not known.
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

// bare makes files that have nothing but the section in them.
type bare struct {
	typ  elf.Type
	plan generator.Plan
}

// lowOffset is an offset in a page that leaves room for the headers of a
// file and little else: the section's address decides where it lies.
const lowOffset, page = 0x100, 0x1000

// newBare returns the frame for a file like o, nil where there is no ABI for
// its machine.
func newBare(o *reader.Object, sf *reader.SFrame) *bare {
	abi := o.ELF.ABI()
	if !abi.Known() {
		return nil
	}
	b := &bare{typ: o.ELF.Type, plan: generator.Plan{
		Version: model.SFRAME_VERSION_2, ABI: abi.ID, BigEndian: abi.Big, FixedFP: abi.FixedFP, FixedRA: abi.FixedRA,
	}}
	if sec, ok := o.ELF.SectionOf(sf); ok && o.ELF.Type != elf.ET_REL {
		b.plan.Addr = sec.Addr/page*page + lowOffset
	}
	return b
}

// around has an empty section made that is as large, and puts the bytes in
// its place.
func (b *bare) around(section []byte, _ []model.Span) []byte {
	if len(section) < model.HeaderSize {
		return nil
	}
	p := b.plan
	p.Style.Tail = uint32(len(section) - model.HeaderSize)
	wrap := generator.WrapExec // dynamic symbols would only be in the way
	if b.typ == elf.ET_REL {
		wrap = generator.WrapRel
	}
	w, err := wrap(&p)
	if err != nil {
		return nil
	}
	copy(w.Bytes[w.Offset:], section)
	patcher{w.Bytes, order(p.BigEndian)}.put16(ehType, uint16(b.typ))
	return w.Bytes
}

func (b *bare) taken([]byte) {}

func order(big bool) binary.ByteOrder {
	if big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}
