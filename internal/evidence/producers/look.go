package producers

import (
	"cmp"
	"debug/elf"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/base/machinecode"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Look is the set of features by which a file shows what programs wrote it.
type Look struct {
	Linked     bool
	Version    model.Version // version of the first SFrame section
	PCRelative bool          // SFRAME_F_FDE_FUNC_START_PCREL is set
	Sorted     bool          // SFRAME_F_FDE_SORTED is set
	Comment    string        // the contents of .comment
	Sections   []string      // names of all sections

	by string // what linker returns, "" before its first call
}

// StubRule is the ID of the rule that compares rows with PLT stubs.
const StubRule = "SF6018"

// maxComment is the number of bytes of .comment that are read.
const maxComment = 4 << 10

// Of returns the features of an ELF file that show the producer. It returns nil if the file has no SFrame header.
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

// Linker returns the name of the linker of a linked file. The file need not have SFrame data.
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

// LookOf returns the features that the header of a section shows.
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

// Habit returns the producer with a named quirk that explains a finding of the rule. The result includes the possible
// versions, as in "GNU ld 2.46 to 2.47", and is "" if no quirk explains the finding. section is the name of the
// section that contains the finding's function.
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

// FunctionSection returns the name of the section that contains a function, or "" if the name is not known.
func FunctionSection(e *reader.ELF, f model.FDE) string {
	if len(e.Sections) == 0 {
		return sectionByCode(e, f)
	}
	if section, _, _ := e.Within(f.Place(), f.Start()); section > 0 && section < len(e.Sections) {
		return e.Sections[section].Name
	}
	return ""
}

// sectionByCode returns .plt.got for stubs that push nothing, where the file has no section headers; "" for other code.
func sectionByCode(e *reader.ELF, f model.FDE) string {
	s := stubAt(e, f.Start())
	if s == nil || e.Machine != elf.EM_X86_64 || !f.Mask() || slices.ContainsFunc(s.Insns, func(i machinecode.StubInsn) bool { return i.CFA != s.Insns[0].CFA }) {
		return ""
	}
	return ".plt.got"
}

// stubAt returns the stub of a PLT that loaded code begins with, nil if there is none.
func stubAt(e *reader.ELF, start uint64) *machinecode.Stub {
	const largest = 32 // bytes of a stub
	code, err := e.Part(0, start, largest, nil)
	if err != nil {
		return nil
	}
	return machinecode.StubAt(e.Machine, code, true)
}

// LikeStubs reports whether a function looks like PLT stubs by its code and size. It reports false if the file has
// section headers.
func LikeStubs(e *reader.ELF, start, size uint64) bool {
	if len(e.Sections) > 0 {
		return false
	}
	s := stubAt(e, start)
	return s != nil && size%s.Size() == 0
}

// Names returns the names of all producers.
func Names() []string {
	var out []string
	for i := range table {
		out = append(out, table[i].Name)
	}
	return out
}

// Quirks returns the IDs of the rules that a producer's output breaks by habit. name is the name of a producer, which
// stands for all of its versions, or a name with a version, such as gnu-ld-2.44.
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

// Breaking describes the producers whose output breaks a rule by habit, as in "GNU ld up to 2.44 with -r".
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

// Writing returns the packages whose programs write sections with such features, as in "binutils 2.45 or LLVM 23". It
// returns "" if no known program does.
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
