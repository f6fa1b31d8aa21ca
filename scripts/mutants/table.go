package main

import (
	"bytes"
	"fmt"
	"strings"
)

// Counts are numbers, by what they count.
type Counts map[string]int

// Add adds other numbers.
func (c Counts) Add(d Counts) {
	for k, n := range d {
		c[k] += n
	}
}

// Column is a column of a table.
type Column struct {
	Name string
	Text func(Counts) string // nil: the number of that name
}

// Plain returns columns of numbers.
func Plain(names ...string) (out []Column) {
	for _, n := range names {
		out = append(out, Column{Name: n})
	}
	return out
}

// Of returns a column of numbers that are a share of others.
func Of(name, number string, all ...string) Column {
	return Column{name, func(c Counts) string {
		of := 0
		for _, k := range all {
			of += c[k]
		}
		return fmt.Sprint(c[number]) + Share(c[number], of)
	}}
}

// Share writes what share a number is of another one.
func Share(n, of int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%.1f%%)", 100*float64(n)/float64(of))
}

// Table has the numbers of each group, such as an ABI, and of the kinds in it.
type Table struct {
	Columns []Column
	Groups  []string // in the order of their files
	cells   map[string]map[string]Counts
}

// Group adds a group if it is not there.
func (t *Table) Group(name string) {
	if t.cells == nil {
		t.cells = map[string]map[string]Counts{}
	}
	if t.cells[name] == nil {
		t.cells[name] = map[string]Counts{}
		t.Groups = append(t.Groups, name)
	}
}

// Cell returns the numbers of a kind in a group.
func (t *Table) Cell(group, kind string) Counts {
	if t.cells[group][kind] == nil {
		t.cells[group][kind] = Counts{}
	}
	return t.cells[group][kind]
}

// Sum returns the numbers of a kind, "" for all of them, in a group, "" for all of them.
func (t *Table) Sum(group, kind string) Counts {
	sum := Counts{}
	for g, kinds := range t.cells {
		for k, c := range kinds {
			if (group == "" || g == group) && (kind == "" || k == kind) {
				sum.Add(c)
			}
		}
	}
	return sum
}

// Sums writes the sums of each group.
func (t *Table) Sums(b *bytes.Buffer, head string) {
	t.header(b, head)
	for _, g := range t.Groups {
		t.row(b, g, t.Sum(g, ""))
	}
	t.row(b, "all", t.Sum("", ""))
}

// header writes the names of the columns.
func (t *Table) header(b *bytes.Buffer, first string) {
	fmt.Fprintf(b, "| %s |", first)
	for _, c := range t.Columns {
		fmt.Fprintf(b, " %s |", c.Name)
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(t.Columns)))
}

// row writes a line of numbers.
func (t *Table) row(b *bytes.Buffer, name string, n Counts) {
	fmt.Fprintf(b, "| %s |", name)
	for _, c := range t.Columns {
		text := fmt.Sprint(n[c.Name])
		if c.Text != nil {
			text = c.Text(n)
		}
		if text != "" {
			text = " " + text
		}
		fmt.Fprintf(b, "%s |", text)
	}
	fmt.Fprintln(b)
}

// Markdown returns the sums, and the table of each group with all kinds of which there are numbers.
func (t *Table) Markdown(intro, head string, kinds []string) []byte {
	b := bytes.NewBufferString(intro + "\n\n")
	t.Sums(b, head)
	for _, g := range t.Groups {
		fmt.Fprintf(b, "\n### %s\n\n", g)
		t.header(b, "fault")
		for _, k := range kinds {
			if c := t.cells[g][k]; c != nil {
				t.row(b, k, c)
			}
		}
	}
	return b.Bytes()
}
