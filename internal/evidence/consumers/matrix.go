package consumers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/sframe-lint/sframe-lint/reader"
)

// Response is what one consumer does with a section.
type Response struct {
	Consumer *Profile
	Verdicts []Verdict // result of [Profile.Judge]; the first verdict is the outcome
}

// Sheet lists which consumers can read a section. An object without a section also has a sheet.
type Sheet struct {
	Path    string // as given by the user
	Member  string // name of the archive member; "" outside an archive
	Section string // name of the section; "" for a raw section or no section
	Rows    []Response
}

// verdictCost is about what a verdict takes besides its reason, and the row it is in, in bytes.
const verdictCost = 256

// Cost returns the approximate size of the sheet in memory, in bytes.
func (s *Sheet) Cost() (n int64) {
	for i := range s.Rows {
		for j := range s.Rows[i].Verdicts {
			n += verdictCost + int64(len(s.Rows[i].Verdicts[j].Why))
		}
	}
	return n
}

// Matrix judges a section by some profiles. If some is empty, it uses all profiles. For an object without SFrame data,
// s is nil.
func Matrix(o *reader.Object, s *reader.SFrame, found Findings, some ...*Profile) []Response {
	if len(some) == 0 {
		some = table()
	}
	rows := make([]Response, len(some))
	for i, p := range some {
		rows[i].Consumer = p
		if s != nil || p.CFI && o.ELF != nil {
			rows[i].Verdicts = p.Judge(o, s, found)
			continue
		}
		why := "there is no SFrame data: " + cmp.Or(o.Detail, "no section")
		rows[i].Verdicts = []Verdict{{Outcome: Ignores, Why: why, FDE: -1, FRE: -1}}
	}
	return rows
}

// Sheets judges all sections of an object. For an object without SFrame data, it returns one sheet.
func Sheets(o *reader.Object, found Findings, some ...*Profile) []Sheet {
	if len(o.SFrames) == 0 {
		return []Sheet{{o.Path, o.Member, "", Matrix(o, nil, found, some...)}}
	}
	var out []Sheet
	for _, s := range o.SFrames {
		out = append(out, Sheet{o.Path, o.Member, s.Name, Matrix(o, s, found, some...)})
	}
	return out
}

// WriteList writes profiles in one of the [Formats]. It writes the name, the title and the [Lookup] of each profile,
// and the demands if demands is set.
func WriteList(w io.Writer, format string, some []*Profile, demands bool) error {
	type row struct {
		Name    string   `json:"name"`
		Title   string   `json:"title"`
		Lookup  Lookup   `json:"lookup,omitempty"`
		Demands []string `json:"demands,omitempty"`
	}
	enc := json.NewEncoder(w)
	rows := make([]row, len(some))
	for i, p := range some {
		rows[i] = row{p.Name, p.Title, p.Lookup, nil}
		for j := range p.Checks {
			if c := &p.Checks[j]; demands {
				rows[i].Demands = append(rows[i].Demands, c.Text()+c.limits()+"; otherwise it "+c.consequence())
			}
		}
	}
	switch format {
	case "json":
		enc.SetIndent("", "  ")
		return enc.Encode(rows)
	case "jsonl":
		for _, r := range rows {
			if err := enc.Encode(r); err != nil {
				return err
			}
		}
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%s\n", r.Name, r.Title, r.Lookup)
		for _, d := range r.Demands {
			fmt.Fprintf(t, "  %s\n", d)
		}
	}
	return t.Flush()
}

// limits returns the sections to which the check applies.
func (c *Check) limits() string {
	var out []string
	if len(c.Versions) > 0 {
		out = append(out, "version "+versionsText(c.Versions))
	}
	if c.Order != AnyOrder {
		out = append(out, string(c.Order)+"-endian")
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, ", ") + ")"
}

// consequence returns what the consumer does with a section that does not meet the demand.
func (c *Check) consequence() string {
	v := Verdict{Outcome: c.Else, Maybe: c.Maybe}
	if c.How == "" {
		return v.outcome()
	}
	return v.outcome() + ": " + c.How
}
