package model

import "sort"

// Find returns the FDE whose function contains pc, an address of a linked file.
func (s *Section) Find(pc uint64) (FDE, bool) { return s.FindIn(0, pc) }

// FindIn returns the FDE whose function contains pc, which counts from the
// place that [FDE.Place] names. Where functions overlap, the one that starts
// last wins.
func (s *Section) FindIn(place int, pc uint64) (FDE, bool) {
	if s.counts.ordered {
		return s.bisect(place, pc)
	}
	best, ok := FDE{}, false
	for f := range s.FDEs() {
		if f.holds(place, pc) && (!ok || f.Start() >= best.Start()) {
			best, ok = f, true
		}
	}
	return best, ok
}

// bisect finds the last FDE that starts at or before pc and steps back over
// those that end before it, which only overlapping functions need.
func (s *Section) bisect(place int, pc uint64) (FDE, bool) {
	n := sort.Search(s.NumFDEs(), func(i int) bool {
		f := s.FDE(i)
		return f.place > uint32(place) || f.place == uint32(place) && f.start > pc
	})
	for i := n - 1; i >= 0; i-- {
		f := s.FDE(i)
		if f.holds(place, pc) {
			return f, true
		}
		if s.counts.disjoint || f.place != uint32(place) {
			break
		}
	}
	return FDE{}, false
}

func (f FDE) holds(place int, pc uint64) bool {
	return f.Resolved() && f.Place() == place && pc >= f.Start() && pc-f.Start() < uint64(f.Size())
}

// At returns the FDE whose function contains pc, an address of a linked file, and the FRE of this
// function that covers pc. It reports whether there are both: an FDE without FREs is that of an
// outermost function, which [Section.Find] returns.
func (s *Section) At(pc uint64) (FDE, FRE, bool) {
	f, ok := s.Find(pc)
	if !ok {
		return FDE{}, FRE{}, false
	}
	r, ok := f.At(pc - f.Start())
	return f, r, ok
}

// At returns the row that covers the byte at off from the start of the
// function: the last one that starts at or before it, after reduction to the
// stub for a MASK FDE ("The SFrame FDE PC Types").
func (f FDE) At(off uint64) (FRE, bool) {
	if f.PCType() == SFRAME_FDE_PCTYPE_MASK {
		if f.rep == 0 {
			return FRE{}, false
		}
		off %= uint64(f.rep)
	}
	found, ok := FRE{}, false
	for r := range f.FREs() {
		if uint64(r.start) > off {
			break
		}
		found, ok = r, true
	}
	return found, ok
}
