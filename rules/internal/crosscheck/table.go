package crosscheck

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// table has the FDEs sorted by the starts of their functions. The key of a
// start is its address in a linked file. In a relocatable file the sections
// are laid out one after the other.
type table struct {
	keys  []uint64 // ascending
	sizes []uint32
	fde   []int32 // index of the FDE; nil if it equals the place in the table
	next  int     // the place after the one that was found last
}

// at returns the first place whose key is at least the key. Symbols are mostly in the order
// of their functions, so it mostly is the place after the last one.
func (t *table) at(key uint64) int {
	n := len(t.keys)
	if p := t.next; p < n && t.keys[p] == key && (p == 0 || t.keys[p-1] < key) {
		t.next++
		return p
	}
	p := t.search(key)
	t.next = p + 1
	return p
}

func (t *table) search(key uint64) int {
	p, _ := slices.BinarySearch(t.keys, key)
	return p
}

// number returns the index of the FDE at a place.
func (t *table) number(place int) int {
	if t.fde == nil {
		return place
	}
	return int(t.fde[place])
}

// finish sorts the table, unless it is sorted.
func (t *table) finish() {
	if !slices.IsSorted(t.keys) {
		t.sort()
	}
}

func (t *table) sort() {
	by := make([]int, len(t.keys))
	for i := range by {
		by[i] = i
	}
	slices.SortFunc(by, func(a, b int) int { return cmp.Or(cmp.Compare(t.keys[a], t.keys[b]), cmp.Compare(a, b)) })
	u := table{keys: make([]uint64, len(by)), sizes: make([]uint32, len(by)), fde: make([]int32, len(by))}
	for place, i := range by {
		u.keys[place], u.sizes[place], u.fde[place] = t.keys[i], t.sizes[i], int32(t.number(i))
	}
	*t = u
}

// linkedTable returns the table of a linked file, with the start fields read
// as relative to themselves or not.
func linkedTable(c *rules.Context, pcrel bool) table {
	s, n := c.Section, c.Section.NumFDEs()
	field, step := uint64(s.FDESubsection().Off), uint64(model.FDESize(s.Version()))
	t := table{keys: make([]uint64, n), sizes: make([]uint32, n)}
	for i := range t.keys {
		f := s.Function(i)
		t.keys[i], t.sizes[i] = f.Start, f.Size
		switch is := prereq.PCRel(s); {
		case pcrel && !is:
			t.keys[i] += field
		case is && !pcrel:
			t.keys[i] -= field
		}
		field += step
	}
	t.finish()
	return t
}

// layout gives every code section of a relocatable file a place in one address
// space.
type layout struct{ base, size []uint64 }

func layoutOf(c *rules.Context) layout {
	secs := c.Object.ELF.Sections
	both := make([]uint64, 2*len(secs))
	l := layout{both[:len(secs)], both[len(secs):]}
	next := uint64(0)
	for _, i := range c.Object.ELF.CodeSections() {
		if isCode(&secs[i]) {
			// Limit the size to that of the file: sums of hostile sizes would wrap.
			l.base[i], l.size[i] = next, min(secs[i].Size, uint64(c.Object.Size))
			next += l.size[i]
		}
	}
	return l
}

// key returns the key of an offset in a code section.
func (l layout) key(section int, off uint64) (uint64, bool) {
	if section >= len(l.size) || off >= l.size[section] {
		return 0, false
	}
	return l.base[section] + off, true
}

// objectTable returns the table of a relocatable file.
func objectTable(c *rules.Context, l layout) table {
	n := c.Section.NumFDEs()
	t := table{keys: make([]uint64, 0, n), sizes: make([]uint32, 0, n), fde: make([]int32, 0, n)}
	c.FDEs(nil, func(f model.FDE) {
		if key, ok := l.key(f.Place(), f.Start()); ok && f.Resolved() {
			t.keys = append(t.keys, key)
			t.sizes = append(t.sizes, f.Size())
			t.fde = append(t.fde, int32(f.Index()))
		}
	})
	t.finish()
	return t
}
