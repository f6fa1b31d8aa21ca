package producers

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
)

// Names returns the names of all producers.
func Names() []string {
	var out []string
	for i := range table {
		out = append(out, table[i].Name)
	}
	return out
}

// Quirks returns the rules that a producer's output breaks by habit. The name
// is that of a producer, which stands for all of its versions, or that name, a
// dash and a version: gnu-ld-2.44.
func Quirks(name string) ([]string, error) {
	for _, p := range table {
		version, ok := strings.CutPrefix(name, p.Name)
		if !ok || version != "" && version[0] != '-' {
			continue
		}
		version = strings.TrimPrefix(version, "-")
		if name != p.Name && !between(version, p.First, p.Last) {
			return nil, fmt.Errorf("unknown version %q of %s: expected %s to %s", version, p.Name, p.First, p.Last)
		}
		var out []string
		for _, q := range p.Quirks {
			if name == p.Name || between(version, q.First, q.Last) {
				out = append(out, q.Rule)
			}
		}
		return out, nil
	}
	return nil, lookup.Unknown("producer", name, Names(),
		"expected one of "+strings.Join(Names(), ", ")+", with or without a version as in gnu-ld-2.40")
}

// Breaking describes the producers whose output breaks a rule by habit, as in
// "GNU ld up to 2.44 with -r".
func Breaking(rule string) []string { return slices.Clone(breaking()[rule]) }

// breaking has the answers of [Breaking]: each start of a program asks for each rule.
var breaking = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for i := range table {
		p := &table[i]
		for _, q := range p.Quirks {
			text := p.Title
			switch first, last := q.First, q.Last; {
			case first == "" && last == "":
			case first == "" && last != p.First:
				text += " up to " + last
			default:
				text += " " + span(first, last)
			}
			if q.When != "" {
				text += " " + q.When
			}
			all[q.Rule] = append(all[q.Rule], text)
		}
	}
	return all
})

// Writing names the packages that write such sections, as in "binutils 2.45 or
// LLVM 23"; "" for an unknown one.
func Writing(l *Look) string {
	var out []string
	for i := range table {
		p := &table[i]
		for _, o := range p.Output {
			if !o.matches(l) {
				continue
			}
			if text := strings.TrimSpace(p.Package + " " + span(cmp.Or(o.First, p.First), cmp.Or(o.Last, p.Last))); !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return strings.Join(out, " or ")
}

// every stands for all versions of a producer whose versions are not known.
const every = "all"

// span writes a range of versions.
func span(first, last string) string {
	switch {
	case first == last && first == every:
		return ""
	case first == last || first == "":
		return last
	}
	return first + " to " + last
}

// between reports whether a version lies between two others, either of which
// may be "". A longer version belongs to the one that it begins with: 2.44.1 to
// 2.44.
func between(version, first, last string) bool {
	v, ok := numbers(version)
	if !ok {
		return false
	}
	f, _ := numbers(first)
	l, _ := numbers(last)
	if first != "" && slices.Compare(v, f) < 0 {
		return false
	}
	return last == "" || slices.Compare(v[:min(len(v), len(l))], l) <= 0
}

func numbers(version string) ([]int, bool) {
	var out []int
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil {
			return nil, false
		}
		out = append(out, int(n))
	}
	return out, true
}
