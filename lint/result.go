package lint

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// StatusUnreadable is the status of an input that could not be read to its end. The
// others are those of package reader.
const StatusUnreadable reader.Status = "unreadable"

// Input describes one ELF file, archive member or raw section.
type Input struct {
	Path, Member string
	// File is the file that offsets count in if it is not Path: the file of a thin
	// archive's member.
	File   string
	Status reader.Status
	Detail string // the reason, for other states than reader.StatusOK

	// These describe the first .sframe section that has a header. Counts and
	// bytes are sums over all sections.
	Version    model.Version // 0: no header could be decoded
	ABI        string
	BigEndian  bool
	FDEs, FREs int
	Bytes      int64
	Sections   int // with at least a byte
}

// Place returns the file that offsets count in.
func (in *Input) Place() string {
	if in.File != "" {
		return in.File
	}
	return in.Path
}

// CanHaveSFrame reports whether files of its kind can have SFrame data.
func (in *Input) CanHaveSFrame() bool {
	return in.Status != reader.StatusNotELF && in.Status != reader.StatusOtherClass && in.Status != reader.StatusOtherMachine
}

// InputOf sums up an object.
func InputOf(o *reader.Object) Input {
	in := Input{Path: o.Path, Member: o.Member, Status: o.Status, Detail: o.Detail}
	for _, f := range o.SFrames {
		in.Bytes += int64(len(f.Data))
		if len(f.Data) > 0 {
			in.Sections++
		}
		s := f.Section
		if s == nil {
			continue
		}
		in.FDEs += s.NumFDEs()
		in.FREs += s.NumFREs()
		if in.ABI == "" {
			in.Version, in.ABI, in.BigEndian = s.Version(), s.ABI().Name, s.BigEndian()
		}
	}
	return in
}

// Object is what the rules found in an input.
type Object struct {
	Input    Input
	Findings []rules.Finding
	Failures []rules.Failure
	Cut      map[string]int   // by rule, the findings beyond the limit
	HeldBack []rules.HeldBack // rules that did not check a section
	Excerpts map[ExcerptKey]Excerpt
	Unfixed  int // findings whose fixes can't be offered here
	Known    int // findings that are left out because the baseline has them
	Excepted int // findings that are left out because an exception covers them
}

// NotChecked are the rules that did not check a section for one reason.
type NotChecked struct {
	Section string
	Reason  string
	Causes  []string // IDs of the rules that report the reason
	Rules   []string // IDs, in order
	Limit   bool     // the reason is a limit of the run
}

// NotChecked returns what rules did not check, in the order of the sections
// and of the reasons' first appearance.
func (o *Object) NotChecked() []NotChecked {
	var all []NotChecked
	at := map[string]int{}
	for _, h := range o.HeldBack {
		key := fmt.Sprint(h.SectionIndex, h.Reason)
		i, ok := at[key]
		if !ok {
			i = len(all)
			at[key] = i
			all = append(all, NotChecked{Section: h.Section, Reason: h.Reason, Limit: h.Fact.IsLimit()})
		}
		n := &all[i]
		n.Rules = sorted(append(n.Rules, h.Rule))
		n.Causes = sorted(append(n.Causes, h.Causes...))
	}
	return all
}

func sorted(ids []string) []string {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Partly reports whether rules did not check a section for another reason than
// a limit.
func (o *Object) Partly() bool {
	return slices.ContainsFunc(o.HeldBack, func(h rules.HeldBack) bool { return !h.Fact.IsLimit() })
}

// Hidden reports whether rules did not check a section for a reason that the
// report does not give: a limit apart, no rule that reports the reason has a
// finding in the section, or about the whole object, with the rule's own severity
// or a higher one.
func (o *Object) Hidden() bool {
	type place struct {
		rule    string
		section int
	}
	shown := map[place]bool{}
	for i := range o.Findings {
		if f := &o.Findings[i]; f.Severity >= f.Rule.Severity {
			shown[place{f.Rule.ID, f.SectionIndex}] = true
		}
	}
	return slices.ContainsFunc(o.HeldBack, func(h rules.HeldBack) bool {
		return !h.Fact.IsLimit() && !slices.ContainsFunc(h.Causes, func(id string) bool {
			return shown[place{id, h.SectionIndex}] || shown[place{id, 0}]
		})
	})
}

// Unread reports whether the input is damaged and no finding says so, because the
// rules for it were not run: it was not checked.
func (o *Object) Unread() bool {
	return o.Input.Status == reader.StatusDamaged && len(o.Findings)+o.Known+o.Excepted == 0
}

// File is the result of one path.
type File struct {
	Path    string
	Named   bool     // it was named, not met in a directory
	Objects []Object // the members of an archive, else one
	// Err is why the file could not be read to its end, or an internal error;
	// Objects has the objects before it.
	Err error
	// Fixed are the rules whose findings were fixed, one for each; Objects have
	// the findings that are left.
	Fixed []string
	// Harmful are the fixes that were left out because they do harm.
	Harmful []Harm
	// Diff shows what [ShowFixes] would change.
	Diff []byte
}

// Harm is a fix after which a file would have more errors or warnings.
type Harm struct {
	Path string   // the file that would have been changed
	Rule string   // whose findings would have been fixed; "": those that are left, together
	New  []string // the rules with new findings
}

// Reason returns the text of Err, without the path.
func (f *File) Reason() string {
	// Reports write the path anyway.
	if p, ok := f.Err.(*fs.PathError); ok && p.Path == f.Path {
		return p.Err.Error()
	}
	return f.Err.Error()
}
