package prereq

import (
	"sort"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Unplaced reports whether a section is raw and its address is unknown. Functions before it then seem to be at the
// end of the address space.
func Unplaced(o *reader.Object, s *model.Section) bool { return o.ELF == nil && s.Addr() == 0 }

// SortedFDEs returns the FDE sub-section of a linked file, sorted by the functions' starts. It reports false for
// relocatable files, and if a start does not fit its field at the new place.
func SortedFDEs(pass *analysis.Pass) ([]byte, bool) {
	obj, sf := Input(pass)
	s := sf.Section
	size := int64(model.FDESize(s.Version()))
	sub := s.FDESubsection()
	if obj.Relocatable() || size == 0 || sub.End() > s.Size() || s.NumFDEs() != int(s.Header().NumFDEs) {
		return nil, false
	}
	order := Get[func() Order](pass, ByStart)()
	n := order.Len()
	if n != s.NumFDEs() {
		return nil, false
	}
	first := 0
	if Unplaced(obj, s) { // starts that are negative numbers come first
		first = sort.Search(n, func(i int) bool { return order.At(i).Start >= 1<<63 })
	}
	fdes, sorted := sf.Data[sub.Off:sub.End()], make([]byte, 0, sub.Len)
	for to := range n {
		from := order.FDE((to + first) % n)
		sorted = append(sorted, fdes[int64(from)*size:][:size]...)
		if PCRel(s) && !moveStart(s, sorted[int64(to)*size:], int64(to-from)*size) {
			return nil, false
		}
	}
	return sorted, true
}

// moveStart rewrites the start field of an entry, which is its first one and counts from its own place, when
// the entry moves by some bytes.
func moveStart(s *model.Section, entry []byte, by int64) bool {
	order := s.ByteOrder()
	if s.Version().Info().StartWidth == 8 {
		order.PutUint64(entry, order.Uint64(entry)-uint64(by))
		return true
	}
	v := int64(int32(order.Uint32(entry))) - by
	order.PutUint32(entry, uint32(v))
	return int64(int32(v)) == v
}
