package proof

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Tracker tracks the code of an object.
type Tracker struct {
	img    *image
	ranges []Range
	order  []int32                       // the ranges by place and start
	begins []address                     // of the ranges, in that order
	plain  bool                          // order is that of the ranges, and each has code
	nearby nearby                        // where in begins an address is
	facts  []fact                        // by range
	middle map[int32][]uint32            // offsets in ranges that calls lead to
	lsda   FindLSDA                      // nil: no tables of exceptions are read
	rows   func(i int, rows []Row) []Row // nil: nothing is certified
	tables []address                     // that code refers to, by place and address
	// The ranges that are tracked together: unit i has members[starts[i]:starts[i+1]].
	members, starts []int32

	comes   sync.Map // by range, the outlook of calls of it; see comesBack
	sweeper *sweeper // of New
}

// fact is what is known of a range before it is tracked.
type fact struct {
	evidence Evidence
	// joined says that another range jumps or continues to its start, or that it jumps into the
	// middle of another range.
	joined bool
	label  bool // it is joined, but its address is taken, or the range before it ends in a jump to it
	// certified says that the rows of the range pass if it is an entry, and that nothing jumps into it. If it
	// is no entry, tracking it would have no state to start from.
	certified bool
	proven    bool   // Run has left it out, as its code agrees with its rows
	local     bool   // a local function symbol is at the start
	system    bool   // it makes a system call
	at        uint64 // of an instruction that proves evidence
	leads     uint64 // the marks of the ranges that its code leads to
	symbol    int32
}

// ErrABI is the error of [New] for an object whose machine is not supported.
var ErrABI = errors.New("no code of this machine can be tracked")

// New returns a tracker for ranges of an object. The ranges may be in any order, but must not overlap. Call New and
// Run while the object is visited. Without lsda, there are no landing pads. If rows, which appends the rows of a
// range, is not nil, Run skips certified functions. Errors are [ErrABI] and errors of I/O and the budget.
func New(o *reader.Object, ranges []Range, lsda FindLSDA, rows func(i int, rows []Row) []Row) (*Tracker, error) {
	t, err := prepare(o, ranges, lsda, rows)
	if err != nil {
		return nil, err
	}
	t.sweep(t.Workers())
	return t, t.img.err
}

// prepare does all of New but to look at code.
func prepare(o *reader.Object, ranges []Range, lsda FindLSDA, rows func(i int, rows []Row) []Row) (*Tracker, error) {
	if o.ELF == nil {
		return nil, ErrABI
	}
	a, ok := newArch(o.ELF.ABI())
	if !ok {
		return nil, ErrABI
	}
	if err := o.Hold(int64(len(ranges)) * rangeCost); err != nil {
		return nil, err
	}
	t := &Tracker{img: newImage(o, a), ranges: ranges, facts: make([]fact, len(ranges)), order: make([]int32, 0, len(ranges)), lsda: lsda, rows: rows}
	for i := range ranges {
		if r := &ranges[i]; r.End >= r.Start && r.End-r.Start <= maxRange {
			t.order = append(t.order, int32(i))
		}
	}
	slices.SortFunc(t.order, func(x, y int32) int {
		a, b := &ranges[x], &ranges[y]
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Start, b.Start), cmp.Compare(x, y))
	})
	t.begins = make([]address, len(t.order))
	t.plain = true
	for i, x := range t.order {
		t.begins[i] = address{int32(ranges[x].Place), ranges[x].Start}
		t.plain = t.plain && int(x) == i && ranges[x].End > ranges[x].Start
	}
	t.nearby = nearbyOf(t.begins)
	if err := t.symbols(); err != nil {
		return nil, err
	}
	if err := t.pointers(); err != nil {
		return nil, err
	}
	return t, nil
}

// Close releases the memory of the ranges. The tracker and its functions must not be used afterwards.
func (t *Tracker) Close() { t.img.o.Drop(int64(len(t.ranges)) * rangeCost) }

// rangeCost is about the memory that a range takes, in bytes.
const rangeCost = 160

// maxRange is the largest range that is looked at, in bytes.
const maxRange = budget.TrackRange

// find returns the range that contains an address.
func (t *Tracker) find(place int32, addr uint64) (int32, bool) {
	i := t.search(place, addr, true)
	if i == 0 {
		return 0, false
	}
	if b := &t.begins[i-1]; t.plain && b.addr == addr && b.place == place {
		return int32(i - 1), true // a call: the range itself is not looked at
	}
	x := t.order[i-1]
	r := &t.ranges[x]
	return x, int32(r.Place) == place && addr < r.End
}

