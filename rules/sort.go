package rules

import (
	"sort"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Unplaced reports whether the section is raw and its address is not known.
// Functions before it then seem to be at the end of the address space.
func (c *Context) Unplaced() bool { return c.Object.ELF == nil && c.Section.Addr() == 0 }

// Before reports whether f starts before g.
func (c *Context) Before(f, g model.Function) bool {
	if c.Unplaced() {
		return int64(f.Start) < int64(g.Start)
	}
	return f.Start < g.Start
}

// SortFDEs returns the edit that sorts the FDEs of a linked file by their
// functions' starts. It reports false if a start, relative to its new place,
// does not fit its field, and for relocatable files, whose functions have no
// addresses.
func (c *Context) SortFDEs() (Edit, bool) {
	s := c.Section
	size := int64(model.FDESize(s.Version()))
	sub := s.FDESubsection()
	if c.Relocatable() || size == 0 || sub.End() > s.Size() || s.NumFDEs() != int(s.Header().NumFDEs) {
		return Edit{}, false
	}
	order := prereq.Get[func() prereq.Order](c.facts.pass, prereq.ByStart)()
	n := order.Len()
	if n != s.NumFDEs() {
		return Edit{}, false
	}
	first := 0
	if c.Unplaced() { // starts that are negative numbers come first
		first = sort.Search(n, func(i int) bool { return order.At(i).Start >= 1<<63 })
	}
	fdes, sorted := c.SFrame.Data[sub.Off:sub.End()], make([]byte, 0, sub.Len)
	for to := range n {
		from := order.FDE((to + first) % n)
		sorted = append(sorted, fdes[int64(from)*size:][:size]...)
		if !c.moveStart(sorted[int64(to)*size:], int64(to-from)*size) {
			return Edit{}, false
		}
	}
	return c.SectionEdit(sub, sorted), true
}

// moveStart rewrites the start field of an entry, which is its first one, when
// the entry moves by some bytes: with PCREL set it counts from its own place.
func (c *Context) moveStart(entry []byte, by int64) bool {
	if c.Section.Header().Flags&model.SFRAME_F_FDE_FUNC_START_PCREL == 0 {
		return true
	}
	order := c.Section.ByteOrder()
	if c.Section.Version().Info().StartWidth == 8 {
		order.PutUint64(entry, order.Uint64(entry)-uint64(by))
		return true
	}
	v := int64(int32(order.Uint32(entry))) - by
	order.PutUint32(entry, uint32(v))
	return int64(int32(v)) == v
}
