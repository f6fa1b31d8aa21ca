package cfi

import (
	"cmp"
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/model"
)

// interval is the code of an FDE of either kind: the PCs from start to end.
type interval struct {
	start, end uint64
	place      uint32
	section    int32 // of CFI: index in Frames.Sections
	id         int32 // of CFI: offset of the FDE; of SFrame: index of the FDE
}

const intervalSize = 32 // bytes

// intervals are a list that is being made.
type intervals struct {
	list  []interval
	mixed bool // they are not in order or overlap
}

func (l *intervals) add(v interval) {
	if n := len(l.list); n > 0 {
		last := &l.list[n-1]
		l.mixed = l.mixed || v.place < last.place || v.place == last.place && v.start < last.end
	}
	l.list = append(l.list, v)
}

// done returns the list as disjoint does.
func (l *intervals) done() []interval {
	if l.mixed {
		return disjoint(l.list)
	}
	return l.list
}

// disjoint sorts intervals by place and start, and ends each one where the
// next one starts: consumers search for the last start that is not above a
// PC. Of those that start at one place the last one remains.
func disjoint(in []interval) []interval {
	order := func(a, b interval) int { return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.start, b.start)) }
	if !slices.IsSortedFunc(in, order) {
		slices.SortStableFunc(in, order)
	}
	out := in[:0]
	for i, v := range in {
		if i+1 < len(in) && in[i+1].place == v.place {
			v.end = min(v.end, in[i+1].start)
		}
		if v.end > v.start {
			out = append(out, v)
		}
	}
	return out
}

// intervals returns the code that usable FDEs describe. Where .debug_frame
// describes the same function as .eh_frame, the latter counts.
func (f *Frames) intervals() []interval {
	f.once.Do(func() { f.index = f.findIntervals() })
	return f.index
}

// Any reports whether any code has CFI. For nil Frames, it reports false.
func (f *Frames) Any() bool { return f != nil && len(f.intervals()) > 0 }

// HasLSDAs reports whether FDEs may have LSDA pointers. For nil Frames, it reports false.
func (f *Frames) HasLSDAs() bool {
	return f != nil && slices.ContainsFunc(f.Sections, func(s Loaded) bool { return s.lsdas })
}

// At returns the FDE for the code at pc. In a relocatable file, pc is an offset in the section with index place. If
// several FDEs cover pc, At returns the one with the highest start, and among equal starts the one in .eh_frame. If f is
// nil, At returns false.
func (f *Frames) At(place uint32, pc uint64) (FDE, bool) {
	if f == nil {
		return FDE{}, false
	}
	all := f.intervals()
	i := after(all, place, pc) - 1
	if i < 0 || all[i].place != place || pc >= all[i].end {
		return FDE{}, false
	}
	return f.Sections[all[i].section].FDEAt(int64(all[i].id))
}

// RowAt returns the FDE that [Frames.At] returns, and its row for pc.
func (f *Frames) RowAt(place uint32, pc uint64) (fde FDE, row Row, ok bool) {
	if fde, ok = f.At(place, pc); ok {
		row, ok = fde.RowAt(pc)
	}
	return fde, row, ok
}

// Each calls yield for each range of code with CFI, sorted by place and address, and passes the FDE that [Frames.At]
// returns for the range. Each stops when yield returns false.
func (f *Frames) Each(yield func(place uint32, start, end uint64, fde FDE) bool) {
	for _, v := range f.intervals() {
		if fde, ok := f.Sections[v.section].FDEAt(int64(v.id)); ok && !yield(v.place, v.start, v.end, fde) {
			return
		}
	}
}

// after returns the index of the first interval that starts after a PC.
func after(all []interval, place uint32, pc uint64) int {
	return sort.Search(len(all), func(i int) bool {
		v := &all[i]
		return v.place > place || v.place == place && v.start > pc
	})
}

