package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Parts of the page that the script writes.
const (
	kindList = "kinds"
	results  = "directives"
)

// outcome is what a finding's advice leads to.
type outcome uint8

const (
	corrected   outcome = iota // no finding is left
	uncorrected                // a finding is left, or another one comes
	unadvised                  // there is no directive in the advice
	refused                    // the assembler rejects it
)

var adviceNames = [...]string{"corrected", "not corrected", "without advice", "rejected advice"}

// cell counts the mutants of a kind for an ABI.
type cell struct {
	mutants, rejected, equivalent, proven int
	silent, astray, found                 int
	advice                                [refused + 1]int
}

func (c *cell) add(d *cell) {
	c.mutants += d.mutants
	c.rejected += d.rejected
	c.equivalent += d.equivalent
	c.proven += d.proven
	c.silent += d.silent
	c.astray += d.astray
	c.found += d.found
	for i := range c.advice {
		c.advice[i] += d.advice[i]
	}
}

// judged returns how many mutants have a verdict.
func (c *cell) judged() int { return c.silent + c.astray + c.found }

// table counts mutants by ABI and kind.
type table struct {
	abis  []string
	cells map[string]map[string]*cell
	files map[string]map[string]int // how many, by ABI and folder
	procs map[string]int
}

func (t *table) file(s *source) {
	if t.cells == nil {
		t.cells, t.files, t.procs = map[string]map[string]*cell{}, map[string]map[string]int{}, map[string]int{}
	}
	abi := s.abi.Name
	if t.cells[abi] == nil {
		t.cells[abi], t.files[abi] = map[string]*cell{}, map[string]int{}
		t.abis = append(t.abis, abi)
	}
	t.files[abi][filepath.Base(filepath.Dir(s.path))]++
	t.procs[abi] += len(s.procs)
}

func (t *table) cell(abi, kind string) *cell {
	of := t.cells[abi]
	if of[kind] == nil {
		of[kind] = new(cell)
	}
	return of[kind]
}

func (t *table) sum(abi string) *cell {
	sum := &cell{}
	for _, c := range t.cells[abi] {
		sum.add(c)
	}
	return sum
}

// count counts the verdict on a mutant. It reports false for one that does not count.
func (t *table) count(abi string, m *mutant) bool {
	c := t.cell(abi, m.kind.name)
	switch {
	case m.Equivalent:
		c.equivalent++
		return false
	case m.Proven:
		c.proven++
		return false
	case len(m.here) > 0:
		c.found++
	case len(m.beyond) > 0:
		c.astray++
	default:
		c.silent++
	}
	return true
}

const head = "| %s | mutants | rejected | equivalent | true | found | silent | wrong function | corrected | not corrected | without advice | rejected advice |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n"

// markdown returns the sums by ABI and a table for each.
func (t *table) markdown(o *options) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Seed %d, %d mutants of each ABI, without those that are rejected, equivalent or true.\n\n", o.seed, o.count)
	fmt.Fprintf(&b, head, "ABI")
	all := cell{}
	for _, abi := range t.abis {
		sum := t.sum(abi)
		all.add(sum)
		sum.print(&b, abi)
	}
	all.print(&b, "all")
	for _, abi := range t.abis {
		var folders []string
		for f, n := range t.files[abi] {
			folders = append(folders, fmt.Sprintf("%s (%d files)", f, n))
		}
		slices.Sort(folders)
		fmt.Fprintf(&b, "\n### %s\n\n%d functions of %s.\n\n", abi, t.procs[abi], strings.Join(folders, ", "))
		fmt.Fprintf(&b, head, "fault")
		for i := range o.kinds {
			if c := t.cells[abi][o.kinds[i].name]; c != nil {
				c.print(&b, o.kinds[i].name)
			}
		}
	}
	return b.Bytes()
}

func (c *cell) print(b *bytes.Buffer, name string) {
	a := &c.advice
	fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %s | %s | %s | %d | %d | %d |\n", name, c.mutants, c.rejected, c.equivalent, c.proven,
		c.found, share(c.silent, c.judged()), share(c.astray, c.judged()), share(a[corrected], c.found), a[uncorrected], a[unadvised], a[refused])
}

// share writes a number and what share it is of another one.
func share(n, of int) string {
	if of == 0 || n == 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d (%.1f%%)", n, 100*float64(n)/float64(of))
}
