package consumers

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
)

// All returns all profiles, grouped by family, each family from its oldest version to its newest. The caller may
// modify the slice, but not the profiles.
func All() []*Profile { return slices.Clone(table()) }

// Select returns the profiles in a comma-separated list of names, each once, in the order of [All]. A name is a
// profile, a family (for its newest version, or all of its parts), a family with a version (gnu-ld-2.43), or "all".
func Select(names string) ([]*Profile, error) {
	picked := map[*Profile]bool{}
	for name := range strings.SplitSeq(names, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		found := find(name)
		if len(found) == 0 {
			return nil, unknown(name)
		}
		for _, p := range found {
			picked[p] = true
		}
	}
	if len(picked) == 0 {
		return nil, nil
	}
	var out []*Profile
	for _, p := range table() {
		if picked[p] {
			out = append(out, p)
		}
	}
	return out, nil
}

func find(name string) []*Profile {
	if name == "all" {
		return table()
	}
	for _, p := range table() {
		if p.Name == name {
			return []*Profile{p}
		}
	}
	var newest *Profile
	var parts []*Profile // of a family that has parts in place of versions
	for _, p := range table() {
		if p.Family == name {
			newest = p
			if p.Files != AnyFiles {
				parts = append(parts, p)
			}
		}
		if v, ok := strings.CutPrefix(name, p.Family+"-"); ok && p.holdsFor(v) {
			return []*Profile{p}
		}
	}
	if newest == nil || parts != nil {
		return parts
	}
	return []*Profile{newest}
}

// holdsFor reports whether a version lies between First and Last. These include
// all versions that start with them: 3 includes 3.0.1.
func (p *Profile) holdsFor(v string) bool {
	n, ok := numbers(v)
	if !ok || p.Last == "" {
		return false
	}
	last, _ := numbers(p.Last)
	if slices.Compare(n[:min(len(n), len(last))], last) > 0 {
		return false
	}
	first, _ := numbers(p.First)
	return slices.Compare(n, first) >= 0
}

func numbers(v string) ([]int, bool) {
	if v == "" {
		return nil, true
	}
	var out []int
	for s := range strings.SplitSeq(v, ".") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return nil, false
		}
		out = append(out, n)
	}
	return out, true
}

// unknown returns an error that lists the names, beginning with those of the
// family that was probably meant.
func unknown(name string) error {
	var names, families []string
	for _, meant := range []bool{true, false} {
		for _, p := range table() {
			if strings.HasPrefix(name, p.Family) != meant {
				continue
			}
			names = append(names, p.Name)
			if !slices.Contains(names, p.Family) && !slices.Contains(families, p.Family) {
				families = append(families, p.Family)
			}
		}
	}
	return lookup.Unknown("consumer", name, slices.Concat(names, families, []string{"all"}), "expected all, or some of "+strings.Join(names, ", "))
}
