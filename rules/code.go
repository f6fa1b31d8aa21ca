package rules

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// CodeProofs gives a rule the [*prereq.Proofs]: what machine code proves about the section's functions.
var CodeProofs = prereq.OfSection("code_proofs", "what machine code proves of FREs and of call frame information", func(pass *analysis.Pass) *prereq.Proofs {
	facts, bounds := pass.ResultOf[Known].(*Facts), pass.ResultOf[Bounds].(*Limits)
	p := &prereq.Proofs{CFI: func() *proof.Found { return nil }}
	if facts.obj.ELF == nil || facts.sf.Section.NumFDEs() == 0 || facts.beyondCode(bounds) != nil {
		return p
	}
	frames := prereq.Get[*cfi.Frames](pass, CallFrames)
	fs := trackedFDEs(facts.sf.Section)
	j := &judging{all: fs, frames: frames}
	p.FREs = fs.proofs(facts.obj, proof.Functions{Rows: fs.rows, Frames: frames, Exits: true, Open: j.open})
	j.untracked(p.FREs != nil)
	facts.judged = j.sum(facts.sf.Name, facts.obj.Address)
	if frames != nil {
		p.CFI = sync.OnceValue(func() *proof.Found {
			fs := trackedFDEs(facts.sf.Section)
			return fs.proofs(facts.obj, proof.Functions{Rows: fs.rowsOf(frames), Frames: frames})
		})
	}
	return p
}, Known, Bounds, CallFrames)

// proofs follows the code of the functions.
func (all *fdes) proofs(obj *reader.Object, fs proof.Functions) *proof.Found {
	fs.Ranges = all.ranges
	found, err := proof.Of(obj, fs)
	if err != nil && found == nil {
		return nil // nothing was found before
	}
	all.name(found)
	return found
}

// rowsOf returns what appends the rows of a function's call frame information.
func (all *fdes) rowsOf(frames *cfi.Frames) func(int, []proof.Row) []proof.Row {
	return func(i int, rows []proof.Row) []proof.Row {
		f := all.at(i)
		for pc := f.Start(); pc < f.End(); {
			fde, ok := frames.At(uint32(f.Place()), pc)
			if !ok {
				break
			}
			rows = proof.CFIRows(&fde, pc, f.End(), rows)
			pc = fde.End()
		}
		return rows
	}
}

// fdes are FDEs whose functions are tracked, by their numbers: a section may have very many.
type fdes struct {
	s       *model.Section
	numbers []int32
	ranges  []proof.Range
	known   []atomic.Pointer[proof.Row] // by a hash of the key; nil: not worth it
}

// knownBits is the number of bits that the hash of a key has.
const knownBits = 8

func (all *fdes) at(i int) model.FDE { return all.s.FDE(int(all.numbers[i])) }

// trackedFDEs returns the FDEs of ordinary functions that share no bytes with others.
func trackedFDEs(s *model.Section) *fdes {
	n := s.NumFDEs()
	all := &fdes{s: s, numbers: make([]int32, 0, n), ranges: make([]proof.Range, 0, n)}
	for f := range s.FDEs() {
		if f.Resolved() && f.Size() > 0 && f.End() > f.Start() {
			all.numbers, all.ranges = append(all.numbers, int32(f.Index())), append(all.ranges, proof.RangeOf(&f))
		}
	}
	if !slices.IsSortedFunc(all.ranges, byStart) {
		slices.SortStableFunc(all.numbers, func(i, j int32) int {
			a, b := s.FDE(int(i)), s.FDE(int(j))
			return byStart(proof.RangeOf(&a), proof.RangeOf(&b))
		})
		for i := range all.numbers {
			f := all.at(i)
			all.ranges[i] = proof.RangeOf(&f)
		}
	}
	kept, end := 0, uint64(0) // of the ranges so far
	for i, r := range all.ranges {
		if i > 0 && r.Place != all.ranges[i-1].Place {
			end = 0
		}
		shared := r.Start < end
		if i+1 < len(all.ranges) {
			next := &all.ranges[i+1]
			shared = shared || next.Place == r.Place && next.Start < r.End
		}
		end = max(end, r.End)
		if !shared {
			all.numbers[kept], all.ranges[kept] = all.numbers[i], r
			kept++
		}
	}
	all.numbers, all.ranges = all.numbers[:kept], all.ranges[:kept]
	if kept > 1<<knownBits {
		all.known = make([]atomic.Pointer[proof.Row], 1<<knownBits)
	}
	return all
}

