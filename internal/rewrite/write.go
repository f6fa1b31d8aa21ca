package rewrite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/sframe-lint/sframe-lint/model"
)

// ByteOrder is a byte order that appends.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

func (b *builder) order() byteOrder {
	if b.pieces[0].BigEndian() {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// write writes header, FDEs and FREs.
func (b *builder) write() error {
	fdes := int64(len(b.written)) * int64(b.info.FDESize)
	size := model.HeaderSize + fdes + int64(len(b.fres))
	if size > math.MaxInt32 || b.numFREs > math.MaxUint32 {
		return errors.New("the FDEs do not fit a section")
	}
	h, o := &b.head, b.order()
	h.AuxLen, h.NumFDEs, h.NumFREs = 0, uint32(len(b.written)), uint32(b.numFREs)
	h.FRELen, h.FDEOff, h.FREOff = uint32(len(b.fres)), 0, uint32(fdes)
	out := make([]byte, 0, size)
	out = o.AppendUint16(out, model.SFRAME_MAGIC)
	out = append(out, byte(h.Version), byte(h.Flags), byte(h.ABI), byte(h.FixedFPOffset), byte(h.FixedRAOffset), 0)
	for _, v := range []uint32{h.NumFDEs, h.NumFREs, h.FRELen, h.FDEOff, h.FREOff} {
		out = o.AppendUint32(out, v)
	}
	if b.Relocatable {
		b.res.Fields = make(map[int64]int64, len(b.written))
	}
	for i := range b.written {
		var err error
		if out, err = b.fde(out, &b.written[i]); err != nil {
			e := b.entries[b.written[i].from]
			return fmt.Errorf("%sFDE %d: %w", b.where(int(e.piece)), e.fde, err)
		}
	}
	b.res.Data = append(out, b.fres...)
	return b.decode()
}

// fde appends an FDE.
func (b *builder) fde(out []byte, w *written) ([]byte, error) {
	e := b.entries[w.from]
	p := &b.pieces[e.piece]
	f := p.FDE(int(e.fde))
	at := int64(len(out))
	raw := f.RawStart()
	if b.Relocatable {
		_, field := p.start(&f)
		b.res.Fields[field] = at
	} else {
		raw = int64(e.start - b.pieces[0].Addr() - b.move)
		if b.head.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0 {
			raw -= at
		}
	}
	o := b.order()
	if b.info.StartWidth == 8 {
		out = o.AppendUint64(out, uint64(raw))
	} else {
		if raw != int64(int32(raw)) {
			return nil, fmt.Errorf("the function is %d bytes away; the start field has 4 bytes", raw)
		}
		out = o.AppendUint32(out, uint32(raw))
	}
	out = o.AppendUint32(out, w.size)
	out = o.AppendUint32(out, w.off)
	if b.info.AttrSize > 0 {
		return out, nil
	}
	out = o.AppendUint32(out, w.count)
	out = append(out, w.info)
	if b.info.Stubs {
		out = append(out, w.rep, 0, 0)
	}
	return out, nil
}

// decode decodes what was written.
func (b *builder) decode() error {
	s, err := decode(b.res.Data, b.pieces[0].Addr()+b.move, b.Relocatable)
	if err != nil {
		return err
	}
	if s.Size() != int64(len(b.res.Data)) || s.NumFDEs() != len(b.written) {
		return errors.New("it has other sub-sections")
	}
	b.res.Section = s
	return nil
}
