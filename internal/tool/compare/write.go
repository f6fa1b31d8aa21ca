package compare

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/rules"
)

// WriteJSON writes a report as indented JSON. It holds one item of a [DiffReport], [LinkReport] or [Stat] at a time.
func WriteJSON(w io.Writer, report any) error {
	switch r := report.(type) {
	case *DiffReport:
		return writeLists(w, r, list{"differences", items(r.Differences())})
	case *LinkReport:
		return writeLists(w, r, list{"losses", items(r.Losses())})
	case *Stat:
		return writeLists(w, r, list{"files", items(slices.Values(r.Census.Rows))}, list{"groups", items(slices.Values(r.Census.Groups))})
	}
	return writeLists(w, report)
}

// list is a field of a report with items.
type list struct {
	name  string
	items iter.Seq[any]
}

func items[T any](all iter.Seq[T]) iter.Seq[any] {
	return func(yield func(any) bool) { all(func(x T) bool { return yield(x) }) }
}

// writeLists writes the fields of a struct, and those with lists after them.
func writeLists(w io.Writer, fields any, lists ...list) error {
	var b bytes.Buffer
	encode := func(indent string, v any) error {
		b.Reset()
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent(indent, "  ")
		return enc.Encode(v)
	}
	if err := encode("", fields); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n}\n")))
	for _, l := range lists {
		fmt.Fprintf(out, ",\n  %q: [", l.name)
		before, after := "\n    ", "]"
		for item := range l.items {
			if err := encode("    ", item); err != nil {
				return err
			}
			out.WriteString(before)
			if _, err := out.Write(bytes.TrimSpace(b.Bytes())); err != nil {
				return err
			}
			before, after = ",\n    ", "\n  ]"
		}
		out.WriteString(after)
	}
	out.WriteString("\n}\n")
	return out.Flush()
}

// WriteDiff writes a comparison as text.
func WriteDiff(w io.Writer, r *DiffReport) error {
	b := bufio.NewWriter(w)
	for d := range r.Differences() {
		if err := r.difference(b, &d); err != nil {
			return err
		}
	}
	if r.Equal {
		fmt.Fprintf(b, "%s and %s agree on %s\n", escape.Printable(r.A), escape.Printable(r.B),
			rules.Count(r.Compared, "function"))
	}
	return b.Flush()
}

// WriteDiffMarkdown writes a comparison as a table in Markdown, for example for release notes.
func WriteDiffMarkdown(w io.Writer, r *DiffReport) error {
	b := bufio.NewWriter(w)
	cell := func(s string) string {
		s = strings.NewReplacer("\\", "\\\\", "|", "\\|", "*", "\\*", "_", "\\_", "`", "\\`", "<", "&lt;", "[", "\\[").Replace(escape.Message(s))
		if s == "" {
			return "-"
		}
		return s
	}
	fmt.Fprintf(b, "| File | Function | PCs | %s | %s |\n|---|---|---|---|---|\n", cell(r.A), cell(r.B))
	for d := range r.Differences() {
		x, y, pcs := d.A, d.B, ""
		switch {
		case d.Kind == OnlyA:
			y = "no FDE"
		case d.Kind == OnlyB:
			x = "no FDE"
		case d.To != "":
			pcs = "+" + d.From + " to +" + d.To
		}
		if (d.Kind == OnlyA || d.Kind == OnlyB) && d.Function == "" {
			x, y = strings.Replace(x, "no FDE", "not there", 1), strings.Replace(y, "no FDE", "not there", 1)
		}
		if _, err := fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", cell(d.Unit), cell(d.Function), cell(pcs), cell(x), cell(y)); err != nil {
			return err
		}
	}
	if r.Equal {
		fmt.Fprintf(b, "| - | %s | - | the same | the same |\n", rules.Count(r.Compared, "function"))
	}
	return b.Flush()
}

func (r *DiffReport) difference(b *bufio.Writer, d *Difference) (err error) {
	what := escape.Name(d.Function)
	if d.Unit != "" {
		what = strings.TrimSpace("(" + escape.Name(d.Unit) + ") " + what)
	}
	switch {
	case d.Kind == Differs:
		_, err = fmt.Fprintf(b, "%s%s is for %s, %s for %s\n", prefix(what), escape.Printable(r.A), d.A, escape.Printable(r.B), d.B)
	case d.Kind == OnlyA && d.Function == "":
		_, err = fmt.Fprintf(b, "%s: only %s has this member (%s)\n", what, escape.Printable(r.A), d.A)
	case d.Kind == OnlyB && d.Function == "":
		_, err = fmt.Fprintf(b, "%s: only %s has this member (%s)\n", what, escape.Printable(r.B), d.B)
	case d.Kind == OnlyA:
		_, err = fmt.Fprintf(b, "%s: only %s has an FDE (%s, %s)\n", what, escape.Printable(r.A), d.StartA, d.A)
	case d.Kind == OnlyB:
		_, err = fmt.Fprintf(b, "%s: only %s has an FDE (%s, %s)\n", what, escape.Printable(r.B), d.StartB, d.B)
	default:
		if d.To != "" {
			what += fmt.Sprintf(" from +%s to +%s", d.From, d.To)
		}
		_, err = fmt.Fprintf(b, "%s:\n    %s: %s\n    %s: %s\n", what, escape.Printable(r.A), d.A, escape.Printable(r.B), d.B)
	}
	return err
}

