package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Producer is a tool that writes SFrame data, and what its versions are
// known to do.
type Producer struct {
	Name        string
	First, Last string // versions that are known
	Quirks      []Quirk
}

// Quirk is a rule that the output of a producer breaks by habit.
type Quirk struct {
	Rule        string
	First, Last string // versions, "" for the producer's first or last
}

// Producers returns the table of producers.
func Producers() []Producer { return slices.Clone(producers) }

var producers = []Producer{
	{"gas", "2.40", "2.47", []Quirk{
		{"SF1004", "", "2.40"}, // version 1
		{"SF2009", "", ""},     // a function of size 0 gets an FDE
		{"SF3006", "", ""},     // a row where CFI follows the last instruction
		{"SF5002", "2.45", "2.45"},
		{"SF5003", "", "2.44"}, // PROGBITS
	}},
	{"gnu-ld", "2.40", "2.47", []Quirk{
		{"SF1004", "", "2.40"},
		{"SF1017", "", "2.44"}, // -r does not shrink the section
		{"SF2008", "2.41", "2.44"},
		{"SF2011", "", "2.44"}, // -r
		{"SF2013", "", "2.44"}, // -r
		{"SF3106", "2.44", "2.47"},
		{"SF5002", "2.47", "2.47"},
		{"SF5003", "", "2.44"},
		{"SF5010", "", ""},
		{"SF5016", "", "2.44"}, // -r leaves relocations behind, this and the next three
		{"SF5017", "", "2.44"},
		{"SF5018", "", "2.44"},
		{"SF5019", "", "2.45"},
		{"SF6004", "2.46", "2.47"},
		{"SF6005", "", ""},
	}},
	{"llvm-mc", "23", "23", []Quirk{
		{"SF1022", "", ""}, // AArch64: every function is left out
		{"SF3006", "", ""},
	}},
	{"mold", "3", "3", []Quirk{{"SF6005", "", ""}}},
	{"lld", "23", "23", []Quirk{{"SF5009", "", ""}}},
	{"gold", "2.40", "2.44", []Quirk{{"SF5009", "", ""}}},
}

// Quirks returns the rules that a producer's output breaks by habit. The
// name is that of a family, which stands for all of its versions, or a
// family, a dash and a version: gnu-ld-2.44.
func Quirks(name string) ([]string, error) {
	for _, p := range producers {
		version, ok := strings.CutPrefix(name, p.Name)
		if !ok || version != "" && version[0] != '-' {
			continue
		}
		version = strings.TrimPrefix(version, "-")
		if name != p.Name && !between(version, p.First, p.Last) {
			return nil, fmt.Errorf("nothing is known of version %q of %s: want %s to %s", version, p.Name, p.First, p.Last)
		}
		var out []string
		for _, q := range p.Quirks {
			if name == p.Name || between(version, q.First, q.Last) {
				out = append(out, q.Rule)
			}
		}
		return out, nil
	}
	return nil, fmt.Errorf("unknown producer %q: want one of %s, alone or with its version as in %s-%s", name,
		strings.Join(ProducerNames(), ", "), producers[1].Name, producers[1].First)
}

// ProducerNames lists the families.
func ProducerNames() []string {
	var out []string
	for _, p := range producers {
		out = append(out, p.Name)
	}
	return out
}

// between tells whether a version lies between two, either of which may be
// "". A version that goes on where the last one ends is one of it: 2.44.1.
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
