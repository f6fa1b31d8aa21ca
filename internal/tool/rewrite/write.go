// Package rewrite rewrites the SFrame sections of a file: it merges concatenated sections, converts them to another
// version, and omits unused data. It shares no code with the generator, so each can check the other.
//
// [Split] finds the sections in the bytes of one, [Build] writes them as one section, and [Edits] returns the changes
// of the file. Build decodes its output and compares it with the given sections, FDE by FDE and FRE by FRE.
package rewrite

import (
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"math"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

func (b *builder) order() number.ByteOrder { return number.Order(b.big) }

// prepare makes room for the section, and finds the FREs that FDEs share.
func (b *builder) prepare() error {
	fres, old := int64(0), int64(0)
	for i := range b.pieces {
		fres += b.pieces[i].FRESubsection().Len
		old += b.pieces[i].Size()
		if b.sharesAll() {
			continue
		}
		if err := b.findShared(i); err != nil {
			return err
		}
	}
	n := int64(len(b.entries))
	if b.Relocatable {
		if err := b.spend(n * fieldCost); err != nil {
			return err
		}
		b.res.Fields = make(map[int64]int64, n)
	}
	b.base = b.info.HeaderSize + int(n)*b.info.FDESize
	size := max(int64(b.base)+n*int64(b.info.AttrSize)+fres, b.room)
	if size > math.MaxInt32 {
		size = math.MaxInt32 // most FDEs may share their FREs
	}
	if err := b.spend(max(size-max(old, b.room), 0)); err != nil {
		return err
	}
	b.out = make([]byte, b.base, max(size, int64(b.base)))
	b.begins = make([]uint64, (n+63)/64)
	return nil
}

// sharesAll reports whether all FDEs with the same FREs share them; shared then has FREs by hash. Otherwise only FDEs that
// shared before do, and shared has them by piece and offset. Only version 3 shares attributes: readers of others may reject
// repeated offsets. ld 2.47 reserves room for shared FREs of a relocatable file once but writes them for each FDE.
func (b *builder) sharesAll() bool { return b.Narrow && b.info.AttrSize > 0 && !b.Relocatable }

// findShared notes the FREs of a piece that more than one FDE has.
func (b *builder) findShared(piece int) error {
	p, last, increasing := &b.pieces[piece], int64(-1), true
	for k := 0; k < p.NumFDEs() && increasing; k++ {
		f := p.FDE(k)
		increasing, last = int64(f.StartFREOff()) > last, int64(f.StartFREOff())
	}
	if increasing {
		return nil
	}
	n := int64(p.NumFDEs())
	if err := b.spend(4 * n); err != nil {
		return err
	}
	defer b.free(4 * n)
	all := make([]uint32, n)
	for k := range all {
		f := p.FDE(k)
		all[k] = uint32(f.StartFREOff())
	}
	slices.Sort(all)
	for k := 1; k < len(all); k++ {
		if all[k] == all[k-1] && (k == 1 || all[k] != all[k-2]) {
			if err := b.spend(sharedCost); err != nil {
				return err
			}
			b.shared[uint64(piece)<<32|uint64(all[k])] = written{}
		}
	}
	return nil
}

// add writes the FDE of an entry and its FREs, unless other ones stand for it.
func (b *builder) add(i int) error {
	e := b.entries[i]
	p, piece, k := b.at(e)
	f := p.FDE(k)
	if int64(f.ClaimedFREs()) != int64(f.NumFREs()) {
		return fmt.Errorf("%d of its %d FREs can be decoded", f.NumFREs(), f.ClaimedFREs())
	}
	w := written{size: f.Size(), done: true}
	if err := b.encode(&f, &w); err != nil {
		return err
	}
	start, field := p.start(&f)
	if b.covered(&w, start) {
		return nil
	}
	b.begins[i/64] |= 1 << (i % 64)
	if err := b.place(&w, uint64(piece)<<32|uint64(uint32(f.StartFREOff()))); err != nil {
		return err
	}
	b.numFREs += uint64(w.count)
	return b.fde(&w, f.RawStart(), start, field)
}

// place writes the FREs of an FDE, which are in buf, unless they are there already. key is
// the piece and the offset that they come from.
func (b *builder) place(w *written, key uint64) error {
	if b.sharesAll() {
		h := fnv.New64a()
		h.Write(b.buf)
		key = h.Sum64()
	}
	old, shared := b.shared[key]
	shared = shared && len(b.buf) > 0 // an FDE without FREs has none to share
	if shared && old.done && old.same(w) && string(b.fres(&old)) == string(b.buf) {
		w.off = old.off
		b.res.Shared++
		b.res.sharedBytes += int64(w.len)
		return nil
	}
	if len(b.out)-b.base+len(b.buf) > math.MaxInt32 {
		return errors.New("the FREs do not fit a section")
	}
	w.off = uint32(len(b.out) - b.base)
	if err := b.grow(len(b.buf)); err != nil {
		return err
	}
	b.out = append(b.out, b.buf...)
	if b.sharesAll() && !shared {
		if err := b.spend(sharedCost); err != nil {
			return err
		}
		shared = true
	}
	if shared {
		b.shared[key] = *w
	}
	return nil
}

// grow makes room for more FREs.
func (b *builder) grow(n int) error {
	if len(b.out)+n <= cap(b.out) {
		return nil
	}
	old := cap(b.out)
	more := old/4 + n
	if err := b.spend(int64(old + more)); err != nil { // both are held for a moment
		return err
	}
	b.out = append(make([]byte, 0, old+more), b.out...)
	b.free(int64(old))
	return nil
}

// fres returns the FREs of an FDE that was written.
func (b *builder) fres(w *written) []byte { return b.out[b.base+int(w.off):][:w.len] }

// same reports whether the FREs of two FDEs are read alike.
func (w *written) same(x *written) bool {
	return w.len == x.len && w.count == x.count && w.info == x.info && w.info2 == x.info2 && w.rep == x.rep
}

// covered reports whether the FDE before the one in buf says the same of the same
// function, as after a linker has folded functions, or can also stand for its stubs.
func (b *builder) covered(w *written, start uint64) bool {
	if b.Relocatable || b.num == 0 {
		return false
	}
	last := &b.last
	if !last.same(w) || string(b.fres(last)) != string(b.buf) {
		return false
	}
	switch {
	case b.start == start && last.size == w.size:
		b.res.Repeated++
	case b.Narrow && w.info&model.InfoPCTypeBit != 0 && w.rep != 0 && last.size%uint32(w.rep) == 0 &&
		b.start+uint64(last.size) == start && uint64(last.size)+uint64(w.size) <= math.MaxUint32:
		last.size += w.size
		at := b.info.HeaderSize + (b.num-1)*b.info.FDESize + b.info.StartWidth
		b.order().PutUint32(b.out[at:], last.size)
		b.res.Joined++
	default:
		return false
	}
	return true
}

// fde writes an FDE, whose FREs are written. raw is the start field of a relocatable file, and field the offset of its start field in the
// joined bytes.
func (b *builder) fde(w *written, raw int64, start uint64, field int64) error {
	at := b.info.HeaderSize + b.num*b.info.FDESize
	if b.Relocatable {
		b.res.Fields[field] = int64(at)
	} else {
		raw = int64(start - b.addr)
		if b.head.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0 {
			raw -= int64(at)
		}
	}
	o, out := b.order(), b.out[at:at:at+b.info.FDESize]
	if b.info.StartWidth == 8 {
		out = o.AppendUint64(out, uint64(raw))
	} else {
		if raw != int64(int32(raw)) {
			return fmt.Errorf("the function is %d bytes away; the start field has 4 bytes", raw)
		}
		out = o.AppendUint32(out, uint32(raw))
	}
	out = o.AppendUint32(out, w.size)
	out = o.AppendUint32(out, w.off)
	if b.info.AttrSize == 0 {
		out = o.AppendUint32(out, w.count)
		out = append(out, w.info)
		if b.info.Stubs {
			_ = append(out, w.rep, 0, 0)
		}
	}
	b.last, b.start = *w, start
	b.num++
	return nil
}

// finish writes the header, and decodes the section.
func (b *builder) finish() error {
	if err := b.fill(); err != nil {
		return err
	}
	b.res.Data = b.out
	return b.decode()
}

// fill writes the header, and moves the FREs to the end of the FDEs.
func (b *builder) fill() error {
	fdes, fres := b.num*b.info.FDESize, len(b.out)-b.base
	if int64(b.info.HeaderSize)+int64(fdes)+int64(fres) > math.MaxInt32 || b.numFREs > math.MaxUint32 {
		return errors.New("the FDEs do not fit a section")
	}
	if end := b.info.HeaderSize + fdes; end < b.base {
		copy(b.out[end:], b.out[b.base:])
		b.out = b.out[:end+fres]
	}
	h := &b.head
	h.AuxLen, h.NumFDEs, h.NumFREs = 0, uint32(b.num), uint32(b.numFREs)
	h.FRELen, h.FDEOff, h.FREOff = uint32(fres), 0, uint32(fdes)
	for f := range b.info.HeaderFields() {
		number.Put(b.order(), b.out[f.Span().Off:f.Span().End()], h.Value(f))
	}
	return nil
}

// decode decodes what was written.
func (b *builder) decode() error {
	s, err := decode(b.res.Data, b.addr, b.Relocatable)
	if err != nil {
		return err
	}
	if s.Size() != int64(len(b.res.Data)) || s.NumFDEs() != b.num {
		return errors.New("it has other sub-sections")
	}
	b.res.Section, b.res.FDEs = s, s.NumFDEs()
	return nil
}

// verify compares the section that was written with the sections that it stands for.
func (b *builder) verify() error {
	n := -1 // of the FDE that was written
	for i, e := range b.entries {
		if b.begins[i/64]>>(i%64)&1 != 0 {
			n++
		}
		g := b.res.Section.FDE(n)
		p, piece, k := b.at(e)
		f := p.FDE(k)
		if err := b.equal(&f, &g, b.startOf(e)); err != nil {
			return fmt.Errorf("%sFDE %d: %w", b.pieceName(piece), k, err)
		}
	}
	return nil
}

// equal returns an error unless g says of the function of f what f says.
func (b *builder) equal(f, g *model.FDE, start uint64) error {
	off := uint64(0)
	if !b.Relocatable {
		off = start - g.Start()
	}
	switch {
	case off+uint64(f.Size()) > uint64(g.Size()):
		return fmt.Errorf("the function at 0x%x is not covered", start)
	case f.PCType() != g.PCType() || f.RepSize() != g.RepSize() || f.Signal() != g.Signal() || f.PauthKey() != g.PauthKey():
		return fmt.Errorf("its attributes differ")
	case off > 0 && (!f.Mask() || off%uint64(max(f.RepSize(), 1)) != 0):
		return fmt.Errorf("the function at 0x%x starts in another one", start)
	}
	next, stop := iter.Pull(stretches(g))
	defer stop()
	for x := range stretches(f) {
		if y, ok := next(); !ok || x != y {
			return fmt.Errorf("the FRE at +0x%x differs", x.start)
		}
	}
	if y, ok := next(); ok {
		return fmt.Errorf("the FRE at +0x%x is new", y.start)
	}
	return nil
}

// stretch is a run of PCs with the same recovery rules.
type stretch struct {
	start   uint32
	row     model.Row
	mangled bool
}

// stretches visits the runs of PCs of an FDE.
func stretches(f *model.FDE) iter.Seq[stretch] {
	return func(yield func(stretch) bool) {
		var prev stretch
		for r := range f.FREs() {
			x := stretch{r.Start(), r.Row(), r.MangledRA()}
			if r.Index() > 0 && x.row == prev.row && x.mangled == prev.mangled && x.start >= prev.start {
				continue
			}
			prev = x
			if !yield(x) {
				return
			}
		}
	}
}