func prefix(what string) string {
	if what == "" {
		return ""
	}
	return what + ": "
}

// columns are the titles of the census table.
var columns = []string{"FILE", "KIND", "VERSION", "ABI", "FLAGS", "TYPE", "FDES", "FRES", "BYTES", "LOOKS LIKE"}

// WriteCensus writes a census as a table, followed by the sections that differ. It keeps only one row in memory.
func WriteCensus(w io.Writer, c *Census) error {
	b := bufio.NewWriter(w)
	c.table(b, columns, (*Entry).cells)
	for _, g := range c.Groups {
		if g.Kind != "" {
			fmt.Fprintf(b, "%d %s: %s\n", g.Count, g.Kind, g.What)
		}
	}
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Odd != "" {
			fmt.Fprintf(b, "odd one out: %s: %s\n", r.name(), r.Odd)
		}
	}
	return b.Flush()
}

// table writes a line for each row, in columns.
func (c *Census) table(b *bufio.Writer, head []string, cells func(*Entry) []string) {
	widths := make([]int, len(head))
	each := func(do func(cells []string)) {
		do(head)
		for i := range c.Rows {
			do(cells(&c.Rows[i]))
		}
	}
	each(func(cells []string) {
		for i, s := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(s))
		}
	})
	each(func(cells []string) {
		line := ""
		for i, s := range cells {
			line += s + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(s)+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	})
}

// WriteBuilds writes the sizes of code, .eh_frame and SFrame data of each file, and their changes relative to the
// first file.
func WriteBuilds(w io.Writer, s *Stat) error {
	b, c, first := bufio.NewWriter(w), s.Census, int64(0)
	c.table(b, []string{"FILE", "CODE", ".EH_FRAME", "SFRAME", "ALL", "AGAINST FIRST"}, func(r *Entry) []string {
		share := func(n int64) string { return fmt.Sprintf("%d (%.1f%%)", n, 100*float64(n)/float64(max(r.Code, 1))) }
		all := r.Code + r.EHFrame + r.Bytes
		if first = cmp.Or(first, all); all == 0 {
			return []string{r.name(), r.Status}
		}
		sframe := share(r.Bytes)
		if r.Version > 0 {
			sframe = fmt.Sprintf("V%d %s", r.Version, sframe)
		}
		return []string{r.name(), fmt.Sprint(r.Code), share(r.EHFrame), sframe, fmt.Sprint(all), fmt.Sprintf("%+.1f%%", 100*float64(all-first)/float64(first))}
	})
	return b.Flush()
}

func (r *Entry) name() string {
	if r.Member == "" {
		return escape.Printable(r.Path)
	}
	return escape.Printable(r.Path) + "(" + escape.Name(r.Member) + ")"
}

// cells returns a row of the table.
func (r *Entry) cells() []string {
	if r.Version == 0 {
		return []string{r.name(), r.Kind, r.Status}
	}
	looks := r.Producer
	if r.Unmerged > 0 {
		looks += fmt.Sprintf("; %d more after it, unmerged", r.Unmerged)
	}
	return []string{r.name(), r.Kind, fmt.Sprint("V", r.Version), r.ABI + " " + r.Order, strings.Join(r.Flags, ","), r.Type,
		strconv.Itoa(r.FDEs), strconv.Itoa(r.FREs), strconv.FormatInt(r.Bytes, 10), looks}
}

// WriteLink writes a link check as text: the sum, problems of the whole output, the inputs that lost functions,
// changed functions, and the inputs without data. It lists up to most inputs, with a few functions each, and up to
// most changed functions. A negative value lists all.
func WriteLink(w io.Writer, r *LinkReport, most int) error {
	b := bufio.NewWriter(w)
	name := escape.Printable(r.Output)
	if fmt.Fprintf(b, "%s: ", name); r.Described == 0 {
		b.WriteString("no input that could be read has functions with SFrame data")
	} else {
		fmt.Fprintf(b, "%d of %s of the inputs are described in the same way", r.Kept, rules.Count(r.Described, "function"))
	}
	if n := r.Unseen - r.Uncompared; n > 0 {
		fmt.Fprintf(b, ", %d left out by the linker", n)
	}
	if r.Uncompared > 0 {
		fmt.Fprintf(b, ", %d not compared", r.Uncompared)
	}
	b.WriteByte('\n')
	changed := 0
	for l := range r.Losses() {
		switch l.Kind {
		case FDELost, NoData:
			continue // by input, below
		case FDEChanged:
			changed++
			continue
		}
		if err := r.loss(b, &l); err != nil {
			return err
		}
	}
	r.inputs(b, most)
	if err := r.functions(b, most, changed); err != nil {
		return err
	}
	r.writeInputsWithoutData(b, most)
	return b.Flush()
}

