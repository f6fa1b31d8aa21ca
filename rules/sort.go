package rules

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// Unplaced reports whether the address of a raw section is not known. Functions
// before it then seem to lie at the end of the address space.
func (c *Context) Unplaced() bool { return c.Object.ELF == nil && c.Section.Addr() == 0 }

// Before reports whether a function starts before another one.
func (c *Context) Before(f, g model.FDE) bool {
	if c.Unplaced() {
		return int64(f.Start()) < int64(g.Start())
	}
	return f.Start() < g.Start()
}

// SortFDEs is the edit that puts the FDEs of a linked file in the order of
// their functions' starts. It says no where a start, counted from its new
// place, does not fit its field, and in relocatable files, whose functions
// have no addresses.
func (c *Context) SortFDEs() (Edit, bool) {
	s := c.Section
	size := int64(model.FDESize(s.Version()))
	sub := s.FDESubsection()
	if c.Relocatable() || size == 0 || sub.End() > s.Size() || s.NumFDEs() != int(s.Header().NumFDEs) {
		return Edit{}, false
	}
	order := make([]int, s.NumFDEs())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		f, g := s.FDE(i), s.FDE(j)
		switch {
		case c.Before(f, g):
			return -1
		case c.Before(g, f):
			return 1
		}
		return 0
	})
	old := s.Bytes(sub)
	sorted := make([]byte, 0, len(old))
	for to, from := range order {
		entry := slices.Clone(old[int64(from)*size : int64(from+1)*size])
		if !c.moveStart(entry, s.FDE(from), int64(to-from)*size) {
			return Edit{}, false
		}
		sorted = append(sorted, entry...)
	}
	return c.SectionEdit(sub, sorted), true
}

// moveStart rewrites the start field of an entry that moves by some bytes:
// with PCREL set it counts from its own place.
func (c *Context) moveStart(entry []byte, f model.FDE, by int64) bool {
	if c.Section.Header().Flags&model.SFRAME_F_FDE_FUNC_START_PCREL == 0 {
		return true
	}
	n := f.FieldSpan(model.FDEStart).Len
	v := f.RawStart() - by
	if n == 4 && int64(int32(v)) != v {
		return false
	}
	copy(entry, c.Uint(uint64(v), n))
	return true
}
