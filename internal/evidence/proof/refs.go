package proof

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// refs are what the code of some ranges refers to.
type refs struct {
	calls  []call
	edges  []edge
	falls  []edge    // a range ends where the other one starts, and goes on there
	tables []address // that may be the start of a table
	taken  []int32   // ranges whose address the code has
}

// call is a call of a range.
type call struct {
	to     int32
	middle bool
	at     uint64 // of the call; of the offset in the range, if that is in the middle
}

func (r *refs) edge(e edge) {
	if len(r.edges) < maxEdges {
		r.edges = append(r.edges, e)
	}
}

func (r *refs) table(a address) {
	if len(r.tables) < maxStarts {
		r.tables = append(r.tables, a)
	}
}

// sweptAtOnce is the number of ranges that a goroutine sweeps at a time.
const sweptAtOnce = 256

// worth is the number of bytes of code from which on a goroutine is worth it.
const worth = 1 << 20

// Workers returns the number of goroutines that the size of the ranges' code justifies.
func (t *Tracker) Workers() int {
	sum := uint64(0)
	for _, r := range t.ranges {
		sum += r.End - r.Start
	}
	return int(min(sum/worth+1, uint64(runtime.GOMAXPROCS(0))))
}

// sweep looks at all code once, and joins the ranges that are parts of one function. The result does not
// depend on the number of workers: what each piece of the ranges refers to is recorded in their order.
func (t *Tracker) sweep(workers int) {
	var all refs
	pieces := (len(t.order) + sweptAtOnce - 1) / sweptAtOnce
	t.sweeper = newSweeper(t)
	t.sweepAtOnce(workers, pieces, &all)
	if t.img.err != nil {
		return
	}
	t.tables = all.tables
	slices.SortFunc(t.tables, func(a, b address) int { return a.compare(b) })
	t.tables = slices.Compact(t.tables)
	for i := range t.facts {
		f := &t.facts[i]
		if f.joined && f.evidence&(entered&^Taken) == Symbol && !t.named(int32(i)) {
			f.evidence &^= Symbol
		}
		// The address of a part of a function that a "goto *" leads to is taken, too.
		if f.joined && f.evidence&entered == Taken && !t.named(int32(i)) {
			f.evidence &^= Taken
			f.label = true
		}
	}
	t.join(all.edges, all.falls)
}

// sweepAtOnce sweeps the pieces with as many goroutines.
func (t *Tracker) sweepAtOnce(workers, pieces int, all *refs) {
	var next atomic.Int64
	var mu sync.Mutex
	recorded, later := 0, map[int]*refs{} // pieces before which others are missing
	var free []refs                       // to be used again
	work := func(w *sweeper) {
		for k := int(next.Add(1)) - 1; k < pieces && !t.img.ended(); k = int(next.Add(1)) - 1 {
			if err := w.sweep(k); err != nil {
				t.img.fail(err)
				break
			}
			found := w.refs
			mu.Lock()
			later[k] = &found
			for ; later[recorded] != nil; recorded++ {
				t.record(later[recorded], all)
				free = append(free, *later[recorded])
				delete(later, recorded)
			}
			if w.refs = (refs{}); len(free) > 0 {
				w.refs, free = free[len(free)-1], free[:len(free)-1]
			}
			mu.Unlock()
		}
	}
	t.spread(workers, t.sweeper, work)
}

// spread calls work for as many sweepers at once. That of a single one is first, if it is not nil.
func (t *Tracker) spread(workers int, first *sweeper, work func(*sweeper)) {
	if workers <= 1 {
		if first == nil {
			first = newSweeper(t)
		}
		work(first)
		return
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { work(newSweeper(t)) })
	}
	wg.Wait()
}

// record adds what the code of a piece refers to, and forgets it.
func (t *Tracker) record(r, all *refs) {
	for _, c := range r.calls {
		f := &t.facts[c.to]
		if !c.middle {
			f.evidence |= Called
			if f.at == 0 {
				f.at = c.at
			}
		} else if off, offs := uint32(c.at), t.middle[c.to]; len(t.middle) < maxMiddle && len(offs) < 64 && !slices.Contains(offs, off) {
			if t.middle == nil {
				t.middle = map[int32][]uint32{}
			}
			t.middle[c.to] = append(offs, off)
		}
	}
	for _, e := range r.edges {
		switch {
		case e.start:
			t.facts[e.to].joined = true
		case !e.pad:
			t.facts[e.from].joined = true
		}
		all.edge(e)
	}
	all.falls = append(all.falls, r.falls...)
	for _, a := range r.tables {
		all.table(a)
	}
	for _, x := range r.taken {
		t.facts[x].evidence |= Taken
	}
	r.reset()
}

func (r *refs) reset() {
	r.calls, r.edges, r.falls, r.tables, r.taken = r.calls[:0], r.edges[:0], r.falls[:0], r.tables[:0], r.taken[:0]
}
