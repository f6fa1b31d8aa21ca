package shrink

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// edit cuts bytes out of a section and corrects counts and offsets: what was
// wrong with them stays as wrong as it was.
type edit struct {
	s      *model.Section
	b      []byte // fields are set here, before bytes are cut
	cuts   []model.Span
	linked bool // the start fields hold the functions' starts

	fdes, fres uint32 // how many are cut
}

func newEdit(s *model.Section, relocatable bool) *edit {
	return &edit{s: s, b: s.Bytes(model.Span{Len: s.Size()}), linked: !relocatable}
}

func (e *edit) cut(sp model.Span) {
	if sp = sp.Clip(int64(len(e.b))); sp.Len > 0 {
		e.cuts = append(e.cuts, sp)
	}
}

// put sets a field if it is in the section.
func (e *edit) put(sp model.Span, v uint64) {
	if sp.Len == 0 || sp.Off < 0 || sp.End() > int64(len(e.b)) {
		return
	}
	number.Put(e.s.ByteOrder(), e.b[sp.Off:sp.End()], v)
}

// mover returns a function that maps offsets to those after the cuts, which
// must be in order.
func (e *edit) mover() func(int64) int64 {
	before := make([]int64, len(e.cuts)+1) // bytes cut before each cut
	for k, c := range e.cuts {
		before[k+1] = before[k] + c.Len
	}
	return func(off int64) int64 {
		k, _ := slices.BinarySearchFunc(e.cuts, off, func(c model.Span, off int64) int { return cmp.Compare(c.Off, off) })
		n := off - before[k]
		if k > 0 && e.cuts[k-1].End() > off {
			n += e.cuts[k-1].End() - off
		}
		return n
	}
}

// finish corrects the fields and returns what is left, with the cuts in order
// and joined.
func (e *edit) finish() ([]byte, []model.Span) {
	e.join()
	h, moved := e.s.Header(), e.mover()
	fre := e.s.HeaderEnd() + int64(h.FREOff)
	end := moved(e.s.HeaderEnd())
	header := func(f model.HeaderField, v uint64) { e.put(f.Span(), v) }
	header(model.HdrNumFDEs, uint64(h.NumFDEs-min(h.NumFDEs, e.fdes)))
	header(model.HdrNumFREs, uint64(h.NumFREs-min(h.NumFREs, e.fres)))
	header(model.HdrFDEOff, uint64(moved(e.s.HeaderEnd()+int64(h.FDEOff))-end))
	header(model.HdrFREOff, uint64(moved(fre)-end))
	header(model.HdrFRELen, uint64(moved(fre+int64(h.FRELen))-moved(fre)))
	for i := range e.s.NumFDEs() {
		f := e.s.FDE(i)
		e.put(f.FieldSpan(model.FDEStartFREOff), uint64(moved(fre+int64(f.StartFREOff()))-moved(fre)))
		start := f.FieldSpan(model.FDEStart)
		if e.linked && h.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0 && e.s.Version() != model.SFRAME_VERSION_1 {
			e.put(start, uint64(f.RawStart()+start.Off-moved(start.Off)))
		}
	}
	return e.remaining(), e.cuts
}

// join puts the cuts in order and joins those that touch.
func (e *edit) join() {
	slices.SortFunc(e.cuts, func(a, b model.Span) int { return cmp.Compare(a.Off, b.Off) })
	var all []model.Span
	for _, c := range e.cuts {
		if n := len(all); n > 0 && all[n-1].End() >= c.Off {
			all[n-1].Len = max(all[n-1].End(), c.End()) - all[n-1].Off
			continue
		}
		all = append(all, c)
	}
	e.cuts = all
}

func (e *edit) remaining() []byte {
	out, at := make([]byte, 0, len(e.b)), int64(0)
	for _, c := range e.cuts {
		out = append(out, e.b[at:c.Off]...)
		at = c.End()
	}
	return append(out, e.b[at:]...)
}

// dataSpan returns the bytes that an FDE has in the FRE sub-section.
func dataSpan(f model.FDE) model.Span {
	sp := f.FRESpan()
	if attr := f.AttrSpan(); attr.Len > 0 {
		sp = model.Span{Off: attr.Off, Len: max(sp.End(), attr.End()) - attr.Off}
	}
	return sp
}

// functions cuts n FDEs and their FREs, except FREs that other FDEs share.
func (e *edit) functions(at, n int) {
	size := int64(len(e.b))
	kept := make([]bool, size)
	for i := range e.s.NumFDEs() {
		if i < at || i >= at+n {
			sp := dataSpan(e.s.FDE(i)).Clip(size)
			for k := sp.Off; k < sp.End(); k++ {
				kept[k] = true
			}
		}
	}
	for i := at; i < at+n; i++ {
		f := e.s.FDE(i)
		e.cut(f.Span())
		e.fdes++
		e.fres += f.ClaimedFREs()
		if sp := dataSpan(f).Clip(size); !slices.Contains(kept[sp.Off:max(sp.Off, sp.End())], true) {
			e.cut(sp)
		}
	}
}

// rows cuts n FREs of an FDE.
func (e *edit) rows(f model.FDE, at, n int) {
	if n > 0 {
		from, to := f.FRE(at).Span().Off, f.FRE(at+n-1).Span().End() // one follows the other
		e.cut(model.Span{Off: from, Len: to - from})
	}
	e.fres += uint32(n)
	e.put(f.FieldSpan(model.FDENumFREs), uint64(f.ClaimedFREs())-uint64(n))
}

// words cuts n data words of an FRE.
func (e *edit) words(r model.FRE, at, n int) {
	for k := at; k < at+n; k++ {
		e.cut(r.WordSpan(k))
	}
	count := uint8(r.NumWords()-n) << model.FREInfoCountShift
	e.put(r.InfoSpan(), uint64(r.Info()&^uint8(model.MaxWords<<model.FREInfoCountShift)|count))
}

// aux cuts the auxiliary header.
func (e *edit) aux() {
	e.cut(e.s.AuxSpan())
	e.put(model.HdrAuxLen.Span(), 0)
}