func (r *LinkReport) loss(b *bufio.Writer, l *Loss) error {
	b.WriteString(escape.Printable(r.Output))
	if l.Function != "" {
		fmt.Fprintf(b, ": %s", escape.Name(l.Function))
	}
	if l.Input != "" {
		fmt.Fprintf(b, " (from %s)", escape.Printable(l.Input))
	}
	_, err := fmt.Fprintf(b, ": %s [%s]\n", escape.Message(l.Message), l.Kind)
	return err
}

// Losers returns the inputs that lost functions, most losses first.
func (r *LinkReport) Losers() []InputCounts {
	some := slices.Clone(r.Inputs)
	some = slices.DeleteFunc(some, func(c InputCounts) bool { return c.Lost == 0 })
	slices.SortStableFunc(some, func(x, y InputCounts) int { return y.Lost - x.Lost })
	return some
}

// Summary describes the losses of an input, for example: 3 of 5 functions lost or changed: "f", "g" and 1 more.
func (c *InputCounts) Summary() string {
	s := fmt.Sprintf("%d of %s lost or changed", c.Lost, rules.Count(c.Described, "function"))
	if len(c.some) > 0 {
		s += ": " + quoteNames(c.some)
		if n := c.Lost - len(c.some); n > 0 {
			s += fmt.Sprintf(" and %d more", n)
		}
	}
	return s
}

// inputs writes the inputs that lost functions.
func (r *LinkReport) inputs(b *bufio.Writer, most int) {
	some := r.Losers()
	for i, c := range some {
		if i == most {
			rest := 0
			for _, c := range some[i:] {
				rest += c.Lost
			}
			fmt.Fprintf(b, "    %s: %d lost or changed (--losses)\n", rules.Count(len(some)-i, "further input"), rest)
			return
		}
		fmt.Fprintf(b, "    %s: %s\n", escape.Printable(c.Input), escape.Message(c.Summary()))
	}
}

// functions writes the changed functions, and all that are lost where all are wanted.
func (r *LinkReport) functions(b *bufio.Writer, most, changed int) error {
	if changed == 0 && most >= 0 {
		return nil
	}
	left := most
	for l := range r.Losses() {
		if l.Kind != FDEChanged && (l.Kind != FDELost || most >= 0) {
			continue
		}
		if left == 0 {
			fmt.Fprintf(b, "%s: %s not shown (--losses) [%s]\n", escape.Printable(r.Output),
				rules.Count(changed-most, "further changed function"), FDEChanged)
			break
		}
		left--
		if err := r.loss(b, &l); err != nil {
			return err
		}
	}
	return nil
}

// without are the members of an archive, or the file, without SFrame data.
type without struct {
	path               string
	members, functions int
}

// writeInputsWithoutData writes the inputs without SFrame data, those of an archive together.
func (r *LinkReport) writeInputsWithoutData(b *bufio.Writer, most int) {
	var all []without
	at, inputs, functions := map[string]int{}, 0, 0
	for l := range r.check.inputsWithoutData() {
		n := l.symbols.names()
		inputs, functions = inputs+1, functions+n
		i, seen := at[l.Path]
		if !seen {
			i = len(all)
			at[l.Path] = i
			all = append(all, without{path: escape.UTF8(l.Path)})
		}
		all[i].functions += n
		if l.Member != "" {
			all[i].members++
		}
	}
	if inputs == 0 {
		return
	}
	verbs := [2]string{"define", "have"}
	if inputs == 1 {
		verbs = [2]string{"defines", "has"}
	}
	fmt.Fprintf(b, "%s: %s %s %s but %s no SFrame data: traces stop there [%s]\n", escape.Printable(r.Output), rules.Count(inputs, "input"),
		verbs[0], rules.Count(functions, "function"), verbs[1], NoData)
	for i, x := range all {
		if i == most {
			fmt.Fprintf(b, "    %s (--losses)\n", rules.Count(len(all)-i, "further file"))
			return
		}
		fmt.Fprintf(b, "    %s: %s", escape.Printable(x.path), rules.Count(x.functions, "function"))
		if x.members > 0 {
			fmt.Fprintf(b, " of %s", rules.Count(x.members, "member"))
		}
		b.WriteByte('\n')
	}
}
