package prereq

import (
	"cmp"
	"slices"
	"sort"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Code is the executable addresses of a linked file: a range for each section or, without section headers, for each
// segment.
type Code struct{ reader.AddrRanges }

// CodeRanges gives a rule the Code of its file. It is empty for other objects.
var CodeRanges = OfObject("code", "the executable addresses of a linked file", func(pass *analysis.Pass) Code {
	if o, _ := Input(pass); o.ELF != nil {
		return Code{o.ELF.ExecRanges()}
	}
	return Code{}
})

// Suspects yields the functions that may extend beyond the code: those that start between two ranges, and the last
// one before the end of each range. The section's functions must be disjoint and in order.
func (c Code) Suspects(s *model.Section, yield func(model.FDE)) {
	// after returns the first FDE whose function starts after an address.
	after := func(addr uint64) int {
		return sort.Search(s.NumFDEs(), func(i int) bool { return s.FDE(i).Start() > addr })
	}
	i := 0
	for _, r := range c.AddrRanges {
		for ; i < s.NumFDEs() && s.FDE(i).Start() < r.First; i++ {
			yield(s.FDE(i))
		}
		if n := after(r.Last); n > i {
			yield(s.FDE(n - 1))
			i = n
		}
	}
	for ; i < s.NumFDEs(); i++ {
		yield(s.FDE(i))
	}
}

// Misread tells a rule whether the start fields of a linked file make sense only with the opposite PCREL flag. Rules
// on starts then report nothing.
var Misread = OfSection("misread", "whether the start fields contradict the PCREL flag", func(pass *analysis.Pass) bool {
	_, sf := Input(pass)
	return isMisread(sf.Section, Get[Code](pass, CodeRanges))
}, CodeRanges)

func isMisread(s *model.Section, text Code) bool {
	if len(text.AddrRanges) == 0 || Distinct(s) && !leavesCode(s, text) {
		return false
	}
	first, size := s.FDESubsection().Off, int64(model.FDESize(s.Version()))
	flagged, other := reading{text: text}, reading{text: text}
	for f := range s.Functions() {
		flagged.add(s, f, f.Start)
		field := uint64(first + int64(f.FDE)*size)
		if PCRel(s) {
			field = -field
		}
		other.add(s, f, f.Start+field)
	}
	// A section of thousands of functions can have a few other faults; in a small section one fault must be enough.
	// As flagged, functions must be outside the code: overlap has other causes, and may end if the other reading
	// spreads the functions.
	return flagged.outside > 0 && 20*flagged.faults >= s.NumFDEs() && flagged.faults > 10*other.faults
}

// leavesCode reports whether a function of a section, which are disjoint and in
// order, leaves the code.
func leavesCode(s *model.Section, text Code) bool {
	found := false
	text.Suspects(s, func(f model.FDE) {
		found = found || !text.Holds(f.Start(), f.Size())
	})
	return found
}

// reading counts faults of functions when starts are read in one way. Functions outside of the code do not suffice: the two
// readings differ by the size of an FDE per function, so most functions of a large section stay in the code but overlap.
type reading struct {
	text            Code
	any             bool
	start           uint64
	size            uint32
	faults, outside int
}

func (r *reading) add(s *model.Section, f model.Function, start uint64) {
	inside := r.text.Holds(start, f.Size)
	descends := start < r.start
	overlaps := !descends && f.Size > 0 && uint64(r.size) > start-r.start
	if !inside || r.any && (descends && Sorted(s) || overlaps) {
		r.faults++
	}
	if !inside {
		r.outside++
	}
	r.any, r.start, r.size = true, start, f.Size
}

// Order is the functions of a section in some order. It uses 4 bytes for each function.
type Order struct {
	s    *model.Section
	fdes []int32
}

// Len returns the number of functions.
func (o Order) Len() int { return len(o.fdes) }

// At returns the i-th function.
func (o Order) At(i int) model.Function { return o.s.Function(int(o.fdes[i])) }

// FDE returns the index of the i-th function's FDE.
func (o Order) FDE(i int) int { return int(o.fdes[i]) }

// ByStart gives a rule a function that returns the [Order] of the functions with known starts, by place, start and
// FDE. The function sorts them on first use, since most sections do not need it.
var ByStart = OfSection("by_start", "the functions in the order of their starts", func(pass *analysis.Pass) func() Order {
	obj, sf := Input(pass)
	return sync.OnceValue(func() Order { return orderOf(obj, sf.Section) })
})

func orderOf(obj *reader.Object, s *model.Section) Order {
	if obj.Hold(int64(s.NumFDEs())*functionSize) != nil {
		return Order{} // the budget is exceeded, which SF5033 reports
	}
	all := make([]model.Function, 0, s.NumFDEs())
	for f := range s.Functions() {
		if f.Resolved {
			all = append(all, f)
		}
	}
	if !s.StartsAscend() {
		slices.SortFunc(all, func(f, g model.Function) int {
			return cmp.Or(cmp.Compare(f.Place, g.Place), cmp.Compare(f.Start, g.Start), cmp.Compare(f.FDE, g.FDE))
		})
	}
	order := Order{s, make([]int32, len(all))}
	for i := range all {
		order.fdes[i] = all[i].FDE
	}
	return order
}

// functionSize is the size of a [model.Function] in bytes.
const functionSize = 24

// PCRel reports whether start fields are relative to their own address.
func PCRel(s *model.Section) bool {
	return s.Header().Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0
}

// Sorted reports whether the section claims that its FDEs are in order.
func Sorted(s *model.Section) bool {
	return s.Header().Flags&model.SFRAME_F_FDE_SORTED != 0
}

// Distinct reports whether no two functions share a byte or a start, as in most sections.
func Distinct(s *model.Section) bool { return s.StartsAscend() && s.Disjoint() }
