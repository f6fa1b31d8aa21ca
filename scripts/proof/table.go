package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	execute "github.com/sframe-lint/sframe-lint/unwind/run"
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

// fault is a mistake that runs found, however many steps met it.
type fault struct {
	abi, function, what, row, cfi string
	verdict                       execute.Verdict
}

// tables returns the tables of the results.
func tables(all []result) []byte {
	var order []*sum
	faults := map[fault]map[string]uint64{} // steps, by program
	for i := range all {
		r := &all[i]
		at := slices.IndexFunc(order, func(s *sum) bool { return s.name == r.run.program })
		if at < 0 {
			at = len(order)
			order = append(order, &sum{name: r.run.program, program: r.program})
		}
		order[at].add(r.report)
		for _, m := range r.report.Mismatches {
			f := fault{r.abi, m.Function, m.What, m.Row, m.CFI, m.Verdict}
			if faults[f] == nil {
				faults[f] = map[string]uint64{}
			}
			faults[f][r.run.program] += m.Steps
		}
	}
	var b bytes.Buffer
	programTable(&b, order)
	faultTable(&b, faults)
	return b.Bytes()
}

func (s *sum) add(r *execute.Report) {
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
			thousands(x.Steps), thousands(x.Checked), thousands(x.NoFDE), thousands(x.Frames), thousands(x.Wrong))
		t.Steps += x.Steps
		t.Checked += x.Checked
		t.NoFDE += x.NoFDE
		t.Frames += x.Frames
		t.Wrong += x.Wrong
		runs += s.runs
	}
	fmt.Fprintf(b, "| all | | | | %d | %s | %s | %s | %s | %s |\n", runs, thousands(t.Steps), thousands(t.Checked), thousands(t.NoFDE), thousands(t.Frames), thousands(t.Wrong))
}

func faultTable(b *bytes.Buffer, faults map[fault]map[string]uint64) {
	fmt.Fprint(b, "\n| ABI | function | what | row | CFI | verdict | programs | steps |\n|---|---|---|---|---|---|---|---|\n")
	for _, f := range slices.SortedFunc(maps.Keys(faults), func(x, y fault) int {
		return cmp.Or(cmp.Compare(x.abi, y.abi), cmp.Compare(x.function, y.function), cmp.Compare(x.what, y.what), cmp.Compare(x.row, y.row), cmp.Compare(x.cfi, y.cfi))
	}) {
		var steps uint64
		for _, n := range faults[f] {
			steps += n
		}
		fmt.Fprintf(b, "| %s | `%s` | %s | %s | %s | %s | %s | %s |\n", f.abi, f.function, f.what, f.row, f.cfi, f.verdict,
			strings.Join(slices.Sorted(maps.Keys(faults[f])), ", "), thousands(steps))
	}
}

// thousands writes a number with commas.
func thousands(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Marks between which the page has the tables.
const (
	begin = "<!-- executions -->\n"
	end   = "<!-- end -->\n"
)

// publish prints the tables, or puts them into the page.
func publish(text []byte) error {
	if *write == "" {
		_, err := os.Stdout.Write(text)
		return err
	}
	page, err := os.ReadFile(*write)
	if err != nil {
		return err
	}
	head, rest, ok := bytes.Cut(page, []byte(begin))
	_, tail, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		return fmt.Errorf("%s: no %q", *write, strings.TrimSpace(begin))
	}
	return os.WriteFile(*write, slices.Concat(head, []byte(begin), text, []byte(end), tail), 0o666)
}
