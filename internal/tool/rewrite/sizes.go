package rewrite

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Sizes is a table of the use of the bytes in sections.
type Sizes struct {
	Sections []*Size `json:"sections"`
	Total    *Size   `json:"total,omitempty"` // of several sections
}

// NewSizes returns a table without sections.
func NewSizes() *Sizes {
	return &Sizes{Sections: []*Size{}}
}

// What is kept of a section and of a function, in bytes, about.
var (
	sizeCost         = int64(reflect.TypeFor[Size]().Size())
	functionSizeCost = int64(reflect.TypeFor[FunctionSize]().Size()) + 64
)

// Add adds a section, for which the budget of the object pays.
func (t *Sizes) Add(o *reader.Object, z *Size) error {
	cost := sizeCost + int64(len(z.Path)+len(z.Member)+len(z.Name)+len(z.Reason)) + int64(len(z.Functions))*functionSizeCost
	if err := budget.Of(o.Context).Spend(budget.Memory, cost); err != nil {
		return err
	}
	t.Sections = append(t.Sections, z)
	return nil
}

// Join adds the sections of another table.
func (t *Sizes) Join(x *Sizes) { t.Sections = append(t.Sections, x.Sections...) }

// Finish sums up several sections.
func (t *Sizes) Finish() {
	if len(t.Sections) < 2 {
		return
	}
	t.Total = &Size{}
	for _, s := range t.Sections {
		sum := t.Total
		sum.Bytes, sum.EHFrame, sum.Least = sum.Bytes+s.Bytes, sum.EHFrame+s.EHFrame, sum.Least+s.Least
		sum.FDEs, sum.FREs = sum.FDEs+s.FDEs, sum.FREs+s.FREs
		sum.Parts.add(&s.Parts)
		sum.Costs.add(&s.Costs)
	}
}

// Share is a number of bytes, and what they are.
type Share struct {
	Name  string
	Bytes int64
}

// List returns the costs that are not zero, the largest first, as phrases.
func (c Costs) List() []Share {
	all := shares(c)
	slices.SortStableFunc(all, func(x, y Share) int { return cmp.Compare(y.Bytes, x.Bytes) })
	for i := range all {
		all[i].Name = costText[all[i].Name]
	}
	return all
}

// List returns the parts that are not empty.
func (p Parts) List() []Share { return shares(p) }

// shares returns the numbers of a struct by their names in JSON, without zeros.
func shares(v any) (all []Share) {
	x := reflect.ValueOf(v)
	for i := range x.NumField() {
		if n := x.Field(i).Int(); n != 0 {
			name, _, _ := strings.Cut(x.Type().Field(i).Tag.Get("json"), ",")
			all = append(all, Share{strings.ReplaceAll(name, "_", " "), n})
		}
	}
	return all
}

// WriteText writes the table as text.
func (t *Sizes) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, s := range t.Sections {
		s.write(b)
	}
	if t.Total != nil {
		t.Total.write(b)
	}
	return b.Flush()
}

// Title names the section, with its version and ABI.
func (s *Size) Title() string {
	if s.Path == "" {
		return "total"
	}
	name := escape.Printable(s.Path)
	if s.Member != "" {
		name += "(" + escape.Name(s.Member) + ")"
	}
	return fmt.Sprintf("%s: version %d, %s", name, s.Version, s.ABI)
}

func (s *Size) write(b *bufio.Writer) {
	fmt.Fprintf(b, "%s: %d bytes, %d FDEs, %d FREs", s.Title(), s.Bytes, s.FDEs, s.FREs)
	if s.EHFrame > 0 {
		fmt.Fprintf(b, "; .eh_frame and its header: %d bytes", s.EHFrame)
	}
	fmt.Fprintln(b)
	for _, x := range s.Parts.List() {
		fmt.Fprintf(b, "    %8d  %5.1f%%  %s\n", x.Bytes, percent(x.Bytes, s.Bytes), x.Name)
	}
	switch {
	case s.Reason != "":
		fmt.Fprintf(b, "    it can't be written again: %s\n", escape.Printable(s.Reason))
	case s.Least == s.Bytes:
		fmt.Fprintf(b, "    'rewrite' makes it no smaller\n")
	default:
		fmt.Fprintf(b, "    'rewrite' makes it %d bytes (%.1f%% less):\n", s.Least, percent(s.Bytes-s.Least, s.Bytes))
		for _, x := range s.Costs.List() {
			fmt.Fprintf(b, "    %8d  %5.1f%%  %s\n", x.Bytes, percent(x.Bytes, s.Bytes), x.Name)
		}
	}
	if len(s.Functions) > 0 {
		fmt.Fprintln(b, "    largest functions:")
	}
	for _, f := range s.Functions {
		name := f.Start
		if f.Name != "" {
			name = escape.Name(f.Name)
		}
		fmt.Fprintf(b, "    %8d  %5.1f%%  %s (%d FREs)\n", f.Bytes, percent(f.Bytes, s.Bytes), name, f.FREs)
	}
}

// costText says what each of [rewrite.Costs] is.
var costText = map[string]string{
	"repeated":     "FREs that say what the previous one says",
	"start widths": "start offsets that are wider than needed",
	"word widths":  "data words that are wider than needed",
	"sharing":      "FREs that other functions have too",
	"rest":         "FDEs that nothing needs, headers, FDE types",
}

func percent(n, of int64) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}
