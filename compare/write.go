package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/sframe-lint/sframe-lint/internal/escape"
)

// WriteJSON writes a report, indented.
func WriteJSON(w io.Writer, report any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(report)
}

// WriteDiff writes a comparison as text.
func WriteDiff(w io.Writer, r *DiffReport) error {
	var b strings.Builder
	for i := range r.Differences {
		r.difference(&b, &r.Differences[i])
	}
	if r.Equal {
		fmt.Fprintf(&b, "%s and %s agree on %s\n", escape.Printable(r.A), escape.Printable(r.B),
			count(r.Compared, "function", "functions"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *DiffReport) difference(b *strings.Builder, d *Difference) {
	what := escape.Name(d.Function)
	if d.Unit != "" {
		what = strings.TrimSpace("(" + escape.Name(d.Unit) + ") " + what)
	}
	switch {
	case d.Kind == Differs:
		fmt.Fprintf(b, "%s%s is for %s, %s for %s\n", prefix(what), escape.Printable(r.A), d.A, escape.Printable(r.B), d.B)
	case d.Kind == OnlyA && d.Function == "":
		fmt.Fprintf(b, "%s: only %s has this member (%s)\n", what, escape.Printable(r.A), d.A)
	case d.Kind == OnlyB && d.Function == "":
		fmt.Fprintf(b, "%s: only %s has this member (%s)\n", what, escape.Printable(r.B), d.B)
	case d.Kind == OnlyA:
		fmt.Fprintf(b, "%s: only %s has an FDE (%s, %s)\n", what, escape.Printable(r.A), d.StartA, d.A)
	case d.Kind == OnlyB:
		fmt.Fprintf(b, "%s: only %s has an FDE (%s, %s)\n", what, escape.Printable(r.B), d.StartB, d.B)
	default:
		if d.To != "" {
			what += fmt.Sprintf(" from +%s to +%s", d.From, d.To)
		}
		fmt.Fprintf(b, "%s:\n    %s: %s\n    %s: %s\n", what, escape.Printable(r.A), d.A, escape.Printable(r.B), d.B)
	}
}

func prefix(what string) string {
	if what == "" {
		return ""
	}
	return what + ": "
}

// WriteLink writes a link check as text.
func WriteLink(w io.Writer, r *LinkReport) error {
	var b strings.Builder
	for _, l := range r.Losses {
		b.WriteString(escape.Printable(r.Output))
		if l.Function != "" {
			fmt.Fprintf(&b, ": %s", escape.Name(l.Function))
		}
		if l.Input != "" {
			fmt.Fprintf(&b, " (from %s)", escape.Printable(l.Input))
		}
		fmt.Fprintf(&b, ": %s [%s]\n", escape.Message(l.Message), l.Kind)
	}
	fmt.Fprintf(&b, "%s: %d of %s of the inputs are described in the same way", escape.Printable(r.Output), r.Kept,
		count(r.Described, "function", "functions"))
	if r.Unseen > 0 {
		fmt.Fprintf(&b, ", %d without a symbol in the output", r.Unseen)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteCensus writes a census as a table, followed by the sections that differ.
func WriteCensus(w io.Writer, c *Census) error {
	var b bytes.Buffer
	t := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "FILE\tKIND\tVERSION\tABI\tFLAGS\tTYPE\tFDES\tFRES\tBYTES\tLOOKS LIKE")
	for i := range c.Rows {
		fmt.Fprintln(t, c.Rows[i].line())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for line := range bytes.Lines(b.Bytes()) {
		if _, err := fmt.Fprintf(w, "%s\n", bytes.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	b.Reset()
	for _, g := range c.Groups {
		if g.Kind != "" {
			fmt.Fprintf(&b, "%d %s: %s\n", g.Count, g.Kind, g.What)
		}
	}
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Odd != "" {
			fmt.Fprintf(&b, "odd one out: %s: %s\n", r.name(), r.Odd)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (r *Row) name() string {
	if r.Member == "" {
		return escape.Printable(r.Path)
	}
	return escape.Printable(r.Path) + "(" + escape.Name(r.Member) + ")"
}

// line returns a row of the table, its cells separated by tabs.
func (r *Row) line() string {
	if r.Version == 0 {
		return fmt.Sprintf("%s\t%s\t%s\t\t\t\t\t\t\t", r.name(), r.Kind, r.Status)
	}
	looks := r.Producer
	if r.Unmerged > 0 {
		looks += fmt.Sprintf("; %d more after it, unmerged", r.Unmerged)
	}
	return fmt.Sprintf("%s\t%s\tV%d\t%s %s\t%s\t%s\t%d\t%d\t%d\t%s", r.name(), r.Kind, r.Version, r.ABI, r.Order,
		strings.Join(r.Flags, ","), r.Type, r.FDEs, r.FREs, r.Bytes, looks)
}
