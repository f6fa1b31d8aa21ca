package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/tool/execute"
)

// sum is what the runs of a program come to.
type sum struct {
	program
	name  string
	runs  int
	stats execute.Stats
	funcs [2]int // exercised in one run at most, of
	rows  [2]int
}

// fault is a mistake that runs found, in any number of functions.
type fault struct {
	abi, what string
	rule      string // the part of the row that is wrong
	verdict   execute.Cause
	why       string
}

// where says which functions have a fault.
type where struct {
	functions, programs map[string]bool
	rows                int
	steps               uint64
}

// explain returns the cause of a mismatch.
func (p *plan) explain(abi string, m *execute.Mismatch, rule string) string {
	for _, c := range p.Causes {
		if c.ABI == abi && (c.What == "" || c.What == m.What) && regexp.MustCompile(c.Rule).MatchString(rule) && regexp.MustCompile(c.Function).MatchString(m.Function) {
			return c.Why
		}
	}
	return "**not explained**"
}

// wrongPart returns the part of a row that a mismatch is about.
func wrongPart(m *execute.Mismatch) string {
	for part := range strings.FieldsSeq(m.Row) {
		if strings.HasPrefix(part, strings.ToUpper(m.What)+"=") {
			return part
		}
	}
	return m.Row
}

// tables returns the tables of the results.
func (p *plan) tables(all []result) []byte {
	var order []*sum
	faults := map[fault]*where{}
	for i := range all {
		r := &all[i]
		at := slices.IndexFunc(order, func(s *sum) bool { return s.name == r.run.Program })
		if at < 0 {
			at = len(order)
			order = append(order, &sum{name: r.run.Program, program: r.program})
		}
		order[at].add(&r.found)
		for _, m := range r.Report.Mismatches {
			part := wrongPart(m)
			f := fault{r.abi, m.What, part, m.Cause, p.explain(r.abi, m, part)}
			if faults[f] == nil {
				faults[f] = &where{functions: map[string]bool{}, programs: map[string]bool{}}
			}
			faults[f].functions[m.Function] = true
			faults[f].programs[r.run.Program] = true
			faults[f].rows++
			faults[f].steps += m.Steps
		}
	}
	var b bytes.Buffer
	programTable(&b, order)
	claimTable(&b, all)
	faultTable(&b, faults)
	return b.Bytes()
}

// claimTable writes the results of the tracker's claims, by ABI, and those that were refuted.
func claimTable(b *bytes.Buffer, all []result) {
	type total struct {
		steps          uint64
		checked, wrong [3]uint64
	}
	byABI := map[string]*total{}
	for i := range all {
		r := &all[i]
		t := byABI[r.abi]
		if t == nil {
			t = &total{}
			byABI[r.abi] = t
		}
		t.steps += r.Report.Stats.Steps
		for k := range t.wrong {
			t.checked[k] += r.Claims.Checked[k]
			t.wrong[k] += r.Claims.Wrong[k]
		}
	}
	fmt.Fprint(b, "\n| ABI | steps | claims of the CFA | wrong | of RA | wrong | of FP | wrong |\n|---|---|---|---|---|---|---|---|\n")
	for _, abi := range slices.Sorted(maps.Keys(byABI)) {
		t := byABI[abi]
		fmt.Fprintf(b, "| %s | %s |", abi, withCommas(t.steps))
		for k := range t.wrong {
			fmt.Fprintf(b, " %s | %s |", withCommas(t.checked[k]), withCommas(t.wrong[k]))
		}
		fmt.Fprintln(b)
	}
	refutedTable(b, all)
}

