// Package corners counts the values of the fields of sections by classes: the ends of
// what a field can hold, their neighbours and the ranges between them. A class that a
// generator never reaches is a hole.
package corners

import (
	"fmt"
	"io"
	"math/bits"
	"slices"
	"text/tabwriter"

	"github.com/sframe-lint/sframe-lint/model"
)

// Field is a field with the classes of its values.
type Field struct {
	Name    string
	Classes []Class
}

// Class is a range of values, or a single one.
type Class struct {
	Lo, Hi int64
	Count  uint64 // of the values seen
	// Never says why no valid section of a testable size has such a value; "" if
	// sections with it exist.
	Never string
}

// Name returns the range as text.
func (c *Class) Name() string {
	if c.Lo == c.Hi {
		return power(c.Lo)
	}
	return power(c.Lo) + " to " + power(c.Hi)
}

// power writes ends of powers of two from 2^16 on as such.
func power(v int64) string {
	switch v {
	case 1<<63 - 1:
		return "2^63-1"
	case -1 << 63:
		return "-2^63"
	}
	for d := int64(-2); d <= 2; d++ {
		u := uint64(max(v-d, d-v))
		n := bits.TrailingZeros64(u)
		if n < 16 || n > 62 || u != 1<<n {
			continue
		}
		s := fmt.Sprintf("2^%d", n)
		if v < 0 {
			s = "-" + s
		}
		if d != 0 {
			s += fmt.Sprintf("%+d", d)
		}
		return s
	}
	return fmt.Sprint(v)
}

// Table counts the values of sections.
type Table struct {
	Sections uint64
	fields   []*Field
	byName   map[string]*Field
}

// New returns a table of all fields, without values.
func New() *Table {
	t := &Table{byName: map[string]*Field{}}
	for _, f := range fields() {
		t.fields = append(t.fields, f)
		t.byName[f.Name] = f
	}
	return t
}

// Fields returns the fields in the order of the format.
func (t *Table) Fields() []*Field { return t.fields }

// count counts a value.
func (t *Table) count(name string, v int64) {
	f := t.byName[name]
	k, ok := slices.BinarySearchFunc(f.Classes, v, func(c Class, v int64) int {
		switch {
		case c.Hi < v:
			return -1
		case c.Lo > v:
			return 1
		}
		return 0
	})
	if ok {
		f.Classes[k].Count++
	}
}

// Add counts the values of a section.
func (t *Table) Add(s *model.Section) {
	t.Sections++
	t.header(s)
	for f := range s.FDEs() {
		t.fde(f)
		for r := range f.FREs() {
			t.fre(r)
		}
	}
}

func (t *Table) header(s *model.Section) {
	h := s.Header()
	t.count("sfp_version", int64(h.Version))
	t.count("sfp_flags", int64(h.Flags))
	t.count("sfh_abi_arch", int64(h.ABI))
	t.count("sfh_cfa_fixed_fp_offset", int64(h.FixedFPOffset))
	t.count("sfh_cfa_fixed_ra_offset", int64(h.FixedRAOffset))
	t.count("sfh_auxhdr_len", int64(h.AuxLen))
	t.count("sfh_num_fdes", int64(h.NumFDEs))
	t.count("sfh_num_fres", int64(h.NumFREs))
	t.count("sfh_fre_len", int64(h.FRELen))
	t.count("sfh_fdeoff", int64(h.FDEOff))
	t.count("sfh_freoff", int64(h.FREOff))
}

func (t *Table) fde(f model.FDE) {
	v := f.Section().Version().Info()
	t.count(fmt.Sprintf("start, %d bytes", v.StartWidth), f.RawStart())
	t.count("function size", int64(f.Size()))
	t.count("start of FREs", int64(f.StartFREOff()))
	if v.MaxFREs == 1<<16-1 {
		t.count("number of FREs, 2 bytes", int64(f.ClaimedFREs()))
	} else {
		t.count("number of FREs, 4 bytes", int64(f.ClaimedFREs()))
	}
	t.count("FRE type", int64(f.FREType()))
	t.count("PC type", int64(f.PCType()))
	t.count("pauth key", int64(f.PauthKey()))
	if v.Signal {
		t.count("signal", bit(f.Signal()))
	}
	if v.Flex {
		t.count("FDE type", int64(f.Type()))
	}
	if f.PCType() == model.SFRAME_FDE_PCTYPE_MASK && v.Flex {
		t.count("signal, MASK", bit(f.Signal()))
		t.count("FDE type, MASK", int64(f.Type()))
	}
	switch {
	case !v.Stubs:
	case f.PCType() == model.SFRAME_FDE_PCTYPE_MASK:
		t.count("rep_size, MASK", int64(f.RepSize()))
	default:
		t.count("rep_size, INC", int64(f.RepSize()))
	}
	if f.Section().Version() == model.SFRAME_VERSION_2 {
		t.count("sfde_func_padding2", int64(f.Padding()))
	}
}

func (t *Table) fre(r model.FRE) {
	t.count(fmt.Sprintf("FRE start, %d bytes", r.FDE().FREType().Width()), int64(r.Start()))
	t.count("mangled RA", bit(r.MangledRA()))
	t.count("base register", int64(r.Base()))
	if r.NumWords() > 0 {
		t.count("word size", int64(r.WordSize()))
	}
	width := r.WordSize().Width()
	name := fmt.Sprintf("data word, %d bytes", width)
	if r.FDEType() != model.SFRAME_FDE_TYPE_FLEX {
		t.count("words, default type", int64(r.NumWords()))
		for k := range r.NumWords() {
			t.count(name, int64(r.Word(k)))
		}
		return
	}
	t.count("words, flexible type", int64(r.NumWords()))
	for k, entity := 0, 0; k < r.NumWords() && entity < 3; entity++ {
		c := r.Control(k)
		t.count("control word", int64(c&7))
		if c == 0 {
			k++
			continue
		}
		if c&model.FlexRegP != 0 {
			t.count("register", int64(c>>model.FlexRegShift))
		}
		if k+1 < r.NumWords() {
			t.count(name, int64(r.Word(k+1)))
		}
		k += 2
	}
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// rows visits the rows of the table: field, values, count.
func (t *Table) rows(visit func(field, values, count string)) {
	for _, f := range t.fields {
		for k := range f.Classes {
			c := &f.Classes[k]
			count := fmt.Sprint(c.Count)
			if c.Count == 0 {
				count = "none"
				if c.Never != "" {
					count += ": " + c.Never
				}
			}
			visit(f.Name, c.Name(), count)
		}
	}
}

// Write writes the table as text.
func (t *Table) Write(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "field\tvalues\tcount, in %d sections\n", t.Sections)
	t.rows(func(field, values, count string) { fmt.Fprintf(tw, "%s\t%s\t%s\n", field, values, count) })
	return tw.Flush()
}
