package build

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// A section counts by classes of values: the ends of what a field can hold, their neighbours and the ranges
// between them. A class that the generator never reaches is a hole.

// cornerField is a field with the classes of its values.
type cornerField struct {
	Name    string
	Classes []cornerClass
}

// cornerClass is a range of values, or a single one.
type cornerClass struct {
	Lo, Hi int64
	Count  uint64 // of the values seen
	// Never says why no valid section of a testable size has such a value; "" if
	// sections with it exist.
	Never string
}

// Name returns the range as text.
func (c *cornerClass) Name() string {
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

// cornerTable counts the values of sections.
type cornerTable struct {
	fields []*cornerField
	byName map[string]*cornerField
}

// newCorners returns a table of all fields, without values.
func newCorners() *cornerTable {
	t := &cornerTable{byName: map[string]*cornerField{}}
	for _, f := range cornerFields() {
		t.fields = append(t.fields, f)
		t.byName[f.Name] = f
	}
	return t
}

// count counts a value.
func (t *cornerTable) count(name string, v int64) {
	f := t.byName[name]
	k, ok := slices.BinarySearchFunc(f.Classes, v, func(c cornerClass, v int64) int {
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

func (t *cornerTable) header(s *model.Section) {
	h := s.Header()
	for f := range h.Version.Info().HeaderFields() {
		if f > model.HdrMagic {
			t.count(f.String(), int64(h.Value(f)))
		}
	}
}

func (t *cornerTable) fde(f model.FDE) {
	v := f.Section().Version().Info()
	t.count(fmt.Sprintf("start, %d bytes", v.StartWidth), f.RawStart())
	t.count("function size", int64(f.Size()))
	t.count("start of FREs", int64(f.StartFREOff()))
	t.count(fmt.Sprintf("number of FREs, %d bytes", v.Field(model.FDENumFREs).Len), int64(f.ClaimedFREs()))
	t.count("FRE type", int64(f.FREType()))
	t.count("PC type", int64(f.PCType()))
	t.count("pauth key", int64(f.PauthKey()))
	if v.Signal {
		t.count("signal", bit(f.Signal()))
	}
	if v.Flex {
		t.count("FDE type", int64(f.Type()))
	}
	if isRepeated(f) && v.Flex {
		t.count("signal, MASK", bit(f.Signal()))
		t.count("FDE type, MASK", int64(f.Type()))
	}
	if v.Stubs {
		kind := "INC"
		if isRepeated(f) {
			kind = "MASK"
		}
		t.count("rep_size, "+kind, int64(f.RepSize()))
	}
	if f.Section().Version() == model.SFRAME_VERSION_2 {
		t.count("sfde_func_padding2", int64(f.Padding()))
	}
}

func (t *cornerTable) fre(r model.FRE) {
	t.count(fmt.Sprintf("FRE start, %d bytes", r.FDE().FREType().Width()), int64(r.Start()))
	t.count("mangled RA", bit(r.MangledRA()))
	t.count("base register", int64(r.Base()))
	if r.NumWords() > 0 {
		t.count("word size", int64(r.WordSize()))
	}
	name := fmt.Sprintf("data word, %d bytes", r.WordSize().Width())
	if !r.Flex() {
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

// add counts the values of a section.
func (t *cornerTable) add(s *model.Section) {
	t.header(s)
	for f := range s.FDEs() {
		t.fde(f)
		for r := range f.FREs() {
			t.fre(r)
		}
	}
}