// startsAt reports whether an address in a range is that of its first instruction, or of that of a stub.
func (t *Tracker) startsAt(x int32, addr uint64) bool {
	return t.plain && t.begins[x].addr == addr || t.ranges[x].starts(addr)
}

// next returns where the first range starts from an address on.
func (t *Tracker) next(place int32, addr uint64) (start uint64, ok bool) {
	i := t.search(place, addr, false)
	if i == len(t.begins) || t.begins[i].place != place {
		return 0, false
	}
	return t.begins[i].addr, true
}

// after returns where the first range starts that does not before a range ends.
func (t *Tracker) after(x int32) (start uint64, ok bool) {
	r := &t.ranges[x]
	if t.plain && int(x)+1 < len(t.begins) {
		if b := t.begins[x+1]; b.place == int32(r.Place) && b.addr >= r.End {
			return b.addr, true
		}
	}
	return t.next(int32(r.Place), r.End)
}

// search returns the index in order of the first range that starts at an address or after it, or only
// after it. It is called for each call, and written out for that.
func (t *Tracker) search(place int32, addr uint64, after bool) int {
	low, high := t.nearby.bounds(place, addr, len(t.begins))
	for low < high {
		mid := int(uint(low+high) / 2)
		if s := &t.begins[mid]; s.place < place || s.place == place && (s.addr < addr || after && s.addr == addr) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// nearby has, for each piece of the addresses of one place, the first range that starts there or after it. There
// are about as many pieces as ranges.
type nearby struct {
	place int32
	from  uint64
	shift int // a piece has 1<<shift bytes
	first []int32
}

// nearbyOf returns the pieces of ranges that are sorted; none if they have more than one place.
func nearbyOf(begins []address) (n nearby) {
	if len(begins) == 0 || begins[0].place != begins[len(begins)-1].place {
		return n
	}
	n.place, n.from = begins[0].place, begins[0].addr
	span := begins[len(begins)-1].addr - n.from
	n.shift = bits.Len64(span / uint64(len(begins)))
	n.first = make([]int32, 0, span>>n.shift+2)
	for i, a := range begins {
		for k := (a.addr - n.from) >> n.shift; uint64(len(n.first)) <= k; {
			n.first = append(n.first, int32(i))
		}
	}
	n.first = append(n.first, int32(len(begins)))
	return n
}

// bounds returns the numbers of ranges, of all, between which an address is.
func (n *nearby) bounds(place int32, addr uint64, all int) (low, high int) {
	k := (addr - n.from) >> n.shift
	if place != n.place || addr < n.from || k+1 >= uint64(len(n.first)) {
		return 0, all
	}
	return int(n.first[k]), int(n.first[k+1])
}

// Run tracks all ranges and passes each Function to visit, in no particular order, from several goroutines (workers).
// A Function is valid until visit returns. Errors come from I/O and the budget.
func (t *Tracker) Run(workers int, visit func(*Function)) error {
	var next atomic.Int64
	work := func(w *sweeper) {
		var u *unit // most objects need none
		for !t.img.ended() {
			last := int(next.Add(unitsAtOnce))
			for i := last - unitsAtOnce; i < min(last, t.units()); i++ {
				ranges := t.unit(i)
				if t.certified(ranges, w) {
					for _, x := range ranges {
						t.facts[x].proven = true
					}
					continue
				}
				if u == nil {
					u = &unit{arch: t.img.arch, img: w.v, t: t}
				}
				u.track(ranges, visit)
			}
			if last >= t.units() {
				break
			}
		}
		w.release()
	}
	w := t.sweeper
	t.sweeper = nil
	t.spread(workers, w, work)
	return t.img.err
}

// Certified reports whether Run has skipped a range because its code agrees with its rows.
func (t *Tracker) Certified(i int) bool { return t.facts[i].proven }

// System reports whether the code of a range makes a system call.
func (t *Tracker) System(i int) bool { return t.facts[i].system }

// certified reports whether a unit need not be tracked.
func (t *Tracker) certified(ranges []int32, w *sweeper) bool {
	if len(ranges) > 1 {
		return w.certify(ranges)
	}
	return t.facts[ranges[0]].certified && len(t.middle[ranges[0]]) == 0
}

func (t *Tracker) units() int { return len(t.starts) - 1 }

// unit returns the ranges that are tracked together.
func (t *Tracker) unit(i int) []int32 { return t.members[t.starts[i]:t.starts[i+1]:t.starts[i+1]] }

// unitsAtOnce is the number of functions that a goroutine gets at a time.
const unitsAtOnce = 64
