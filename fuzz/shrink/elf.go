package shrink

import (
	"debug/elf"
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// ELF reduces the sections of an ELF file, or a raw section. It first tries
// to make the file anew: with nothing else in it, or with code and symbols for
// the functions. If neither is accepted, it cuts the sections in place.
type ELF struct{}

// Reduce implements [Reducer].
func (ELF) Reduce(l *Loop[[]byte]) {
	o := object(l.Value)
	if o == nil || len(o.SFrames) == 0 {
		return
	}
	sf := o.SFrames[0]
	if o.ELF == nil {
		reduceSection(l, sf, func(s Section) []byte { return s.Bytes }, true)
		return
	}
	if around := bare(o, sf); around != nil {
		if b := around(Section{Bytes: sf.Data}); b != nil && l.Try(b) {
			reduceSection(l, sf, around, true)
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

// rewrap makes the file anew, with code, symbols and relocations for the
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
	sub.Run(Plans{})
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

// lowOffset is an offset in a page that leaves room for the headers of a
// file and little else: the section's address decides its file offset.
const lowOffset, pageSize = 0x100, 0x1000

// bare returns a frame that makes files like o with nothing but the section
// in them; nil if the machine of o has no ABI. The frame wraps an empty section
// of the same size and replaces its bytes.
func bare(o *reader.Object, sf *reader.SFrame) frame {
	abi := o.ELF.ABI()
	if !abi.Known() {
		return nil
	}
	p := generator.Plan{
		Version: model.SFRAME_VERSION_2, ABI: abi.ID, BigEndian: abi.Big, FixedFP: abi.FixedFP, FixedRA: abi.FixedRA,
	}
	if sec, ok := o.ELF.SectionOf(sf); ok && o.ELF.Type != elf.ET_REL {
		p.Addr = sec.Addr/pageSize*pageSize + lowOffset
	}
	wrap := generator.WrapExec // the dynamic symbols of a shared object are not needed
	if o.ELF.Type == elf.ET_REL {
		wrap = generator.WrapRel
	}
	return func(s Section) []byte {
		if len(s.Bytes) < model.HeaderSize {
			return nil
		}
		p.Style.Tail = uint32(len(s.Bytes) - model.HeaderSize)
		w, err := wrap(&p)
		if err != nil {
			return nil
		}
		copy(w.Bytes[w.Offset:], s.Bytes)
		patcher{w.Bytes, order(p.BigEndian)}.put(elf64.EhdrType, uint64(o.ELF.Type))
		return w.Bytes
	}
}

func order(big bool) binary.ByteOrder {
	if big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}
