package table

import (
	"errors"
	"iter"
	"slices"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
)

// point is an instruction of which the code says something.
type point struct {
	address
	state int32 // index in Table.states
}

// state is what the code says of a frame.
type state struct {
	reason        proof.Reason
	row           model.Row
	signed        bool
	sframe, other uint8 // the rules of SFrame data and CFI that it proves wrong: see proof.Point
	proven        bool  // all rules are right
}

// follow tracks the code of what is listed, except that of functions whose rows it agrees with.
func (t *Table) follow() {
	ranges := t.ranges()
	if !t.hold(int64(len(ranges)) * rangeCost) {
		return
	}
	defer t.Object.Drop(int64(len(ranges)) * rangeCost)
	k, err := proof.New(t.Object, ranges, proof.LSDAs(t.frames), func(i int, rows []proof.Row) []proof.Row {
		sframe, cfi := t.trackRows(&ranges[i])
		if rows = append(rows, sframe...); len(rows) == 0 {
			rows = append(rows, cfi...)
		}
		return rows
	})
	if err != nil {
		if !errors.Is(err, proof.ErrABI) {
			t.err = err
		}
		return
	}
	defer k.Close()
	c := &collector{t: t, known: map[state]int32{}}
	if err := k.Run(k.Workers(), c.visit); err != nil {
		t.err = err
	}
	slices.SortFunc(t.points, func(a, b point) int { return a.compare(b.address) })
	for i := range ranges {
		if k.Certified(i) {
			grow(t, &t.proven, ranges[i], provenCost)
		}
	}
}

// ranges returns the code of FDEs, that of CFI without an FDE, and what is left of the listed code.
func (t *Table) ranges() (all []proof.Range) {
	last := address{}
	for _, f := range t.fdes {
		if f.section == last.section && f.addr < last.addr && len(all) > 0 {
			continue
		}
		d := t.Object.SFrames[f.sf].Section.FDE(int(f.fde))
		all, last = append(all, proof.RangeOf(&d)), address{f.section, f.end}
	}
	// What is added at once does not overlap itself: it is looked up among what was there before.
	var new []proof.Range
	add := func(section uint32, start, end uint64) {
		p := address{section, start}
		i, exact := slices.BinarySearchFunc(all, p, func(r proof.Range, p address) int { return address{r.Place, r.Start}.compare(p) })
		before := i > 0 && all[i-1].Place == section && all[i-1].End > start
		if end > start && !exact && !before && (i == len(all) || all[i].Place != section || all[i].Start >= end) {
			new = append(new, proof.Range{Place: section, Start: start, End: end})
		}
	}
	merge := func() {
		all, new = append(all, new...), nil
		slices.SortFunc(all, func(a, b proof.Range) int { return address{a.Place, a.Start}.compare(address{b.Place, b.Start}) })
	}
	t.frames.Each(func(section uint32, start, end uint64, _ cfi.FDE) bool {
		add(section, start, end)
		return true
	})
	merge()
	for i := range t.blocks {
		if b := &t.blocks[i]; !b.gap && !t.names.areas[b.area].stub {
			add(b.section, b.addr, b.end)
		}
	}
	merge()
	return all
}

// trackRows returns the rows of SFrame data and of CFI for a range, of blocks only those of SFrame data for the first one.
func (t *Table) trackRows(r *proof.Range) (sframe, cfi []proof.Row) {
	if f, ok := t.fdeAt(address{r.Place, r.Start}); ok {
		for _, x := range t.sframeRows(f, budget.TrackRows) {
			if r.Block > 0 {
				x.Start, x.End = x.Start+r.Start, x.End+r.Start
			}
			sframe = append(sframe, x.Row)
		}
	}
	if r.Block > 0 {
		return sframe, nil
	}
	for x := range t.cfiRows(r.Place, r.Start, r.End) {
		if cfi = append(cfi, x.Row); len(cfi) == budget.TrackRows {
			break
		}
	}
	return sframe, cfi
}

// collector collects what several goroutines find.
type collector struct {
	t     *Table
	mu    sync.Mutex
	known map[state]int32
}

