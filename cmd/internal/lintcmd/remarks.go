package lintcmd

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// printRemarks says on standard error what the report of a path does not: what failed,
// what was cut, and inputs without data.
func (r *run) printRemarks(f *lint.File) {
	r.inputs += len(f.Objects)
	if !r.flags.quiet {
		for _, h := range f.Harmful {
			what := h.Rule
			if what == "" {
				what = "the rest"
			}
			r.printLine("%s: %s is not fixed: the file would have new findings of %s", reports.Name(h.Path, ""), what, strings.Join(h.New, ", "))
		}
	}
	if len(f.Fixed) > 0 && !r.flags.quiet {
		r.printLine("%s: fixed %s", reports.Name(f.Path, ""), strings.Join(tally(f.Fixed), ", "))
	}
	for i := range f.Objects {
		o := &f.Objects[i]
		named := f.Named && o.Input.Member == ""
		if named && !r.flags.allowEmpty && !o.Input.CanHaveSFrame() {
			r.printLine("%s: %s", reports.Name(o.Input.Path, ""), outcome(&o.Input))
			continue
		}
		r.object(o, named)
	}
	if f.Err != nil {
		r.printLine("%s: %s", reports.Name(f.Path, ""), reports.Escape(f.Reason()))
		var p *lint.InternalError
		if errors.As(f.Err, &p) && r.flags.verbose {
			r.printLine("%s", p.Stack)
		}
		return
	}
	switch {
	case r.flags.quiet:
	case f.Package != nil:
		r.pkg(f)
	case f.Named:
		r.archive(f)
	}
}

func (r *run) object(o *lint.Object, named bool) {
	in := &o.Input
	name := reports.Name(in.Path, in.Member)
	for _, x := range o.Failures {
		r.printLine("%s: internal error in rule %s: %s", name, x.Rule, reports.Escape(x.Reason))
		if r.flags.verbose && x.Stack != "" {
			r.printLine("%s", x.Stack)
		}
	}
	for _, g := range o.HiddenGaps() {
		r.printLine("%s: %s", name, reports.NotRead(in, g))
	}
	for _, n := range o.NotChecked() {
		if n.Hidden {
			r.printLine("%s: %s", name, reports.NotChecked(&n))
		}
	}
	switch {
	case r.flags.quiet:
		return
	case o.Unread(): // the gaps say so
	case r.flags.verbose, named && (!in.CanHaveSFrame() || (in.Status == reader.StatusNoSFrame || in.Status == reader.StatusEmpty) && !r.flags.requireSFrame): // else a finding says so
		r.printLine("%s: %s", name, outcome(in))
	}
	for _, id := range slices.Sorted(maps.Keys(o.Cut)) {
		r.printLine("%s: %s of %s not shown (--limit max-findings, max-memory)", name, rules.Count(o.Cut[id], "more finding"), id)
	}
	r.skips.add(o)
	if !r.flags.verbose {
		return
	}
	for _, n := range o.NotChecked() {
		r.printLine("%s: %s: %s", name, reports.NotChecked(&n), strings.Join(n.Rules, ", "))
	}
	for i := range o.Judged {
		r.printLine("%s: %s: %s", name, reports.Escape(o.Judged[i].Section), &o.Judged[i])
	}
	if elsewhere, excused := o.Tally[lint.ByRule], o.Tally[lint.ByDoubt]; elsewhere+excused > 0 {
		r.printLine("%s: the code contradicts further FREs: of %d functions another rule reports it, of %d it may be excused", name, elsewhere, excused)
	}
}

// archive reports an archive without SFrame data.
func (r *run) archive(f *lint.File) {
	if len(f.Objects) == 0 {
		r.printLine("%s: the archive has no members", reports.Name(f.Path, ""))
		return
	}
	for i := range f.Objects {
		if in := &f.Objects[i].Input; in.Member == "" || in.Status == reader.StatusOK {
			return
		}
	}
	r.printLine("%s: none of its %s has SFrame data", reports.Name(f.Path, ""), rules.Count(len(f.Objects), "member"))
}

// pkg reports a package without SFrame data.
func (r *run) pkg(f *lint.File) {
	name := reports.Name(f.Path, "")
	switch p := f.Package; {
	case p.Files == 0 && f.Named:
		r.printLine("%s: none of its files can have SFrame data", name)
	case p.With == 0 && f.Named:
		r.printLine("%s: none of its %s with code has SFrame data", name, rules.Count(p.Files, "file"))
	case r.flags.verbose:
		r.printLine("%s: %d of its %s with code have SFrame data", name, p.With, rules.Count(p.Files, "file"))
	}
}