func (f *Frames) findIntervals() []interval {
	n := 0
	for i := range f.Sections {
		n += f.Sections[i].NumFDEs()
	}
	if !f.keep(int64(n) * intervalSize) {
		return nil
	}
	out := intervals{list: make([]interval, 0, n)}
	for _, kind := range []Format{DebugFrame, EHFrame} { // the last one remains
		for i := range f.Sections {
			if f.Sections[i].Input().Kind != kind {
				continue
			}
			damage := Damage{Section: i}
			for _, x := range f.Sections[i].Faults() {
				if !x.Code.Ends() {
					damage.add(x)
				}
			}
			f.Sections[i].intervals(&out, int32(i), &damage)
			if damage.Count > 0 {
				f.damage = append(f.damage, damage)
			}
		}
	}
	return out.done()
}

// intervals adds the code that the usable FDEs of a section describe.
func (s *Section) intervals(out *intervals, section int32, damage *Damage) {
	var h hint
	last := 0
	for off := 0; ; {
		e := s.entry(off)
		if e.kind == entryEnd {
			return
		}
		if off = e.end; e.kind != entryFDE {
			continue
		}
		d := s.decode(e, &h, &last)
		if d.Fault.Code != NoFault && d.Fault.Code != BadCIE {
			damage.add(d.Fault)
		}
		if d.Usable() && d.Size > 0 {
			out.add(interval{d.Start.Addr, d.End(), d.Start.Place, section, int32(d.Span.Off)})
		}
	}
}

// Damage counts the parts of a section that cannot be decoded.
type Damage struct {
	Section int // index in Frames.Sections
	Fault   Fault
	Count   int // number of faults; Fault is the first fault
}

func (d *Damage) add(x Fault) {
	if d.Count++; d.Count == 1 {
		d.Fault = x
	}
}

// Damage returns the parts of the sections that cannot be decoded. It leaves out the programs of FDEs, and faults
// that end a section (see [FaultCode.Ends]).
func (f *Frames) Damage() []Damage {
	f.intervals()
	return f.damage
}

// keep counts bytes of memory until the object has been visited, and reports whether the
// budget allows them.
func (f *Frames) keep(n int64) bool { return f.hold == nil || f.hold(n) == nil }

// sframeIntervals returns the code that the FDEs of a section describe, nil where the budget
// does not allow it.
func (f *Frames) sframeIntervals(s *model.Section) []interval {
	if !f.keep(int64(s.NumFDEs()) * intervalSize) {
		return nil
	}
	out := intervals{list: make([]interval, 0, s.NumFDEs())}
	for f := range s.Functions() {
		if end := f.Start + uint64(f.Size); f.Resolved && end > f.Start {
			out.add(interval{start: f.Start, end: end, place: uint32(f.Place), id: f.FDE})
		}
	}
	return out.done()
}

// sweep passes the union of two lists to visit, piece by piece in order. a or
// b is nil where only the other one covers a piece.
func sweep(as, bs []interval, visit func(a, b *interval, start, end uint64)) {
	i, j := 0, 0
	pos, place := uint64(0), uint32(0)
	for i < len(as) || j < len(bs) {
		var a, b *interval
		if i < len(as) {
			a = &as[i]
		}
		if j < len(bs) {
			b = &bs[j]
		}
		// The piece lies in the first place that is left, from pos on.
		p := firstPlace(a, b)
		if p != place {
			place, pos = p, 0
		}
		if a != nil && a.place != p {
			a = nil
		}
		if b != nil && b.place != p {
			b = nil
		}
		a, b, start, end := piece(a, b, pos)
		visit(a, b, start, end)
		pos = end
		if i < len(as) && as[i].place == place && as[i].end <= pos {
			i++
		}
		if j < len(bs) && bs[j].place == place && bs[j].end <= pos {
			j++
		}
	}
}

func firstPlace(a, b *interval) uint32 {
	switch {
	case a == nil:
		return b.place
	case b == nil:
		return a.place
	}
	return min(a.place, b.place)
}

// piece returns the next piece from pos on. Of what lies in one place, a or b
// may be nil, and both end after pos.
func piece(a, b *interval, pos uint64) (ina, inb *interval, start, end uint64) {
	switch {
	case b == nil:
		return a, nil, max(a.start, pos), a.end
	case a == nil:
		return nil, b, max(b.start, pos), b.end
	}
	sa, sb := max(a.start, pos), max(b.start, pos)
	switch {
	case sa < sb:
		return a, nil, sa, min(a.end, sb)
	case sb < sa:
		return nil, b, sb, min(b.end, sa)
	}
	return a, b, sa, min(a.end, b.end)
}
