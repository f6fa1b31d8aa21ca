package coverage

import (
	"cmp"
	"debug/elf"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/drops"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Measure returns the coverage of an object while the object is visited (see [reader.Scan]). The result has at most
// most gaps, sections and inputs; a negative number means all. Measure does not count uncovered functions of inputs
// that match a pattern in allowed. Errors come from I/O and the budget.
func Measure(o *reader.Object, most int, allowed ...string) (*File, error) {
	f := &File{Path: escape.UTF8(o.Path), Member: escape.UTF8(o.Member), Status: o.Status, Missing: []Reason{}, Sections: []Section{}, Gaps: []Gap{}, Inputs: []Input{}}
	if o.ELF == nil {
		return f, nil
	}
	frames, err := cfi.Load(o, 0)
	if err != nil {
		return f, err
	}
	c := &collector{o: o, allowed: allowed, frames: frames, file: f, exec: make([]bool, len(o.ELF.Sections)), obstacles: map[[2]int64]drops.Reason{}, origins: map[int]Origin{}}
	defer func() { c.drop(c.held) }()
	var code spans
	for i := range o.ELF.Sections {
		s := &o.ELF.Sections[i]
		if c.exec[i] = s.Flags&(elf.SHF_ALLOC|elf.SHF_EXECINSTR) == elf.SHF_ALLOC|elf.SHF_EXECINSTR && s.Type != elf.SHT_NOBITS; c.exec[i] {
			if x, ok := c.clip(i, c.first(i), s.Size); ok {
				code = append(code, x)
			}
		}
	}
	f.Code = code.union().total()
	for _, read := range []func() error{c.readSymbols, c.readCFI, c.readFDEs, c.merge, c.attribute} {
		if err := read(); err != nil {
			return f, err
		}
	}
	if err := c.measure(most); err != nil {
		return f, err
	}
	return f, f.pay(budget.Of(o.Context))
}

// pay spends what the result takes.
func (f *File) pay(b *budget.Budget) error {
	n := reflect.TypeFor[File]().Size() + uintptr(len(f.Missing))*reflect.TypeFor[Reason]().Size()
	for i := range f.Sections {
		n += reflect.TypeFor[Section]().Size() + uintptr(len(f.Sections[i].Section)+len(f.Sections[i].Missing)*int(reflect.TypeFor[Reason]().Size()))
	}
	for i := range f.Inputs {
		n += reflect.TypeFor[Input]().Size() + uintptr(len(f.Inputs[i].Name))
	}
	for i := range f.Gaps {
		n += reflect.TypeFor[Gap]().Size() + uintptr(len(f.Gaps[i].Function)+len(f.Gaps[i].Section)+len(f.Gaps[i].Detail)+len(f.Gaps[i].Help)+len(f.Gaps[i].Input))
	}
	return b.Spend(budget.Memory, int64(n))
}

// first returns the address of a section, 0 in a relocatable file.
func (c *collector) first(i int) uint64 {
	if c.o.ELF.Relocatable() {
		return 0
	}
	return c.o.ELF.Sections[i].Addr
}

// missing returns how many bytes of a function no FDE covers.
func (c *collector) missing(f *function) uint64 { return f.size() - c.fdes.within(f.span) }

// attribute finds the inputs that functions come from which are not covered.
func (c *collector) attribute() error {
	if c.o.ELF.Relocatable() || c.header().Version == 0 {
		return nil
	}
	var all []Uncovered
	var at []int
	for i := range c.funcs {
		fn := &c.funcs[i]
		n := c.missing(fn)
		if n == 0 || c.stub(fn) {
			continue
		}
		if err := c.hold(originFunctions, functionCost); err != nil {
			return err
		}
		u := Uncovered{Section: -1, Addr: fn.start, Bytes: n}
		if g, ok := c.described(fn); ok {
			u.Section, u.Off = int(g.frames), int64(g.cfi)
		}
		all, at = append(all, u), append(at, i)
	}
	if len(all) == 0 {
		return nil
	}
	x, err := NewInputs(c.o, c.frames, func(addr uint64) bool {
		i, ok := c.at(0, addr)
		return ok && c.fdes.within(span{i, addr, addr + 1}) > 0
	})
	if err != nil {
		return err
	}
	x.Locate(all)
	for _, in := range x.Group(all) {
		if in.Name != "" && !c.allows(in.Name) {
			c.file.Inputs = append(c.file.Inputs, in)
		}
	}
	for k := range all {
		c.origins[at[k]] = all[k].From
	}
	return nil
}

// allows reports whether functions of an input may have no FDE.
func (c *collector) allows(input string) bool {
	return slices.ContainsFunc(c.allowed, func(p string) bool { return lookup.Match(p, input) })
}

// originFunctions is the number of functions whose memory the origin of one takes.
const originFunctions = 8

// measure compares the functions with the FDEs.
func (c *collector) measure(most int) error {
	if err := c.o.Step(int64(len(c.funcs))); err != nil {
		return err
	}
	var gaps []int
	stubs := uint64(0)
	last := -1
	for i := range c.funcs {
		fn := &c.funcs[i]
		if fn.section != last {
			if err := c.hold(sectionFunctions, functionCost); err != nil {
				return err
			}
			last = fn.section
			c.file.Sections = append(c.file.Sections, Section{Section: escape.UTF8(c.o.ELF.Sections[last].Name), Missing: []Reason{}})
		}
		part := &c.file.Sections[len(c.file.Sections)-1]
		n := c.missing(fn)
		from := c.origins[i]
		if allowed := from.Input != "" && c.allows(from.Input); from.Start || allowed {
			if stubs += fn.size(); !from.Start { // outside of all counts
				c.file.Allowed.Functions++
				c.file.Allowed.Bytes += n
			}
			continue
		}
		share := Share{1, 1, fn.size(), fn.size() - n}
		if n > 0 {
			share.CoveredFunctions = 0
			gaps = append(gaps, i)
			why, _, _, _ := c.reason(fn)
			c.file.Missing, part.Missing = countMissed(c.file.Missing, why, n), countMissed(part.Missing, why, n)
		}
		if c.stub(fn) {
			stubs += fn.size()
			continue
		}
		c.file.Share, part.Share = c.file.Share.Plus(share), part.Share.Plus(share)
	}
	c.file.Outside = c.file.Code - min(c.file.Code, c.file.Bytes+stubs)
	c.file.sort(most)
	if most >= 0 {
		c.file.Inputs = c.file.Inputs[:min(most, len(c.file.Inputs))]
	}
	slices.SortStableFunc(gaps, func(a, b int) int { return cmp.Compare(c.missing(&c.funcs[b]), c.missing(&c.funcs[a])) })
	if most >= 0 {
		gaps = gaps[:min(most, len(gaps))]
	}
	for _, i := range gaps {
		fn := &c.funcs[i]
		why, detail, help, cfi := c.reason(fn)
		c.file.Gaps = append(c.file.Gaps, Gap{
			Function: c.name(fn), Section: escape.UTF8(c.o.ELF.Sections[fn.section].Name),
			Start: fn.start, Size: fn.size(), Bytes: c.missing(fn), Reason: why, Detail: detail, Help: help, CFI: cfi, Input: c.origins[i].Input,
		})
	}
	return c.o.Err()
}

// sectionFunctions is the number of functions whose memory a section with its reasons takes.
const sectionFunctions = 4

// countMissed counts a function of which some bytes are not covered.
func countMissed(rs []Reason, why Why, bytes uint64) []Reason {
	i := slices.IndexFunc(rs, func(r Reason) bool { return r.Reason == why })
	if i < 0 {
		i, rs = len(rs), append(rs, Reason{Reason: why})
	}
	rs[i].Functions++
	rs[i].Bytes += bytes
	return rs
}

// sort puts the reasons and the sections in order, and keeps up to most sections.
func (f *File) sort(most int) {
	byBytes := func(a, b Reason) int { return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Reason, b.Reason)) }
	slices.SortFunc(f.Missing, byBytes)
	for i := range f.Sections {
		slices.SortFunc(f.Sections[i].Missing, byBytes)
	}
	slices.SortStableFunc(f.Sections, func(a, b Section) int { return cmp.Compare(b.missing(), a.missing()) })
	if most >= 0 && most < len(f.Sections) {
		f.Sections = slices.Clone(f.Sections[:most])
	}
}