// outcome says how an input was read.
func outcome(in *lint.Input) string {
	detail := reports.Escape(in.Detail)
	switch in.Status {
	case reader.StatusOK:
		if in.ABI == "" {
			return fmt.Sprintf("checked: %d bytes without a header that can be decoded", in.Bytes)
		}
		order := "little-endian"
		if in.BigEndian {
			order = "big-endian"
		}
		return fmt.Sprintf("checked: %s, %s %s, %s, %s, %d bytes", in.Version, in.ABI, order,
			rules.Count(in.FDEs, "FDE"), rules.Count(in.FREs, "FRE"), in.Bytes)
	case reader.StatusNoSFrame:
		return "no SFrame data: " + detail
	case reader.StatusEmpty:
		return "no SFrame data: .sframe is empty"
	case reader.StatusOtherClass, reader.StatusIntermediate:
		return "can't have SFrame data: " + detail
	case reader.StatusOtherMachine:
		return "can't have SFrame data: no ABI for " + detail
	case reader.StatusNotELF:
		return "not an ELF file, archive or SFrame section: " + detail
	}
	return fmt.Sprintf("%s: %s", in.Status, detail)
}

// maxSkipped bounds the list of entries of directories that are not searched.
const maxSkipped = 10

// passedOver counts the entries of directories that are not searched.
type passedOver struct {
	links  int // symbolic links; directories of a system have hundreds
	probes int
	others int
}

// skipFilter returns a function that reports such entries: the first of those that are neither
// links nor probes.
func (f *lintFlags) skipFilter(a *app) func(path, why string) {
	return func(path, why string) {
		n, most := &f.passed.others, maxSkipped
		switch why {
		case lint.SymbolicLink:
			n, most = &f.passed.links, 0
		case lint.Probe:
			n, most = &f.passed.probes, 0
		}
		if *n++; *n <= most || f.verbose {
			a.progress.Clear()
			a.printLine("%s: not searched: %s", reports.Name(path, ""), why)
		}
	}
}

// remark sums up what was not listed, "" for nothing.
func (p *passedOver) remark() string {
	return strings.Join(amounts(
		amount{p.links, "symbolic link", "%s"},
		amount{p.probes, "probe", "%s of build systems"},
		amount{p.others - maxSkipped, "other", "%s"},
	), ", ")
}

// summary ends a run.
func (r *run) summary() {
	s := r.Summary()
	for _, dir := range s.Barren {
		r.printLine("%s: no file in the directory can have SFrame data (--allow-empty)", reports.Name(dir, ""))
	}
	if s.NoSection {
		r.printLine(noSection, reports.Escape(r.flags.section))
	}
	if text := reports.Nothing(&s); s.Empty || text != "" && !r.flags.quiet {
		r.printLine("%s", text)
	}
	if r.flags.quiet {
		return
	}
	if r.flags.verbose {
		for _, x := range r.UnusedExceptions() {
			r.printLine("%s:%d: unused exception", reports.Escape(r.flags.config.found.Path), x.Line)
		}
	}
	if r.skips.inputs > 0 {
		r.printLine("%s", r.skips.remark(r.inputs))
	}
	if r.allWell(&s) {
		if runtime.GOOS == "js" || program.IsTerminal(r.stderr) && !program.InCI() { // a person looks at it
			r.printLine("%s", r.cleanText(&s))
		}
		return
	}
	if more := r.flags.passed.remark(); more != "" && !r.flags.verbose {
		r.printLine("not searched: %s (-v)", more)
	}
	r.printLine("%s, %s: %s", rules.Count(s.Files, "file"), rules.Count(s.Sections, "section"), r.foundText(&s))
}

// allWell reports whether a run says nothing: all of its inputs were checked, none of its
// findings is shown, and no flag asks for more.
func (r *run) allWell(s *lint.Summary) bool {
	asked := r.flags.verbose || r.flags.statistics || r.flags.show != ""
	shown := s.AtLeast(0) - s.LessSevere() + s.Cut + s.Fixed
	return !asked && shown == 0 && s.Sections > 0 && s.Failed+s.Damaged+s.Partly+s.Skipped+r.skips.inputs == 0
}

