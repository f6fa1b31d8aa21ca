package producers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Look is what a file shows of the programs that wrote it.
type Look struct {
	Linked     bool
	Version    model.Version // of its first section
	PCRelative bool          // SFRAME_F_FDE_FUNC_START_PCREL is set
	Sorted     bool          // SFRAME_F_FDE_SORTED is set
	Comment    string        // the contents of .comment
	Sections   []string      // names

	by string // what linker returns, "" before its first call
}

// StubRule is the rule that compares rows with the stubs of a PLT.
const StubRule = "SF6018"

// maxComment is the number of bytes of .comment that are read.
const maxComment = 4 << 10

// Of returns what an ELF file shows of its producer, nil without a header.
func Of(o *reader.Object) *Look {
	l := &Look{Linked: !o.ELF.Relocatable()}
	for _, sf := range o.SFrames {
		if sf.Section != nil {
			h := sf.Section.Header()
			l.flags(h)
			break
		}
	}
	if l.Version == 0 {
		return nil
	}
	l.marks(o.ELF)
	return l
}

// Linker returns the name of the linker of a linked file, whether or not that has SFrame data.
func Linker(e *reader.ELF) string {
	l := &Look{Linked: true}
	l.marks(e)
	return l.linker()
}

// marks takes over what the sections show.
func (l *Look) marks(e *reader.ELF) {
	for i := range e.Sections {
		l.Sections = append(l.Sections, e.Sections[i].Name)
		if e.Sections[i].Name == ".comment" && l.Linked {
			if b, err := e.SectionPart(i, 0, maxComment, nil); err == nil {
				l.Comment = string(b)
			}
		}
	}
}

// flags takes over what a header shows.
func (l *Look) flags(h model.Header) {
	l.Version = h.Version
	l.PCRelative = h.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0
	l.Sorted = h.Flags&model.SFRAME_F_FDE_SORTED != 0
}

// LookOf returns what the header of a section shows of its producer.
func LookOf(h model.Header, linked bool) *Look {
	l := &Look{Linked: linked}
	l.flags(h)
	return l
}

// matches reports whether a producer's output looks so. No producer but OxCaml writes both SORTED and PCREL in
// relocatable files.
func (o *Output) matches(l *Look) bool {
	return o.Version == l.Version && o.PCRelative == l.PCRelative && o.Sorted == (!l.Linked && l.Sorted && l.PCRelative)
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
		if m := table[i].Mark; l.by == "" && m != "" && l.Linked && (strings.Contains(l.Comment, m) || slices.Contains(l.Sections, m)) {
			l.by = table[i].Name
		}
	}
	l.by = cmp.Or(l.by, "gnu-ld")
	return l.by
}

// writing returns the versions of a producer that write such sections.
func (p *Producer) writing(l *Look) (first, last string, ok bool) {
	for _, o := range p.Output {
		if !o.matches(l) {
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
