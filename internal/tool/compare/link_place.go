package compare

import (
	"fmt"
	"hash/maphash"
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
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

// shipped are the names of libraries that a compiler adds to a link. The user cannot add SFrame data to them.
var shipped = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:` +
		`lib(?:c|m|m-[0-9.]+|mvec|pthread|dl|rt|gcc|gcc_eh|gcov|atomic|ssp_nonshared|stdc\+\+|stdc\+\+fs|supc\+\+)\.a|` +
		`(?:lib)?clang_rt\..*\.[ao])$`)
})

// lacksData reports whether a unit defines functions and has no SFrame data, though its author
// could add some.
func (u *Unit) lacksData() bool {
	return len(u.Sections) == 0 && len(u.symbols.all) > 0 && (u.Status == reader.StatusNoSFrame || u.Status == reader.StatusEmpty) &&
		!shipped().MatchString(filepath.Base(u.Path)) && !coverage.StartFile(filepath.Base(u.Path))
}

// sections checks whether the output has SFrame data, and which inputs have
// none.
func (l *linkCheck) sections() {
	with, fdes := 0, 0
	for _, u := range l.inputs {
		if n := len(u.funcs) + u.Unknown; n > 0 {
			with++
			fdes += n
		}
	}
	if with == 0 {
		return
	}
	if len(l.out.Sections) == 0 {
		verb := "describe"
		if with == 1 {
			verb = "describes"
		}
		l.add(SectionGone, "", "", "%s %s %s, but the output has no SFrame data (%s)", rules.Count(with, "input"), verb, rules.Count(fdes, "function"), l.out.Status)
	}
	for u := range l.inputsWithoutData() {
		l.add(NoData, u.Name(), "", "defines %s but has no SFrame data: traces stop there", rules.Count(u.symbols.names(), "function"))
	}
}

// headers compares the header fields that a merge has to carry over.
func (l *linkCheck) headers() {
	versions := map[string][]string{}
	aux, framePointer, all := 0, 0, 0
	for _, u := range l.inputs {
		for _, h := range u.Sections {
			v := fmt.Sprintf("%v %s", h.Version, model.LookupABI(h.ABI).Name)
			versions[v] = append(versions[v], u.Name())
			all++
			if h.AuxLen > 0 {
				aux++
			}
			if h.Flags&model.SFRAME_F_FRAME_POINTER != 0 {
				framePointer++
			}
		}
	}
	if len(versions) > 1 {
		var parts []string
		for v, names := range versions {
			parts = append(parts, fmt.Sprintf("%s: %s", v, listSome(names)))
		}
		slices.Sort(parts)
		l.add(MixedInputs, "", "", "the inputs differ: %s", strings.Join(parts, "; "))
	}
	for _, h := range l.out.Sections {
		if h.Unmerged > 0 {
			l.add(NotMerged, "", "", "the linker has concatenated the inputs' sections: consumers read the first and miss the %d after it", h.Unmerged)
		}
		if aux > 0 && h.AuxLen == 0 {
			l.add(FieldDropped, "", "", "%d of %d input sections have an auxiliary header, but the output has none", aux, all)
		}
		if all > 0 && framePointer == all && h.Flags&model.SFRAME_F_FRAME_POINTER == 0 && model.DefinedFlags(h.Version)&model.SFRAME_F_FRAME_POINTER != 0 {
			l.add(FieldDropped, "", "", "SFRAME_F_FRAME_POINTER is set in all inputs but not in the output")
		}
	}
}

// quoteNames lists names in quotes.
func quoteNames(names []string) string { return `"` + strings.Join(names, `", "`) + `"` }

// listSome lists a few names, quoted.
func listSome(names []string) string {
	const few = 3
	list := quoteNames(names[:min(few, len(names))])
	if len(names) <= few {
		return list
	}
	return fmt.Sprintf("%s and %d more", list, len(names)-few)
}

// inputsWithoutData returns the inputs without data, if others have some.
func (l *linkCheck) inputsWithoutData() iter.Seq[*Unit] {
	return func(yield func(*Unit) bool) {
		if !slices.ContainsFunc(l.inputs, func(u *Unit) bool { return len(u.Sections) > 0 }) {
			return
		}
		for _, u := range l.inputs {
			if u.lacksData() && !yield(u) {
				return
			}
		}
	}
}