// foundText sums up what was found, and what was left out.
func (r *run) foundText(s *lint.Summary) string {
	found := "no findings"
	if s.AtLeast(0) > 0 {
		found = fmt.Sprintf("%s, %s, %s", rules.Count(s.Errors, "error"), rules.Count(s.Warnings, "warning"), rules.Count(s.Notes, "note"))
	}
	if more := amounts(
		amount{s.LessSevere(), "", "%s not shown: --show note"},
		amount{s.Cut, "", "and %s not shown"},
		amount{s.Tally[lint.ByBaseline], "", "%s in the baseline"},
		amount{s.Tally[lint.ByException], "", "%s excused"},
	); more != nil {
		found += " (" + strings.Join(more, ", ") + ")"
	}
	fixable, accepted := s.Fixable, ""
	if s.Fixed > 0 || r.flags.fixes.write || r.flags.fixes.diff {
		fixable = 0
	}
	if s.Accepted > 0 {
		accepted = fmt.Sprintf(" (%d for an accepted reason)", s.Accepted)
	}
	return strings.Join(append([]string{found}, amounts(
		amount{s.Fixed, "", "%s fixed"},
		amount{fixable, "", "%s can be fixed (--fix)"},
		amount{s.Damaged, "damaged input", "%s"},
		amount{s.Excluded, "", "%s excluded"},
		amount{s.Partly, "input", "%s not fully checked" + accepted},
		amount{s.Failed, "failure", "%s"},
	)...), "; ")
}

// amount is a number of things, and what a message says of them; noun is "" where the message names none.
type amount struct {
	n            int
	noun, format string
}

// amounts returns what is said of those that are above 0.
func amounts(all ...amount) (said []string) {
	for _, x := range all {
		if x.n <= 0 {
			continue
		}
		what := fmt.Sprint(x.n)
		if x.noun != "" {
			what = rules.Count(x.n, x.noun)
		}
		said = append(said, fmt.Sprintf(x.format, what))
	}
	return said
}

// skips gathers which rules were skipped, and for how many inputs.
type skips struct {
	rules  map[string]bool
	inputs int
}

func (s *skips) add(o *lint.Object) {
	limited := false
	for _, x := range o.HeldBack {
		if !x.Chosen {
			continue
		}
		if s.rules == nil {
			s.rules = map[string]bool{}
		}
		s.rules[x.Rule], limited = true, true
	}
	if limited {
		s.inputs++
	}
}

// remark sums up in a line what a clean report would not show.
func (s *skips) remark(inputs int) string {
	where := ""
	if inputs > 1 {
		where = fmt.Sprintf(" for %d of %d inputs", s.inputs, inputs)
	}
	return fmt.Sprintf("%s skipped%s to save time: %s (--limit code-limit, symbol-limit, cfi-limit)",
		rules.Count(len(s.rules), "rule"), where, strings.Join(slices.Sorted(maps.Keys(s.rules)), ", "))
}

// tally returns names in order, each with its count.
func tally(names []string) []string {
	n := map[string]int{}
	for _, name := range names {
		n[name]++
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(n)) {
		if n[name] > 1 {
			name = fmt.Sprintf("%s (%d times)", name, n[name])
		}
		out = append(out, name)
	}
	return out
}

// cleanText says what a run without findings has checked, and what it has left out, and why.
func (r *run) cleanText(s *lint.Summary) string {
	text := fmt.Sprintf("no findings: %s checked: %s with %s and %s, by %s", rules.Count(s.Files, "file"), rules.Count(s.Sections, "section"),
		rules.Count(s.FDEs, "function"), rules.Count(s.FREs, "FRE"), rules.Count(r.active, "rule"))
	if left := amounts(
		amount{s.Without, "input", "%s without SFrame data"},
		amount{s.Foreign, "input", "%s that cannot have SFrame data"},
		amount{s.Excluded, "path", "%s excluded by patterns"},
		amount{s.LessSevere(), "finding", "%s of a severity that is not shown (--show note)"},
		amount{s.Tally[lint.ByBaseline], "finding", "%s in the baseline"},
		amount{s.Tally[lint.ByException], "finding", "%s excused by exceptions"},
	); left != nil {
		text += "; left out: " + strings.Join(left, ", ")
	}
	return text
}
