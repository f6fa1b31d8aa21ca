package coverage

import (
	"cmp"
	"debug/elf"
	"reflect"
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/drops"
	"github.com/sframe-lint/sframe-lint/reader"
)

// function is a function by one of the sources.
type function struct {
	span
	frames int32 // index of the section with its CFI, -1 without CFI
	cfi    int32 // the FDE's offset there
}

var (
	functionCost = int64(reflect.TypeFor[function]().Size())
	spanCost     = int64(reflect.TypeFor[span]().Size())
)

// collector gathers the functions of an object.
type collector struct {
	o      *reader.Object
	frames *cfi.Frames
	exec   []bool // by section header index

	fdes  spans // the union of the code of FDEs
	cfi   []function
	funcs []function
	file  *File

	held      int64
	obstacles map[[2]int64]drops.Reason // see obstacle
	origins   map[int]Origin            // of functions that are not covered, by index in funcs
	allowed   []string
}

// hold pays for some functions or spans until release is called.
func (c *collector) hold(n int, cost int64) error {
	bytes := int64(n) * cost
	err := c.o.Hold(bytes)
	if err == nil {
		c.held += bytes
	}
	return err
}

// drop gives back what some functions or spans that are no longer used took.
func (c *collector) drop(bytes int64) {
	c.o.Drop(bytes)
	c.held -= bytes
}

// at returns the section of an address, if that is executable. In relocatable files
// the place has it.
func (c *collector) at(place int, addr uint64) (int, bool) {
	if !c.o.ELF.Relocatable() {
		var ok bool
		if place, ok = c.o.ELF.SectionAt(addr); !ok {
			return 0, false
		}
	}
	return place, place < len(c.exec) && c.exec[place]
}

// locate returns the part of a range that is in the executable section of its start.
func (c *collector) locate(place int, start, size uint64) (x span, ok bool) {
	i, ok := c.at(place, start)
	if ok {
		x, ok = c.clip(i, start, size)
	}
	return x, ok
}

// clip returns the part of a range that is in its section.
func (c *collector) clip(section int, start, size uint64) (span, bool) {
	s, first := &c.o.ELF.Sections[section], c.first(section)
	if start < first || start-first >= s.Size || size == 0 {
		return span{}, false
	}
	return span{section, start, start + min(size, s.Size-(start-first))}, true
}

// readFDEs gathers the code that FDEs describe.
func (c *collector) readFDEs() error {
	for _, sf := range c.o.SFrames {
		if sf.Section == nil {
			continue
		}
		if err := c.hold(sf.Section.NumFDEs(), spanCost); err != nil {
			return err
		}
		for f := range sf.Section.FDEs() {
			if f.Resolved() && (f.NumFREs() > 0 || f.HasAttr()) {
				if x, ok := c.locate(f.Place(), f.Start(), uint64(f.Size())); ok {
					c.fdes = append(c.fdes, x)
				}
			}
		}
	}
	c.fdes = c.fdes.union()
	return nil
}

// readCFI gathers the functions with CFI.
func (c *collector) readCFI() error {
	for k, s := range c.frames.Sections {
		before := len(c.cfi)
		for f := range s.FDEs() {
			x, ok := c.locate(int(f.Start.Place), f.Start.Addr, f.Size)
			if !ok || !f.Usable() {
				continue
			}
			if err := c.hold(1, functionCost); err != nil {
				return err
			}
			c.cfi = append(c.cfi, function{x, int32(k), int32(f.Span.Off)})
		}
		if len(c.cfi) > before {
			c.file.Sources = append(c.file.Sources, s.Name)
		}
	}
	c.cfi = separate(c.cfi)
	return nil
}

// readSymbols gathers the functions that have a symbol with a size.
func (c *collector) readSymbols() error {
	var full error
	err := c.o.ELF.Symbols.Each(func(i int, y reader.Symbol) {
		if y.Type != elf.STT_FUNC && y.Type != elf.STT_GNU_IFUNC || y.Reserved || y.Section <= 0 || y.Section >= len(c.exec) || !c.exec[y.Section] {
			return
		}
		if x, ok := c.clip(y.Section, y.Value, y.Size); ok && full == nil {
			if full = c.hold(1, functionCost); full == nil {
				c.funcs = append(c.funcs, function{x, -1, 0})
			}
		}
	})
	if len(c.funcs) > 0 {
		c.file.Sources = append(c.file.Sources, "symbols")
	}
	return cmp.Or(err, full)
}