func (s *Section) missing() (bytes uint64) {
	for _, r := range s.Missing {
		bytes += r.Bytes
	}
	return bytes
}

// reason returns the reason why a function is not covered, with details of it and what helps, and
// whether CFI describes the function.
func (c *collector) reason(f *function) (why Why, detail, help string, cfi bool) {
	g, cfi := c.described(f)
	switch {
	case c.stub(f):
		return Stub, "", "", cfi
	case !cfi:
		return NoCFI, "", drops.NoCFIHelp, false
	case c.header().Version == 0:
		return NoSection, "", "", true
	}
	if r := c.obstacle(g); !r.Lost {
		return Inexpressible, r.Why, r.Help, true
	}
	return OnlyCFI, "", "", true
}

// stub reports whether a function is a linker's stub.
func (c *collector) stub(f *function) bool {
	name := c.o.ELF.Sections[f.section].Name
	return strings.HasPrefix(name, ".plt") || strings.HasPrefix(name, ".iplt")
}

// obstacle returns why a function with CFI was left out.
func (c *collector) obstacle(g function) drops.Reason {
	key := [2]int64{int64(g.frames), int64(g.cfi)}
	r, known := c.obstacles[key]
	if known {
		return r
	}
	r.Lost = true
	if fde, ok := c.frames.Sections[g.frames].FDEAt(int64(g.cfi)); ok {
		r = drops.Of(c.header(), c.o.ELF, &fde)
	}
	c.obstacles[key] = r
	return r
}

// described returns CFI of code of a function that no FDE describes.
func (c *collector) described(f *function) (function, bool) {
	i := sort.Search(len(c.cfi), func(i int) bool {
		return c.cfi[i].section > f.section || c.cfi[i].section == f.section && c.cfi[i].end > f.start
	})
	for ; i < len(c.cfi) && c.cfi[i].section == f.section && c.cfi[i].start < f.end; i++ {
		part := span{f.section, max(f.start, c.cfi[i].start), min(f.end, c.cfi[i].end)}
		if c.fdes.within(part) < part.size() {
			return c.cfi[i], true
		}
	}
	return function{}, false
}

// header returns that of the first section that has one, otherwise one without a version.
func (c *collector) header() (h model.Header) {
	for _, sf := range c.o.SFrames {
		if sf.Section != nil {
			return sf.Section.Header()
		}
	}
	return h
}

// name returns the name of a function, "" if it has none.
func (c *collector) name(f *function) string {
	section := -1
	if c.o.ELF.Relocatable() {
		section = f.section
	}
	if y, ok := c.o.ELF.Symbols.Func(section, f.start); ok && y.Value == f.start {
		return escape.UTF8(y.Name)
	}
	return ""
}