func byStart(a, b proof.Range) int {
	return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Start, b.Start))
}

// rows appends the FREs of a function. Those of stubs are SF6018's.
func (all *fdes) rows(i int, rows []proof.Row) []proof.Row {
	f := all.at(i)
	if f.Mask() {
		return rows
	}
	keyB, signal := f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B, f.Signal()
	if f.Outermost() && !signal {
		none := model.Recovery{Kind: model.Undefined}
		return append(rows, proof.Row{Row: model.Row{CFA: none, RA: none, FP: none}, Start: f.Start(), End: f.End()})
	}
	first, size := len(rows), f.Size()
	// end ends the last row, and drops it if it has no code of its own.
	end := func(at uint64) {
		if n := len(rows); n > first {
			if rows[n-1].End = at; rows[n-1].Start >= at || n > 1 && rows[n-2].End > rows[n-1].Start {
				rows = rows[:n-1]
			}
		}
	}
	w := walkFREs(all.s, &f)
	for j := range f.NumFREs() {
		at, info := w.next()
		start := f.Start() + uint64(min(at, size))
		end(start)
		if at >= size || len(rows) == budget.TrackRows {
			return rows
		}
		rows = append(rows, proof.Row{Start: start, Signed: info&model.FREInfoMangledBit != 0, KeyB: keyB, Signal: signal, Key: w.key(&f, info)})
		all.row(&f, j, &w, &rows[len(rows)-1])
	}
	extent := min(f.Extent(), size)
	if f.NumFREs() != int(f.ClaimedFREs()) {
		extent = 0 // another FRE may end the last one
	}
	end(f.Start() + uint64(extent))
	return rows
}

// key returns the [proof.Row.Key] of the FRE that a walk has stepped to.
func (w *freWalk) key(f *model.FDE, info uint8) uint64 {
	if f.Type() != model.SFRAME_FDE_TYPE_DEFAULT || uint(w.size-1) >= model.KeyBytes {
		return 0
	}
	return w.content()&(1<<(8*w.size&63)-1) | uint64(info)<<48 | uint64(f.Info())<<56
}

// row sets the rules of a row to those of the j-th FRE, which the walk has stepped to. It remembers those of a key.
func (all *fdes) row(f *model.FDE, j int, w *freWalk, r *proof.Row) {
	if r.Key == 0 || f.NumFREs() >= len(all.known) {
		r.Row = w.fre(f, j).Row()
		return
	}
	known := &all.known[r.Key*0x9e3779b97f4a7c15>>(64-knownBits)]
	k := known.Load()
	if k == nil || k.Key != r.Key {
		k = &proof.Row{Row: w.fre(f, j).Row(), Key: r.Key}
		known.Store(k)
	}
	r.Row = k.Row
}

// name replaces the indices of ranges by the numbers of FDEs.
func (all *fdes) name(found *proof.Found) {
	number := func(n *int) { *n = int(all.numbers[*n]) }
	for i := range found.Wrong {
		number(&found.Wrong[i].Func)
	}
	slices.SortStableFunc(found.Wrong, func(a, b proof.Wrong) int {
		return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Kind, b.Kind))
	})
	for i := range found.Corrections {
		number(&found.Corrections[i].Func)
	}
	slices.SortFunc(found.Corrections, func(a, b proof.Correction) int { return cmp.Compare(a.Func, b.Func) })
	for i := range found.Exits {
		number(&found.Exits[i].Func)
	}
	for i := range found.Inner {
		number(&found.Inner[i].Func)
	}
	for i := range found.Blocks {
		number(&found.Blocks[i].Func)
	}
	for i := range found.Holes {
		h := &found.Holes[i]
		number(&h.Before)
		number(&h.After)
	}
	for i := range found.Late {
		number(&found.Late[i].Func)
	}
	found.Certified, found.Ordinary = all.byFDE(found.Certified), all.byFDE(found.Ordinary)
	for i := range found.Called {
		number(&found.Called[i])
	}
	for i := range found.Lookups {
		number(&found.Lookups[i].Func)
	}
}

// byFDE returns what is known of ranges by the number of the FDE.
func (all *fdes) byFDE(is []bool) []bool {
	out := make([]bool, all.s.NumFDEs())
	for i, ok := range is {
		out[all.numbers[i]] = ok
	}
	return out
}