// merge makes a list of functions without overlaps: those with symbols, those that
// only CFI has, those that only FDEs have. Aliases and entries inside of a function
// are part of it.
func (c *collector) merge() error {
	c.funcs = separate(c.funcs)
	if err := c.join(c.cfi); err != nil {
		return err
	}
	if err := c.hold(len(c.fdes), functionCost); err != nil {
		return err
	}
	own := make([]function, len(c.fdes))
	defer c.drop(int64(len(own)) * functionCost)
	for i, x := range c.fdes {
		own[i] = function{x, -1, 0}
	}
	if len(own) > 0 {
		c.file.Sources = append(c.file.Sources, ".sframe")
	}
	return c.join(own)
}

// separate sorts functions and cuts those off that reach into the next one, and leaves
// those out that start inside of another one.
func separate(fs []function) []function {
	slices.SortFunc(fs, func(a, b function) int {
		return cmp.Or(a.compare(b.span), cmp.Compare(a.frames, b.frames), cmp.Compare(a.cfi, b.cfi))
	})
	out := fs[:0]
	for _, f := range fs {
		if n := len(out); n > 0 && out[n-1].section == f.section && f.start < out[n-1].end {
			continue
		}
		out = append(out, f)
	}
	return out
}

// join adds the parts of functions that no function has yet.
func (c *collector) join(more []function) error {
	if err := c.hold(len(c.funcs), spanCost); err != nil {
		return err
	}
	have := make(spans, len(c.funcs))
	defer c.drop(int64(len(have)) * spanCost)
	for i := range c.funcs {
		have[i] = c.funcs[i].span
	}
	have = have.union()
	for _, f := range more {
		rest := f
		for i := have.from(f.span); rest.start < f.end; i++ {
			rest.end = f.end
			next := f.end
			if i < len(have) && have[i].section == f.section && have[i].start < f.end {
				rest.end, next = have[i].start, have[i].end
			}
			if rest.start < rest.end {
				if err := c.hold(1, functionCost); err != nil {
					return err
				}
				c.funcs = append(c.funcs, rest)
			}
			rest.start = max(next, rest.start)
		}
	}
	c.funcs = separate(c.funcs)
	return nil
}

// span is a range of one section: addresses, or offsets in a relocatable file.
type span struct {
	section    int
	start, end uint64
}

func (s span) size() uint64 { return s.end - s.start }

// compare orders ranges by their starts; of two with one start, the longer one is first.
func (s span) compare(t span) int {
	return cmp.Or(cmp.Compare(s.section, t.section), cmp.Compare(s.start, t.start), cmp.Compare(t.end, s.end))
}

// spans are ranges by place.
type spans []span

// union sorts the ranges and joins those that overlap or touch.
func (s spans) union() spans {
	slices.SortFunc(s, span.compare)
	out := s[:0]
	for _, x := range s {
		if n := len(out); n > 0 && out[n-1].section == x.section && x.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, x.end)
			continue
		}
		out = append(out, x)
	}
	return out
}

// from returns the index of the first range of a union that ends after the start of x.
func (s spans) from(x span) int {
	return sort.Search(len(s), func(i int) bool {
		return s[i].section > x.section || s[i].section == x.section && s[i].end > x.start
	})
}

// within returns how many bytes of x a union has.
func (s spans) within(x span) (n uint64) {
	for i := s.from(x); i < len(s) && s[i].section == x.section && s[i].start < x.end; i++ {
		n += min(s[i].end, x.end) - max(s[i].start, x.start)
	}
	return n
}

// total returns the bytes of a union.
func (s spans) total() (n uint64) {
	for _, x := range s {
		n += x.size()
	}
	return n
}
