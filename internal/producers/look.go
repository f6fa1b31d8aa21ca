package producers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// Look is what a file shows of the programs that wrote it.
type Look struct {
	Linked     bool
	Version    model.Version // of its first section
	PCRelative bool          // SFRAME_F_FDE_FUNC_START_PCREL is set
	Comment    string        // the contents of .comment
	Sections   []string      // names
}

// Habit returns the producer with the versions that the file can come from, as in "GNU ld
// 2.46 to 2.47", if a finding of the rule is a named quirk of it; else "". section is the
// name of the section that the finding's function is in.
func (l *Look) Habit(rule, section string) string {
	linker := l.linker()
	for i := range table {
		if table[i].Name == linker {
			if habit := table[i].habit(l, rule, section); habit != "" {
				return habit
			}
		}
	}
	for i := range table {
		if !table[i].Links {
			if habit := table[i].habit(l, rule, section); habit != "" {
				return habit
			}
		}
	}
	return ""
}

// habit is Habit for one producer.
func (p *Producer) habit(l *Look, rule, section string) string {
	first, last, ok := p.writing(l)
	if !ok {
		return ""
	}
	for _, q := range p.Quirks {
		if q.Named && q.Rule == rule && (q.Section == "" || q.Section == section) &&
			(!p.Links || l.Linked != (q.When == relocatable)) && overlap(q, first, last) {
			return p.Title + " " + span(first, last)
		}
	}
	return ""
}

// linker names the linker of a linked file, or the one that ld -r stands for.
func (l *Look) linker() string {
	for i := range table {
		if m := table[i].Mark; m != "" && l.Linked && (strings.Contains(l.Comment, m) || slices.Contains(l.Sections, m)) {
			return table[i].Name
		}
	}
	return "gnu-ld"
}

// writing returns the versions of a producer that write such sections.
func (p *Producer) writing(l *Look) (first, last string, ok bool) {
	for _, o := range p.Output {
		if o.Version != l.Version || o.PCRelative != l.PCRelative {
			continue
		}
		return cmp.Or(o.First, p.First), cmp.Or(o.Last, p.Last), true
	}
	return "", "", false
}

// overlap reports whether a quirk is one of some of the versions.
func overlap(q Quirk, first, last string) bool {
	return between(first, q.First, q.Last) || between(last, q.First, q.Last)
}
