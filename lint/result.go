package lint

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// StatusUnreadable is the status of an input that could not be read to its end. It adds to the statuses of package
// reader.
const StatusUnreadable reader.Status = "unreadable"

// Input describes one ELF file, archive member or raw section.
type Input struct {
	Path, Member string
	// File is the file of a thin archive's member, in which offsets count; otherwise "".
	File   string
	Status reader.Status
	Detail string // reason, if Status is not reader.StatusOK

	// These fields describe the first .sframe section with a header. Counts and bytes are sums over all sections.
	Version    model.Version // 0 if no header could be decoded
	ABI        string
	BigEndian  bool
	FDEs, FREs int
	Bytes      int64
	Sections   int // number of non-empty sections
}

// Place returns the file in which offsets count.
func (in *Input) Place() string {
	if in.File != "" {
		return in.File
	}
	return in.Path
}

// CanHaveSFrame reports whether a file of this kind can have SFrame data.
func (in *Input) CanHaveSFrame() bool {
	return !slices.Contains([]reader.Status{reader.StatusNotELF, reader.StatusOtherClass, reader.StatusOtherMachine, reader.StatusIntermediate}, in.Status)
}

// InputOf returns the description of an object.
func InputOf(o *reader.Object) Input {
	in := Input{Path: o.Path, Member: o.Member, File: o.File, Status: o.Status, Detail: o.Detail}
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

// Coverage is the share of an input's code that FDEs cover. docs/schema describes its JSON.
type Coverage interface {
	Percent() float64     // percentage of the functions
	BytePercent() float64 // percentage of their bytes
}

// Object has the results of the rules for one input.
type Object struct {
	Input    Input
	Findings []rules.Finding // findings that the run shows
	Omitted  []Omitted       // other findings, except those beyond the limit
	Tally    Tally           // counts of all findings
	Failures []rules.Failure
	Cut      map[string]int   // number of findings beyond the limit, by rule
	HeldBack []rules.HeldBack // rules that did not check a section
	Judged   []rules.Judged   // what decided whether the FREs of each section are right
	Gaps     []Gap            // parts that were not read
	Coverage Coverage         // nil unless [Options.Coverage] is set and there is code
	Facts    *Facts           // nil unless [Options.Facts] is set

	mixed    *rules.Finding       // if another relocatable input has another version; nil for none
	off      map[string]bool      // IDs of rules that the options turn off by name
	accepted map[sectionRule]bool // findings that earlier runs have accepted
}

// NotChecked lists the rules that did not check a section, for one reason.
type NotChecked struct {
	Section string // name, with its index if several sections of the input have this name
	Reason  string
	Causes  []string // IDs of the rules that report the reason
	Rules   []string // IDs, in order
	Limit   bool     // the reason is a limit of the run
	Part    bool     // the rules checked a part of the section
	// Hidden says that nothing explains the reason: no finding gives it, the user has not accepted it, and it is not
	// a limit that the user has set.
	Hidden bool
	// Accepted says that the user has suppressed the finding that gives the reason, by --ignore, a lower severity, an
	// exception or the baseline.
	Accepted bool
}

// Severity returns Error if no finding gives the reason, and Note if the user has accepted it or has set the limit.
// Otherwise it returns Warning.
func (n *NotChecked) Severity() rules.Severity {
	switch {
	case n.Hidden:
		return rules.Error
	case n.Limit, n.Accepted:
		return rules.Note
	}
	return rules.Warning
}

// NotChecked returns the rules that did not check sections, ordered by section and by first use of the reason.
func (o *Object) NotChecked() []NotChecked {
	if len(o.HeldBack) == 0 {
		return nil
	}
	var all []NotChecked
	given := o.given()
	at := map[string]int{}
	first := map[string]int{} // section of a name
	twice := map[string]bool{}
	for _, h := range o.HeldBack {
		if i, ok := first[h.Section]; ok && i != h.SectionIndex {
			twice[h.Section] = true
		}
		first[h.Section] = h.SectionIndex
	}
	for i := range o.HeldBack {
		h := &o.HeldBack[i]
		key := fmt.Sprint(h.SectionIndex, h.Reason)
		k, ok := at[key]
		if !ok {
			k = len(all)
			at[key] = k
			section := h.Section
			if twice[section] {
				section = fmt.Sprintf("%s (section %d)", section, h.SectionIndex)
			}
			all = append(all, NotChecked{Section: section, Reason: h.Reason, Limit: h.Limit, Part: h.Part})
		}
		n := &all[k]
		n.Rules, n.Causes = append(n.Rules, h.Rule), append(n.Causes, h.Causes...)
		if given.hidesReasons(h) {
			accepted := o.accepts(given, h)
			n.Accepted, n.Hidden = n.Accepted || accepted, n.Hidden || !accepted
		}
	}
	for i := range all {
		n := &all[i]
		n.Rules, n.Causes = sorted(n.Rules), sorted(n.Causes)
	}
	return all
}

func sorted(ids []string) []string {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Partly reports whether rules did not check a section. It ignores limits that the user has set.
func (o *Object) Partly() bool {
	return slices.ContainsFunc(o.HeldBack, func(h rules.HeldBack) bool { return !h.Chosen })
}

// Hidden reports whether part of the input was not read or not checked for a reason that no finding gives.
func (o *Object) Hidden() bool {
	if len(o.HiddenGaps()) > 0 {
		return true
	}
	given := o.given()
	return slices.ContainsFunc(o.HeldBack, func(h rules.HeldBack) bool { return given.hidesReasons(&h) && !o.accepts(given, &h) })
}

// accepts reports whether the user has accepted a finding that says why a rule did not check a section.
func (o *Object) accepts(g *given, h *rules.HeldBack) bool {
	return slices.ContainsFunc(h.Causes, func(id string) bool {
		here, whole := sectionRule{id, h.SectionIndex}, sectionRule{id, 0}
		return o.off[id] || o.accepted[here] || o.accepted[whole] || g.found[here] || g.found[whole]
	})
}

// sectionRule is a section that a rule has a finding in, 0 for the whole object.
type sectionRule struct {
	rule    string
	section int
}

// given are the places of all findings, omitted ones included, and of those that give the reason for what is not checked: they
// have their rule's own severity or a higher one, or are quirks.
type given struct{ found, reasons map[sectionRule]bool }

func (o *Object) given() *given {
	g := given{map[sectionRule]bool{}, map[sectionRule]bool{}}
	add := func(f *rules.Finding, accepted bool) {
		at := sectionRule{f.Rule.ID, f.SectionIndex}
		g.found[at] = true
		if !accepted && givesReason(f) {
			g.reasons[at] = true
		}
	}
	for i := range o.Findings {
		add(&o.Findings[i], false)
	}
	for i := range o.Omitted {
		add(&o.Omitted[i].Finding, o.Omitted[i].Why.Accepted())
	}
	return &g
}

// givesReason reports whether a finding gives the reason that its rule reports.
func givesReason(f *rules.Finding) bool { return f.Severity >= f.Rule.Severity || f.Quirk != "" }

// hidesReasons reports whether no finding says why a rule did not check a section: a limit that
// the user has set apart, no rule that reports the reason has a finding in the section, or
// about the whole object.
func (g *given) hidesReasons(h *rules.HeldBack) bool {
	return !h.Chosen && !slices.ContainsFunc(h.Causes, func(id string) bool {
		return g.reasons[sectionRule{id, h.SectionIndex}] || g.reasons[sectionRule{id, 0}]
	})
}

// Unread reports whether the input could not be read and no finding says so. Then the rules that report this did not
// run, or the baseline or an exception covers their findings.
func (o *Object) Unread() bool {
	return o.Input.Status == reader.StatusDamaged && len(o.HiddenGaps()) > 0
}

// cutOff reports whether a finding says that an archive or package was not read to its end.
func (o *Object) cutOff() bool {
	return slices.ContainsFunc(o.Findings, func(f rules.Finding) bool { return f.Rule.ID == gapRules[reader.ArchiveDamaged] })
}

// File is the result for one path.
type File struct {
	Path    string
	Named   bool     // the path is an argument, not a directory entry
	Objects []Object // members of an archive, otherwise one object
	// Err says why the file could not be read to its end, or is an internal error. Objects has what was read before.
	Err error
	// Fixed has the rule of each fixed finding. Objects has the remaining findings.
	Fixed []string
	// Harmful are fixes that were not applied because they would do harm.
	Harmful []Harm
	// Package, if the path is a package, counts its files. Their results came before.
	Package *Package
	// InPackage says that the file is in a package. Path is then a name like "p.deb!/usr/bin/x".
	InPackage bool
	// Diff shows what [ApplyFixes] would change, if the mode is [ShowFixes].
	Diff []byte
}

// Harm is a fix that would add errors or warnings to a file.
type Harm struct {
	Path string   // the file that would have been changed
	Rule string   // rule of the fixed findings; "" means all remaining ones together
	New  []string // rules with new findings
}

// Reason returns the text of Err without the path.
func (f *File) Reason() string {
	// Reports write the path anyway.
	if p, ok := f.Err.(*fs.PathError); ok && p.Path == f.Path {
		return p.Err.Error()
	}
	return f.Err.Error()
}

// Gap describes a part of an input that was not read.
type Gap struct {
	Reason string
	Rule   string // the rule that reports the gap, "" for none

	limit uint64 // of a budget that was exceeded: 1 + its kind
}

// gapRules are the rules that report faults of a container. Damaged relocations hold
// rules back, which say so, and a section without bytes has nothing to read.
var gapRules = map[reader.FaultCode]string{
	reader.ELFDamaged:        "SF5024",
	reader.SectionBeyondEnd:  "SF5025",
	reader.SectionCompressed: "SF5026",
	reader.ArchiveDamaged:    "SF5029",
	reader.MemberUnreadable:  "SF5030",
	reader.SectionTooLarge:   "SF5031",
	reader.BudgetExceeded:    "SF5033",

	reader.SectionContradicted: "SF5036",
}

// gapsOf returns what was not read of an object.
func gapsOf(o *reader.Object) []Gap {
	var out []Gap
	seen := map[Gap]bool{}
	for _, f := range o.Faults {
		rule, ok := gapRules[f.Code]
		g := Gap{Reason: f.Summary(), Rule: rule}
		if f.Code == reader.BudgetExceeded {
			g.limit = f.Got
		}
		if ok && !seen[g] {
			seen[g] = true
			out = append(out, g)
		}
	}
	return out
}

// HiddenGaps returns the gaps that no finding reports at its rule's severity or above. Then the rule did not run, or
// the baseline or an exception covers its finding.
func (o *Object) HiddenGaps() []Gap {
	if len(o.Gaps) == 0 {
		return nil
	}
	given := map[string]bool{}
	for p := range o.given().reasons {
		given[p.rule] = true
	}
	var out []Gap
	for _, g := range o.Gaps {
		if !given[g.Rule] {
			out = append(out, g)
		}
	}
	return out
}
