package main

import (
	"fmt"
	"io"
	"path/filepath"
)

// cell counts the mutants of a kind in files of an ABI.
type cell struct {
	mutants, equivalent int
	verdicts            [numVariants][found + 1]int
}

// table counts mutants by ABI and kind.
type table struct {
	abis  []string
	cells map[string]map[string]*cell
	from  map[string][]string // files by ABI
}

func (in *input) abiName() string {
	if in.abi.Big && in.abi.Pauth {
		return in.abi.Name + ", big-endian"
	}
	return in.abi.Name
}

func (t *table) cell(in *input, k *kind) *cell {
	if t.cells == nil {
		t.cells, t.from = map[string]map[string]*cell{}, map[string][]string{}
	}
	abi := in.abiName()
	if t.cells[abi] == nil {
		t.cells[abi] = map[string]*cell{}
		t.abis = append(t.abis, abi)
	}
	c := t.cells[abi][k.name]
	if c == nil {
		c = &cell{}
		t.cells[abi][k.name] = c
	}
	return c
}

// files notes that a file is one of those counted.
func (t *table) files(in *input) {
	if t.from != nil {
		t.from[in.abiName()] = append(t.from[in.abiName()], filepath.Base(in.path))
	}
}

func (c *cell) add(d *cell) {
	c.mutants += d.mutants
	c.equivalent += d.equivalent
	for v := range c.verdicts {
		for i := range c.verdicts[v] {
			c.verdicts[v][i] += d.verdicts[v][i]
		}
	}
}

// print writes a table for each ABI.
func (t *table) print(w io.Writer, o *options) {
	for _, abi := range t.abis {
		fmt.Fprintf(w, "\n## %s\n\n%d files\n\n", abi, len(t.from[abi]))
		fmt.Fprintln(w, "| fault | mutants | equivalent | both | `.eh_frame` | symbols | neither |")
		fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
		sum := cell{}
		for i := range o.kinds {
			k := &o.kinds[i]
			if c := t.cells[abi][k.name]; c != nil {
				c.print(w, k.name)
				sum.add(c)
			}
		}
		sum.print(w, "all")
	}
}

func (c *cell) print(w io.Writer, name string) {
	fmt.Fprintf(w, "| %s | %d | %d |", name, c.mutants, c.equivalent)
	for _, n := range c.verdicts {
		switch {
		case n[silent]+n[astray]+n[found] == 0:
			fmt.Fprint(w, " |")
		case n[astray] > 0:
			fmt.Fprintf(w, " %d / %d / %d |", n[found], n[silent], n[astray])
		default:
			fmt.Fprintf(w, " %d / %d |", n[found], n[silent])
		}
	}
	fmt.Fprintln(w)
}