// visit adds what the code of a range says.
func (c *collector) visit(f *proof.Function) {
	t, r := c.t, f.Range()
	var found []point
	var what []state
	sframe, cfi := t.trackRows(&r)
	base := sframe
	if len(base) == 0 {
		base = cfi
	}
	f.Points(base, func(p *proof.Point) {
		s := state{reason: p.Reason, row: p.Row, signed: p.Signed, proven: p.Proven}
		if len(sframe) > 0 {
			s.sframe = p.Wrong
		} else {
			s.other = p.Wrong
		}
		found, what = append(found, point{address{r.Place, p.PC}, 0}), append(what, s)
	})
	if len(sframe) > 0 && len(cfi) > 0 && t.opts.CFI {
		i := 0
		f.Points(cfi, func(p *proof.Point) {
			for i < len(found) && found[i].addr < p.PC {
				i++
			}
			if i < len(found) && found[i].addr == p.PC {
				what[i].other, what[i].proven = p.Wrong, what[i].proven && p.Proven
			}
		})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !t.hold(int64(len(found)) * pointCost) {
		return
	}
	for i := range found {
		k, ok := c.known[what[i]]
		if !ok {
			k = int32(len(t.states))
			t.states = append(t.states, what[i])
			c.known[what[i]] = k
		}
		found[i].state = k
	}
	t.points = append(t.points, found...)
}

// sframeRow is a row of SFrame data for code.
type sframeRow struct {
	proof.Row
	fre  int
	off  int64 // of its bytes in the section
	size int64
}

// sframeRows returns the first rows of an FDE, at most so many; those of stubs are in offsets from the start of each.
func (t *Table) sframeRows(x fdeRange, most int) (all []sframeRow) {
	f := t.Object.SFrames[x.sf].Section.FDE(int(x.fde))
	keyB, signal := f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B, f.Signal()
	start, limit := f.Start(), uint64(f.Size())
	if f.Mask() {
		start = 0
		if rep := uint64(f.RepSize()); rep > 0 {
			limit = rep
		}
	}
	if f.Outermost() && f.NumFREs() == 0 {
		none := model.Recovery{Kind: model.Undefined}
		return append(all, sframeRow{Row: proof.Row{Row: model.Row{CFA: none, RA: none, FP: none}, Start: start, End: start + limit, Signal: signal}, fre: -1})
	}
	for r := range f.FREs() {
		at := start + min(uint64(r.Start()), limit)
		if n := len(all); n > 0 {
			if all[n-1].End = at; all[n-1].Start >= at {
				all = all[:n-1]
			}
		}
		if uint64(r.Start()) >= limit || len(all) == most {
			return all
		}
		sp := r.Span()
		all = append(all, sframeRow{proof.Row{Row: r.Row(), Start: at, End: start + limit, Signed: r.MangledRA(), KeyB: keyB, Signal: signal}, r.Index(), sp.Off, sp.Len})
	}
	return all
}

// cfiRow is a row of CFI for code.
type cfiRow struct {
	proof.Row
	says cfi.Recovered
	sign cfi.RAState
	// of the row, whose rules may depend on the PC
	fde cfi.FDE
	row cfi.Row
}

// cfiRows yields the rows of CFI from one address to another.
func (t *Table) cfiRows(section uint32, start, end uint64) iter.Seq[cfiRow] {
	return func(yield func(cfiRow) bool) {
		for pc := start; pc < end; {
			f, ok := t.frames.At(section, pc)
			if !ok {
				return
			}
			for row := range f.Rows() {
				r := cfiRow{Row: proof.Row{Start: max(row.Start, pc), End: min(row.End, end), Signal: f.CIE.Signal}, sign: row.Sign, fde: f, row: row}
				if r.Start >= r.End {
					continue
				}
				r.Signed, r.KeyB = row.Sign&cfi.RASigned != 0, f.CIE.KeyB
				r.says = f.Recover(&row, r.Start)
				if r.says.PC == 0 {
					r.Row.Row = r.says.Row
				}
				if !yield(r) {
					return
				}
			}
			if f.End() <= pc {
				return
			}
			pc = f.End()
		}
	}
}
