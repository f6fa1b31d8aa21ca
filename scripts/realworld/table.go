package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Classes of files, in the order of the tables.
const (
	object  = "object"
	partial = "`ld -r`"
	linked  = "linked"
	archive = "archive"
)

var classes = []string{object, partial, linked, archive}

// class returns the class of a file.
func (b *build) class() string {
	switch {
	case b.kind == "exec" || b.kind == "shared":
		return linked
	case b.kind == "object" && !strings.HasPrefix(b.producer, "gas ") && !strings.HasPrefix(b.producer, "llvm-mc "):
		return partial
	}
	return b.kind
}

// group is the files of which one line of the first table is.
type group struct{ abi, producer, kind string }

// sum counts files and findings by severity.
type sum struct {
	files    int
	findings [rules.Error + 1]int
}

// subject is what a finding is about: functions and files are named once, however many
// flags and producers they are built with.
type subject struct{ rule, pkg, abi, name string }

// table counts the findings.
type table struct {
	groups    map[group]*sum
	producers map[string]int            // files
	rules     map[string]map[string]int // findings, by rule and producer
	severity  map[string]rules.Severity
	named     map[subject]map[string]bool // producers
}

func (t *table) count(b *build, f *lint.File) {
	if t.groups == nil {
		*t = table{map[group]*sum{}, map[string]int{}, map[string]map[string]int{}, map[string]rules.Severity{}, map[subject]map[string]bool{}}
	}
	k := group{b.abi, b.producer, b.class()}
	if t.groups[k] == nil {
		t.groups[k] = &sum{}
	}
	t.groups[k].files++
	t.producers[b.producer]++
	for i := range f.Objects {
		for j := range f.Objects[i].Findings {
			x := &f.Objects[i].Findings[j]
			id := x.Rule.ID
			t.groups[k].findings[x.Severity]++
			t.severity[id] = max(t.severity[id], x.Severity)
			if t.rules[id] == nil {
				t.rules[id] = map[string]int{}
			}
			t.rules[id][b.producer]++
			if named(x) {
				s := subject{id, b.pkg, b.abi, x.Function}
				if t.named[s] == nil {
					t.named[s] = map[string]bool{}
				}
				t.named[s][b.producer] = true
			}
		}
	}
}

// named reports whether a finding is listed by name: the errors and warnings that compare the
// FREs with code, calling convention, symbols and CFI.
func named(x *rules.Finding) bool {
	return x.Severity >= rules.Warning && x.Function != "" && (strings.HasPrefix(x.Rule.ID, "SF3") || strings.HasPrefix(x.Rule.ID, "SF6"))
}

// markdown returns the tables.
func (t *table) markdown() []byte {
	var b bytes.Buffer
	of := map[string]int{}
	for k, s := range t.groups {
		of[k.kind] += s.files
	}
	fmt.Fprintf(&b, "%d objects, %d of `ld -r`, %d linked files, %d archives.\n", of[object], of[partial], of[linked], of[archive])
	t.byProducer(&b)
	t.byRule(&b)
	t.byName(&b)
	return b.Bytes()
}

func (t *table) byProducer(b *bytes.Buffer) {
	fmt.Fprint(b, "\n## By producer\n\nFindings in 100 files:\n\n| ABI | kind | producer | files | errors | warnings | notes |\n|---|---|---|---|---|---|---|\n")
	keys := slices.SortedFunc(maps.Keys(t.groups), func(x, y group) int {
		return cmp.Or(cmp.Compare(x.abi, y.abi), cmp.Compare(slices.Index(classes, x.kind), slices.Index(classes, y.kind)), cmp.Compare(x.producer, y.producer))
	})
	for _, k := range keys {
		s := t.groups[k]
		fmt.Fprintf(b, "| %s | %s | %s | %d | %s | %s | %s |\n", k.abi, k.kind, k.producer, s.files,
			rate(s.findings[rules.Error], s.files), rate(s.findings[rules.Warning], s.files), rate(s.findings[rules.Note], s.files))
	}
}

func (t *table) byRule(b *bytes.Buffer) {
	producers := slices.Sorted(maps.Keys(t.producers))
	fmt.Fprintf(b, "\n## By rule\n\nFindings in 100 files:\n\n| rule | severity | %s |\n|---|---|%s\n", strings.Join(producers, " | "), strings.Repeat("---|", len(producers)))
	ids := slices.SortedFunc(maps.Keys(t.rules), func(x, y string) int {
		return cmp.Or(-cmp.Compare(t.severity[x], t.severity[y]), cmp.Compare(x, y))
	})
	for _, id := range ids {
		fmt.Fprintf(b, "| %s | %s |", id, t.severity[id])
		for _, p := range producers {
			fmt.Fprintf(b, " %s |", rate(t.rules[id][p], t.producers[p]))
		}
		fmt.Fprintln(b)
	}
}

func (t *table) byName(b *bytes.Buffer) {
	fmt.Fprint(b, "\n## By name\n\nFunctions with errors and warnings of the families SF3 and SF6:\n\n| rule | package | ABI | functions | producers |\n|---|---|---|---|---|\n")
	lines := map[subject][]string{} // names, by rule, package, ABI and producers
	for s, producers := range t.named {
		k := s
		k.name = strings.Join(slices.Sorted(maps.Keys(producers)), ", ")
		lines[k] = append(lines[k], s.name)
	}
	keys := slices.SortedFunc(maps.Keys(lines), func(x, y subject) int {
		return cmp.Or(cmp.Compare(x.rule, y.rule), cmp.Compare(x.pkg, y.pkg), cmp.Compare(x.abi, y.abi), cmp.Compare(x.name, y.name))
	})
	const most = 8
	for _, k := range keys {
		names := lines[k]
		slices.Sort(names)
		text := "`" + strings.Join(names[:min(len(names), most)], "`, `") + "`"
		if len(names) > most {
			text += fmt.Sprintf(" and %d more", len(names)-most)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", k.rule, k.pkg, k.abi, text, k.name)
	}
}

// rate returns n per 100 files, with one decimal place below 10; nothing for 0.
func rate(n, files int) string {
	r := 100 * float64(n) / float64(files)
	switch {
	case n == 0:
		return ""
	case r < 0.1:
		return "< 0.1"
	case r < 9.95:
		return fmt.Sprintf("%.1f", r)
	}
	return fmt.Sprintf("%.0f", r)
}