// refutedTable writes the claims that were wrong, by function.
func refutedTable(b *bytes.Buffer, all []result) {
	type key struct{ program, function, claim string }
	groups := map[key][]*execute.Refuted{}
	for i := range all {
		for _, x := range all[i].Claims.Refuted {
			k := key{all[i].run.Program, x.Function, strings.ToUpper(x.What) + "=" + x.Rule}
			groups[k] = append(groups[k], x)
		}
	}
	if len(groups) > 0 {
		fmt.Fprint(b, "\n| program | function | wrong claim | first at | it gives | true | steps |\n|---|---|---|---|---|---|---|\n")
	}
	for _, k := range slices.SortedFunc(maps.Keys(groups), func(x, y key) int {
		return cmp.Or(cmp.Compare(x.program, y.program), cmp.Compare(x.function, y.function), cmp.Compare(x.claim, y.claim))
	}) {
		g := groups[k]
		first, steps := g[0], uint64(0)
		for _, x := range g {
			steps += x.Steps
			if x.Addr < first.Addr {
				first = x
			}
		}
		fmt.Fprintf(b, "| %s | `%s` | `%s` | %#x | %s | %s | %s |\n", k.program, k.function, k.claim, first.Addr, first.Have, first.Want, withCommas(steps))
	}
}

func (s *sum) add(x *found) {
	r := x.Report
	s.runs++
	t := &s.stats
	t.Steps += r.Stats.Steps
	t.Checked += r.Stats.Checked
	t.NoFDE += r.Stats.NoFDE
	t.NoCallers += r.Stats.NoCallers
	t.Transit += r.Stats.Transit
	t.Frames += r.Stats.Frames
	t.Wrong += r.Stats.Wrong
	for _, f := range r.Files {
		if filepath.Base(filepath.Dir(f.Path)) != s.name || f.OfFDEs == 0 {
			continue
		}
		if f.Rows > s.rows[0] {
			s.funcs = [2]int{f.Functions, f.OfFDEs}
			s.rows = [2]int{f.Rows, f.OfFREs}
		}
	}
}

func programTable(b *bytes.Buffer, all []*sum) {
	fmt.Fprint(b, "| program | ABI | producer | flags | runs | steps | checked | without an FDE | frames of backtraces | wrong |\n|---|---|---|---|---|---|---|---|---|---|\n")
	var t execute.Stats
	runs := 0
	for _, s := range all {
		x := &s.stats
		fmt.Fprintf(b, "| %s | %s | %s | %s | %d | %s | %s | %s | %s | %s |\n", s.name, s.abi, s.producer, s.flags, s.runs,
			withCommas(x.Steps), withCommas(x.Checked), withCommas(x.NoFDE), withCommas(x.Frames), withCommas(x.Wrong))
		t.Steps += x.Steps
		t.Checked += x.Checked
		t.NoFDE += x.NoFDE
		t.Frames += x.Frames
		t.Wrong += x.Wrong
		runs += s.runs
	}
	fmt.Fprintf(b, "| all | | | | %d | %s | %s | %s | %s | %s |\n", runs, withCommas(t.Steps), withCommas(t.Checked), withCommas(t.NoFDE), withCommas(t.Frames), withCommas(t.Wrong))
}

func faultTable(b *bytes.Buffer, faults map[fault]*where) {
	fmt.Fprint(b, "\n| ABI | wrong | by | cause | functions | programs | steps |\n|---|---|---|---|---|---|---|\n")
	for _, f := range slices.SortedFunc(maps.Keys(faults), func(x, y fault) int {
		return cmp.Or(cmp.Compare(x.abi, y.abi), cmp.Compare(x.why, y.why), cmp.Compare(x.what, y.what), cmp.Compare(x.rule, y.rule), cmp.Compare(x.verdict, y.verdict))
	}) {
		w := faults[f]
		names := slices.Sorted(maps.Keys(w.functions))
		text := "`" + strings.Join(names[:min(len(names), 4)], "`, `") + "`"
		if len(names) > 4 {
			text += fmt.Sprintf(" and %d more", len(names)-4)
		}
		fmt.Fprintf(b, "| %s | %s: `%s` | %s | %s | %s | %s | %s |\n", f.abi, f.what, f.rule, f.verdict, f.why, text,
			strings.Join(slices.Sorted(maps.Keys(w.programs)), ", "), withCommas(w.steps))
	}
}

// withCommas writes a number with commas.
func withCommas(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
