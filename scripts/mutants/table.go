package main

import (
	"bytes"
	"fmt"
	"strings"
)

// cell counts the mutants of a kind in files of an ABI.
type cell struct {
	mutants    int
	equivalent int
	proven     int // right, by the code
	verdicts   [numVariants][found + 1]int
}

// sheet has a count of type T for each ABI and kind.
type sheet[T any] struct {
	abis  []string // in the order of the files
	cells map[string]map[string]*T
	files map[string][]string // by ABI
}

// file counts a file, by what the page says of it.
func (t *sheet[T]) file(in *input, says string) {
	if t.cells == nil {
		t.cells, t.files = map[string]map[string]*T{}, map[string][]string{}
	}
	abi := in.ABIName()
	if t.cells[abi] == nil {
		t.cells[abi] = map[string]*T{}
		t.abis = append(t.abis, abi)
	}
	t.files[abi] = append(t.files[abi], says)
}

// cell returns the count of a kind in the files of an ABI.
func (t *sheet[T]) cell(abi, kind string) *T {
	of := t.cells[abi]
	if of[kind] == nil {
		of[kind] = new(T)
	}
	return of[kind]
}

// table counts mutants by ABI and kind.
type table struct{ sheet[cell] }

func (c *cell) add(d *cell) {
	c.mutants += d.mutants
	c.equivalent += d.equivalent
	c.proven += d.proven
	for v := range c.verdicts {
		for i := range c.verdicts[v] {
			c.verdicts[v][i] += d.verdicts[v][i]
		}
	}
}

const head = "| %s | mutants | equivalent | true | both | `.eh_frame` | symbols | neither | source |\n|---|---|---|---|---|---|---|---|---|\n"

// markdown returns the sums by ABI and a table for each.
func (t *table) markdown(o *options) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Seed %d, up to %d mutants of each kind for each file.\n\n", o.seed, o.count)
	fmt.Fprintf(&b, head, "ABI")
	all := cell{}
	for _, abi := range t.abis {
		sum := cell{}
		for _, c := range t.cells[abi] {
			sum.add(c)
		}
		all.add(&sum)
		sum.print(&b, abi)
	}
	all.print(&b, "all")
	for _, abi := range t.abis {
		fmt.Fprintf(&b, "\n### %s\n\nFiles: %s.\n\n", abi, strings.Join(t.files[abi], ", "))
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
	fmt.Fprintf(b, "| %s | %d | %d | %d |", name, c.mutants, c.equivalent, c.proven)
	for _, n := range c.verdicts {
		switch {
		case n[silent]+n[astray]+n[found] == 0:
			fmt.Fprint(b, " |")
		case n[astray] > 0:
			fmt.Fprintf(b, " %d / %d / %d%s |", n[found], n[silent], n[astray], share(n))
		case n[silent] > 0:
			fmt.Fprintf(b, " %d / %d%s |", n[found], n[silent], share(n))
		default:
			fmt.Fprintf(b, " %d |", n[found])
		}
	}
	fmt.Fprintln(b)
}

// share writes the share of silent mutants.
func share(n [found + 1]int) string {
	return fmt.Sprintf(" (%.1f%%)", 100*float64(n[silent])/float64(n[silent]+n[astray]+n[found]))
}
