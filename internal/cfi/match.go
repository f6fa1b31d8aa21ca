package cfi

import (
	"runtime"
	"sync"

	"github.com/sframe-lint/sframe-lint/model"
)

// matcher finds functions whose FREs and CFI agree, as nearly all are. It takes a fraction of the time
// that a comparison takes, and leaves all other functions to that.
type matcher struct {
	f      *Frames
	attr   int  // bytes of an FDE's attribute
	signal bool // the version marks signal frames
	a      acceptor
}

// parallelMatches is the number of FDEs from which it pays to match in parts.
const parallelMatches = 1 << 12

// match finds functions that agree. It returns by FDE whether it is one of these, and how
// many functions and rows they are. The intervals of the section are as, or nil where they
// are its FDEs in their order.
func match(s *model.Section, f *Frames, as, bs []interval) ([]bool, Comparison) {
	agree := make([]bool, s.NumFDEs())
	n := len(agree)
	if as != nil {
		n = len(as)
	}
	if len(bs) == 0 || n == 0 {
		return agree, Comparison{}
	}
	if n < parallelMatches {
		return agree, matchPart(s, f, as, bs, 0, n, agree)
	}
	workers := min(runtime.GOMAXPROCS(0), 2*n/parallelMatches)
	parts := make([]Comparison, workers)
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() { parts[i] = matchPart(s, f, as, bs, n*i/workers, n*(i+1)/workers, agree) })
	}
	wg.Wait()
	for _, n := range parts[1:] {
		parts[0].Functions += n.Functions
		parts[0].Rows += n.Rows
	}
	return agree, parts[0]
}

// matchPart does the same for the intervals or FDEs from lo to hi.
func matchPart(s *model.Section, f *Frames, as, bs []interval, lo, hi int, agree []bool) Comparison {
	v := s.Version().Info()
	m := matcher{f: f, attr: v.AttrSize, signal: v.Signal}
	m.a.read(s)
	j := -1 // no interval before it starts at or after the function
	for i := lo; i < hi; i++ {
		if i%stepPairs == stepPairs-1 && f.budget.Step(stepPairs) != nil {
			break
		}
		at := i
		if as != nil {
			at = int(as[i].id)
		}
		fde := s.FDE(at)
		place, start, end := uint32(fde.Place()), fde.Start(), fde.End()
		if as != nil {
			end = as[i].end
		}
		if !fde.Resolved() {
			continue
		}
		if j < 0 {
			j = max(after(bs, place, start)-1, 0)
		}
		for j < len(bs) && (bs[j].place < place || bs[j].place == place && bs[j].start < start) {
			j++
		}
		if j == len(bs) {
			break
		}
		if b := &bs[j]; b.start == start && b.end == end && b.place == place {
			agree[at] = m.function(&fde, b)
		}
	}
	return Comparison{Functions: m.a.functions, Rows: m.a.sum}
}

// function reports whether the FREs of a function agree with its CFI.
func (m *matcher) function(f *model.FDE, b *interval) bool {
	s := m.f.Sections[b.section].Section
	a := &m.a
	last := a.cie
	if a.s != s {
		last = nil
	}
	k, end := s.program(b, last)
	if k != last || a.s != s {
		a.use(s, k)
	}
	return a.ok && f.NumFREs() > 0 && f.HasAttr() && f.PCType() == model.SFRAME_FDE_PCTYPE_INC && f.Type() == model.SFRAME_FDE_TYPE_DEFAULT &&
		(!m.signal || f.Signal() == k.Signal) && (!a.pauth || (f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B) == k.KeyB) &&
		a.accept(f, int(f.StartFREOff())+m.attr, int(b.program), end, b.end-b.start)
}
