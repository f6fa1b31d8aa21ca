package compare

import (
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/internal/escape"
)

// DiffReport lists the differences between two files.
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

// Files compares two files, archives member by member. It compares only
// functions with a name that matches the pattern; "" matches all.
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

// member identifies a member of an archive: the n-th of a name.
type member struct {
	name string
	n    int
}

// single returns the name by which a file is looked up in an archive, "" if the
// file is an archive itself.
func single(units []*Unit) string {
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
		d.Unit = shown(name)
		r.Differences = append(r.Differences, d)
	}
}

// only reports a member that the other archive does not have.
func (r *DiffReport) only(k Kind, u *Unit, pattern string) {
	n := 0
	for i := range u.Functions {
		if u.Functions[i].called(pattern) {
			n++
		}
	}
	if n == 0 {
		return // it has no functions
	}
	d := Difference{Kind: k, Unit: shown(u.Member)}
	if text := count(n, "function", "functions"); k == OnlyA {
		d.A = text
	} else {
		d.B = text
	}
	r.Differences = append(r.Differences, d)
}
