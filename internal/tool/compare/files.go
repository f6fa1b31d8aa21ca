package compare

import (
	"iter"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/rules"
)

// DiffReport describes the differences between two files.
type DiffReport struct {
	Schema   string `json:"schema"`
	A        string `json:"a"`
	B        string `json:"b"`
	Equal    bool   `json:"equal"`
	Compared int    `json:"compared"` // functions that both describe

	parts []func(yield func(Difference) bool)
}

// Side is one of two files that are compared.
type Side struct {
	Name  string
	Units []*Unit
}

// Files compares two files, archives member by member. It compares only
// functions with a name that matches the pattern; "" matches all.
func Files(a, b Side, pattern string) *DiffReport {
	r := &DiffReport{Schema: "sframe-lint/diff/1", A: escape.UTF8(a.Name), B: escape.UTF8(b.Name), Equal: true}
	keysA, inA := members(a.Units, lookupName(b.Units))
	keysB, inB := members(b.Units, lookupName(a.Units))
	for _, k := range keysA {
		if other := inB[k]; other != nil {
			r.pair(k.name, inA[k], other, pattern)
		} else {
			r.addMissing(OnlyA, inA[k], pattern)
		}
	}
	for _, k := range keysB {
		if inA[k] == nil {
			r.addMissing(OnlyB, inB[k], pattern)
		}
	}
	for range r.Differences() {
		r.Equal = false
		break
	}
	return r
}

// Differences returns the differences, those of the members of archives in their
// order. They are found while they are iterated over, and not kept.
func (r *DiffReport) Differences() iter.Seq[Difference] {
	return func(yield func(Difference) bool) {
		for _, part := range r.parts {
			more := true
			part(func(d Difference) bool {
				more = yield(d)
				return more
			})
			if !more {
				return
			}
		}
	}
}

// member identifies a member of an archive: the n-th of a name.
type member struct {
	name string
	n    int
}

// lookupName returns the name by which a file is looked up in an archive, "" if the
// file is an archive itself.
func lookupName(units []*Unit) string {
	if len(units) == 1 && units[0].Member == "" {
		return filepath.Base(units[0].Path)
	}
	return ""
}

// members returns units by key, and the keys in order. Two files that are not
// archives are compared whatever their names are. A file and an archive are
// compared by the member with the file's name.
func members(units []*Unit, other string) (keys []member, all map[member]*Unit) {
	seen := map[string]int{}
	all = map[member]*Unit{}
	for _, u := range units {
		name := u.Member
		if name == "" && other == "" {
			name = lookupName(units)
		}
		k := member{name, seen[name]}
		seen[name]++
		keys = append(keys, k)
		all[k] = u
	}
	return keys, all
}

// pair compares two units. Those without functions are compared once.
func (r *DiffReport) pair(name string, a, b *Unit, pattern string) {
	c := compareUnits(a, b, pattern)
	r.Compared += c.countCommon()
	if len(a.funcs)+len(b.funcs) == 0 && !c.alien {
		return
	}
	r.parts = append(r.parts, func(yield func(Difference) bool) {
		for d := range c.differences {
			if d.Unit = label(name); !yield(d) {
				return
			}
		}
	})
}

// addMissing reports a member that the other archive does not have.
func (r *DiffReport) addMissing(k Aspect, u *Unit, pattern string) {
	n := 0
	for i := range u.funcs {
		if u.called(&u.funcs[i], pattern) {
			n++
		}
	}
	if n == 0 {
		return // it has no functions
	}
	r.parts = append(r.parts, func(yield func(Difference) bool) {
		d := Difference{Kind: k, Unit: label(u.Member)}
		if text := rules.Count(n, "function"); k == OnlyA {
			d.A = text
		} else {
			d.B = text
		}
		yield(d)
	})
}
