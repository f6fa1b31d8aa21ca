package compare

import (
	"hash/maphash"
	"slices"
	"sort"
	"strings"
)

// maxAnchors is the number of functions of a section that are looked up, maxBases how many places
// of it are tried.
const (
	maxAnchors = 32
	maxBases   = 32
)

// placed finds functions in a stripped output by their distances and sizes, which a linker keeps within a section. rest are
// the inputs' functions without a symbol in the output, in order. An FDE matches one function. Functions that are not found
// are unseen.
func (l *linkCheck) placed(rest []definition) {
	free := &freeFunctions{l: l, seed: maphash.MakeSeed(), byHash: map[uint64][]int32{}, next: map[int]int{}}
	for i := range l.out.funcs {
		if !l.claimed[i] {
			h := l.out.hash(free.seed, &l.out.funcs[i])
			free.byHash[h] = append(free.byHash[h], int32(i))
		}
	}
	var groups [][]definition
	for len(rest) > 0 {
		n := 1
		for n < len(rest) && rest[n].unit == rest[0].unit && l.spaceOf(rest[n]) == l.spaceOf(rest[0]) {
			n++
		}
		groups = append(groups, rest[:n])
		rest = rest[n:]
	}
	slices.SortStableFunc(groups, func(a, b []definition) int { return len(b) - len(a) }) // the surest first
	for i, g := range groups {
		if l.ended || i%step == 0 && l.out.budget.Err() != nil {
			return
		}
		l.place(g, free)
	}
}

// freeFunctions are the FDEs of the output that stand for no function yet.
type freeFunctions struct {
	l      *linkCheck
	seed   maphash.Seed
	byHash map[uint64][]int32 // by what they say
	next   map[int]int        // by the first FDE of an address that many have, the first one that may be free
}

func (l *linkCheck) spaceOf(d definition) int32 {
	u := l.inputs[d.unit]
	return u.space(&u.funcs[d.index])
}

// at returns the FDE of an address, -1 if there is none that is free.
func (x *freeFunctions) at(addr uint64) int32 {
	funcs := x.l.out.funcs
	first := sort.Search(len(funcs), func(i int) bool { return funcs[i].start >= addr })
	i := max(first, x.next[first])
	for i < len(funcs) && funcs[i].start == addr && x.l.claimed[i] {
		i++
	}
	if i-first > manyFDEs {
		x.next[first] = i
	}
	if i < len(funcs) && funcs[i].start == addr {
		return int32(i)
	}
	return -1
}

// manyFDEs is the number of FDEs of one address that are looked at each time.
const manyFDEs = 16

// base returns what to add to the offsets of a section's functions, and for how many of
// them there is an FDE of their size then.
func (x *freeFunctions) base(u *Unit, group []definition) (base uint64, found int) {
	var some []int32 // FDEs that say what a function says that few FDEs say
	anchor := &function{}
	for _, d := range group[:min(len(group), maxAnchors)] {
		f := &u.funcs[d.index]
		h := u.hash(x.seed, f)
		same := x.byHash[h]
		for len(same) > 0 && x.l.claimed[same[0]] {
			same = same[1:]
		}
		x.byHash[h] = same
		if len(same) > 0 && (some == nil || len(same) < len(some)) {
			some, anchor = same, f
		}
	}
	for _, g := range some[:min(len(some), maxBases)] {
		if x.l.claimed[g] || found == len(group) {
			continue
		}
		b, n := x.l.out.funcs[g].start-anchor.start, 0
		for _, d := range group {
			f := &u.funcs[d.index]
			if i := x.at(b + f.start); i >= 0 && x.l.out.funcs[i].size == f.size {
				n++
			}
		}
		if n > found {
			base, found = b, n
		}
	}
	return base, found
}

// place follows the functions of a section.
func (l *linkCheck) place(group []definition, free *freeFunctions) {
	u := l.inputs[group[0].unit]
	base, found := free.base(u, group)
	count := &l.counts[group[0].unit]
	if found == 0 || len(group) > 1 && 2*found <= len(group) {
		l.report.Unseen += len(group)
		count.Unseen += len(group)
		return
	}
	for _, d := range group {
		f := &u.funcs[d.index]
		g := free.at(base + f.start)
		if g < 0 {
			count.countLoss(u.label(f))
			l.add(FDELost, u.Name(), u.label(f), "the code is at 0x%x in the output, but no FDE describes it", base+f.start)
			continue
		}
		l.claimed[g] = true
		if x, differ := l.differ(d, g); differ {
			l.changed(u, u.label(f), x)
			count.countLoss(u.label(f))
			continue
		}
		l.report.Kept++
		count.Kept++
	}
}

// nameless reports whether an FDE of the output that stands for no function of the inputs
// has no symbol, besides those of a PLT: the linker may have put functions there.
func (l *linkCheck) nameless() bool {
	for i := range l.out.funcs {
		f := &l.out.funcs[i]
		if name, _ := l.out.container(f); f.symbol < 0 && !l.claimed[i] && !strings.HasPrefix(name, ".plt") {
			return true
		}
	}
	return false
}
