package compare

import (
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/internal/escape"
)

// DiffReport is what two files say differently.
type DiffReport struct {
	Schema      string       `json:"schema"`
	A           string       `json:"a"`
	B           string       `json:"b"`
	Equal       bool         `json:"equal"`
	Compared    int          `json:"compared"` // functions that both describe
	Differences []Difference `json:"differences"`
}

// Side is one of two files that are compared.
type Side struct {
	Name  string
	Units []*Unit
}

// Files compares two files, archives member by member. Only functions with a
// name that the pattern matches are looked at; "" matches all.
func Files(a, b Side, pattern string) *DiffReport {
	r := &DiffReport{
		Schema: "sframe-lint/diff/1", A: escape.UTF8(a.Name), B: escape.UTF8(b.Name), Differences: []Difference{},
	}
	keysA, inA := members(a.Units, single(b.Units))
	keysB, inB := members(b.Units, single(a.Units))
	for _, k := range keysA {
		if other := inB[k]; other != nil {
			r.pair(k.name, inA[k], other, pattern)
		} else {
			r.only(OnlyA, inA[k], pattern)
		}
	}
	for _, k := range keysB {
		if inA[k] == nil {
			r.only(OnlyB, inB[k], pattern)
		}
	}
	r.Equal = len(r.Differences) == 0
	return r
}

// member tells the members of an archive apart: the n-th of a name.
type member struct {
	name string
	n    int
}

// single returns the name by which a file that is no archive is looked up in
// one; "" where it is an archive itself.
func single(units []*Unit) string {
	if len(units) == 1 && units[0].Member == "" {
		return filepath.Base(units[0].Path)
	}
	return ""
}

// members returns units by key, and the keys in order. A file that is no
// archive is compared with another one whatever the two are called, and with
// an archive's member of its name.
func members(units []*Unit, other string) (keys []member, all map[member]*Unit) {
	seen := map[string]int{}
	all = map[member]*Unit{}
	for _, u := range units {
		name := u.Member
		if name == "" && other == "" {
			name = single(units)
		}
		k := member{name, seen[name]}
		seen[name]++
		keys = append(keys, k)
		all[k] = u
	}
	return keys, all
}

func (r *DiffReport) pair(name string, a, b *Unit, pattern string) {
	all, compared := diffUnits(a, b, pattern)
	r.Compared += compared
	for _, d := range all {
		d.Unit = escape.UTF8(name)
		r.Differences = append(r.Differences, d)
	}
}

// only notes a member that the other archive does not have.
func (r *DiffReport) only(k Kind, u *Unit, pattern string) {
	n := 0
	for i := range u.Functions {
		if u.Functions[i].called(pattern) {
			n++
		}
	}
	if n == 0 {
		return // as good as none
	}
	d := Difference{Kind: k, Unit: escape.UTF8(u.Member)}
	if text := count(n, "function", "functions"); k == OnlyA {
		d.A = text
	} else {
		d.B = text
	}
	r.Differences = append(r.Differences, d)
}
