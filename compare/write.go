package compare

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// escape keeps control bytes in names from the terminal.
func escape(s string) string {
	clean := func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\ufffd' {
			return '?'
		}
		return r
	}
	return strings.Map(clean, s)
}

// DiffReport is the JSON form of a comparison.
type DiffReport struct {
	Schema      string       `json:"schema"`
	A           string       `json:"a"`
	B           string       `json:"b"`
	Equal       bool         `json:"equal"`
	Differences []Difference `json:"differences"`
}

// LinkReport is the JSON form of a link check.
type LinkReport struct {
	Schema string `json:"schema"`
	Output string `json:"output"`
	Losses []Loss `json:"losses"`
}

// WriteJSON writes a report, indented.
func WriteJSON(w io.Writer, report any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(report)
}

// WriteDiff writes a comparison in words.
func WriteDiff(w io.Writer, r DiffReport) error {
	var b strings.Builder
	for _, d := range r.Differences {
		if d.Unit != "" {
			fmt.Fprintf(&b, "(%s) ", escape(d.Unit))
		}
		switch d.Kind {
		case OnlyA:
			fmt.Fprintf(&b, "%s: only %s has an FDE (%s, %s)\n", escape(d.Function), escape(r.A), d.StartA, d.A)
		case OnlyB:
			fmt.Fprintf(&b, "%s: only %s has an FDE (%s, %s)\n", escape(d.Function), escape(r.B), d.StartB, d.B)
		case Differs:
			fmt.Fprintf(&b, "the sections can't be compared: %s, %s\n", d.A, d.B)
		default:
			where := ""
			if d.To != "" {
				where = fmt.Sprintf(" from +%s to +%s", d.From, d.To)
			}
			fmt.Fprintf(&b, "%s%s:\n    %s: %s\n    %s: %s\n", escape(d.Function), where, escape(r.A), d.A, escape(r.B), d.B)
		}
	}
	if r.Equal {
		fmt.Fprintf(&b, "%s and %s say the same\n", escape(r.A), escape(r.B))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteLink writes a link check in words.
func WriteLink(w io.Writer, r LinkReport) error {
	var b strings.Builder
	for _, l := range r.Losses {
		b.WriteString(escape(r.Output))
		if l.Function != "" {
			fmt.Fprintf(&b, ": %s", escape(l.Function))
		}
		if l.Input != "" {
			fmt.Fprintf(&b, " (from %s)", escape(l.Input))
		}
		fmt.Fprintf(&b, ": %s [%s]\n", escape(l.Message), l.Kind)
	}
	if len(r.Losses) == 0 {
		fmt.Fprintf(&b, "%s: every function of the inputs is described as they describe it\n", escape(r.Output))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteCensus writes a census as a table, the odd ones out behind it.
func WriteCensus(w io.Writer, c *Census) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "FILE\tKIND\tVERSION\tABI\tFLAGS\tTYPE\tFDES\tFRES\tBYTES\tLOOKS LIKE")
	for _, r := range c.Rows {
		name := r.Path
		if r.Member != "" {
			name += "(" + r.Member + ")"
		}
		if r.Version == 0 {
			fmt.Fprintf(t, "%s\t%s\t%s\t\t\t\t\t\t\t\n", escape(name), r.Kind, r.Status)
			continue
		}
		fmt.Fprintf(t, "%s\t%s\tV%d\t%s %s\t%s\t%s\t%d\t%d\t%d\t%s\n", escape(name), r.Kind, r.Version, r.ABI, r.Order,
			strings.Join(r.Flags, ","), r.Type, r.FDEs, r.FREs, r.Bytes, r.Producer)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, g := range c.Groups {
		if g.Kind != "" {
			fmt.Fprintf(w, "%d %s: %s\n", g.Count, g.Kind, g.What)
		}
	}
	for _, r := range c.Rows {
		if r.Odd != "" {
			name := r.Path
			if r.Member != "" {
				name += "(" + r.Member + ")"
			}
			fmt.Fprintf(w, "odd one out: %s: %s\n", escape(name), r.Odd)
		}
	}
	return nil
}
