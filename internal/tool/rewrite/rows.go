package rewrite

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// fre is an FRE on its way: its start and its data words.
type fre struct {
	start uint32
	bits  uint8 // base and mangled RA, in their places of the info byte
	size  model.WordSize
	model.Words
}

// encode writes the FREs of an FDE, with the attribute of version 3, into buf.
func (b *builder) encode(f *model.FDE, w *written) error {
	w.info, w.rep, w.count = f.Info()&^(b.info.Reserved|f.Section().Version().Info().Reserved), f.RepSize(), f.ClaimedFREs()
	if b.info.Flex {
		w.info2 = uint8(f.Type())
	}
	v := f.Section().Version()
	switch {
	case f.Signal() && !b.info.Signal:
		return fmt.Errorf("version %d has no signal frames", b.head.Version)
	case f.Mask() && v != b.head.Version && !(b.info.Stubs && v.Info().Stubs):
		return fmt.Errorf("PC type MASK, but version %d has no sfde_func_rep_size", min(v, b.head.Version))
	}
	b.buf = append(b.buf[:0], make([]byte, b.info.AttrSize)...)
	if err := b.rows(f, w); err != nil {
		return err
	}
	if err := b.attribute(w); err != nil {
		return err
	}
	b.res.FREs += f.NumFREs() - int(w.count)
	return nil
}

// attribute writes the attribute of version 3 before the FREs in buf.
func (b *builder) attribute(w *written) error {
	if w.count > b.info.MaxFREs {
		return fmt.Errorf("it has %d FREs, and version %d can count %d", w.count, b.head.Version, b.info.MaxFREs)
	}
	if b.info.AttrSize > 0 {
		b.order().PutUint16(b.buf, uint16(w.count))
		b.buf[2], b.buf[3], b.buf[4] = w.info, w.info2, w.rep
	}
	w.len = uint32(len(b.buf))
	return nil
}

// rows writes the FREs: as they are, or one by one where they change.
func (b *builder) rows(f *model.FDE, w *written) error {
	if f.NumFREs() == 0 {
		if b.Narrow {
			w.info &^= model.InfoFRETypeMask
		}
		if v := f.Section().Version(); v != b.head.Version && v.Info().OutermostFDE != b.info.OutermostFDE {
			return fmt.Errorf("it has no FREs, which version %d does not define", min(v, b.head.Version))
		}
		return nil
	}
	fresh := b.needsNewWords(f)
	if !fresh && !b.Narrow {
		b.buf = append(b.buf, f.Section().Bytes(f.FRESpan())...)
		return nil
	}
	types := []model.FDEType{f.Type()}
	if fresh || f.Flex() {
		types = b.types()
	}
	begin := len(b.buf)
	var err error
	for _, t := range types {
		x := *w
		b.buf = b.buf[:begin]
		if err = b.rowsOf(f, &x, t, fresh || t != f.Type()); err == nil {
			*w = x
			return nil
		}
	}
	return err
}

// types returns the FDE types of the version, the one to try first.
func (b *builder) types() []model.FDEType {
	if b.info.Flex {
		return []model.FDEType{model.SFRAME_FDE_TYPE_DEFAULT, model.SFRAME_FDE_TYPE_FLEX}
	}
	return []model.FDEType{model.SFRAME_FDE_TYPE_DEFAULT}
}

// needsNewWords reports whether the data words of an FDE have another form in the new version.
func (b *builder) needsNewWords(f *model.FDE) bool {
	from := f.Section().Version().Info()
	return f.Flex() && !b.info.Flex ||
		from.WordRegs != b.info.WordRegs && f.Section().ABI().LSBRegs ||
		from.Errata2 && !b.info.Errata2
}

// rowsOf writes the FREs one by one, for an FDE type. With fresh, the data words are made
// of the recovery rules.
func (b *builder) rowsOf(f *model.FDE, w *written, t model.FDEType, fresh bool) error {
	width := f.FREType()
	if b.Narrow {
		last := uint32(0)
		if err := b.each(f, t, fresh, func(x *fre) { last = max(last, x.start) }); err != nil {
			return err
		}
		width = model.FRETypeFor(last)
	}
	w.info = w.info&^model.InfoFRETypeMask | uint8(width)
	if b.info.Flex {
		w.info2 = uint8(t)
	}
	w.count = 0
	return b.each(f, t, fresh, func(x *fre) {
		w.count++
		b.fre(x, width)
	})
}

// fre writes an FRE into buf.
func (b *builder) fre(x *fre, width model.FREType) {
	b.buf = b.append(b.buf, uint64(x.start), width.Width())
	b.buf = append(b.buf, x.bits|uint8(x.N)<<model.FREInfoCountShift|uint8(x.size)<<model.FREInfoSizeShift)
	for _, v := range x.Word[:x.N] {
		b.buf = b.append(b.buf, uint64(v), x.size.Width())
	}
}

// each yields the FREs of an FDE as they are written. With Narrow, those are left out that say what
// the one before says.
func (b *builder) each(f *model.FDE, t model.FDEType, fresh bool, yield func(*fre)) error {
	var last fre
	some := false
	for r := range f.FREs() {
		x, err := b.row(r, t, fresh)
		if err != nil {
			return fmt.Errorf("FRE %d: %w", r.Index(), err)
		}
		if some && b.Narrow && last.Words == x.Words && last.bits == x.bits {
			continue
		}
		last, some = x, true
		yield(&last)
	}
	return nil
}

// append appends a number of 1, 2 or 4 bytes.
func (b *builder) append(buf []byte, v uint64, width int) []byte {
	switch width {
	case 1:
		return append(buf, byte(v))
	case 2:
		return b.order().AppendUint16(buf, uint16(v))
	}
	return b.order().AppendUint32(buf, uint32(v))
}

// row returns an FRE.
func (b *builder) row(r model.FRE, t model.FDEType, fresh bool) (fre, error) {
	x := fre{start: r.Start(), bits: r.Info() & (model.FREInfoBaseBit | model.FREInfoMangledBit), size: r.WordSize()}
	if fresh {
		var err error
		if x.Words, err = b.head.Words(t, r.Row()); err != nil {
			return x, err
		}
		x.bits = x.bits&^model.FREInfoBaseBit | uint8(x.Base)
	} else {
		x.Words = r.DataWords()
	}
	if !fresh && !b.Narrow {
		return x, nil
	}
	var ok bool
	if x.size, ok = x.Words.Size(); !ok {
		return x, fmt.Errorf("its data words do not fit 4 bytes")
	}
	return x, nil
}
