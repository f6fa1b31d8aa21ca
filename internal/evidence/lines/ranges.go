package lines

import "slices"

// extent is the code from an address up to an end.
type extent struct {
	codeAddr
	end uint64
}

// extents passes on the code of an entry: from low to high, or what its list of ranges has.
func (v *values) extents(low, high, ranges value, yield func(extent)) {
	if from, ok := v.addressOf(low); ok && high.form != 0 {
		end := from.addr + high.number
		if isAddress(high.form) {
			to, _ := v.addressOf(high)
			end = to.addr
		}
		yield(extent{from, end})
		return
	}
	switch u := v.unit; {
	case ranges.form == 0:
	case u.version < 5:
		v.list(u.addrs.sections[".debug_ranges"], ranges.number+u.rangesBase, func(c *cursor) { v.oldRanges(c, yield) })
	default:
		off := ranges.number
		if ranges.form == formRnglistx {
			var ok bool
			if off, ok = v.rangeList(off); !ok {
				return
			}
		}
		v.list(v.f.section(u, ".debug_rnglists"), off, func(c *cursor) { v.rangeLists(c, yield) })
	}
}

// Bytes of a list of ranges that are read at first, and then if it has more.
var listSizes = [...]int64{1 << 10, 64 << 10}

// list reads a list at an offset in a section.
func (v *values) list(s *section, off uint64, read func(*cursor)) {
	size := s.length()
	if off >= uint64(size) {
		return
	}
	for _, n := range listSizes {
		w, ok := s.read(int64(off), min(n, size-int64(off)))
		if !ok {
			return
		}
		c := newCursor(w, v.c.Big, v.c.wide)
		if read(c); !c.Bad {
			return
		}
	}
}

// oldRanges reads a list of .debug_ranges: pairs of offsets from a base, up to two zeros.
func (v *values) oldRanges(c *cursor, yield func(extent)) {
	u := v.unit
	all := ^uint64(0) >> (64 - 8*uint(u.address))
	for base := u.low; v.f.spend.step(1); {
		from, to := c.address(u.address), c.address(u.address)
		switch {
		case c.Bad || from == codeAddr{} && to == codeAddr{}:
			return
		case from.addr == all:
			base = to
		default:
			yield(from.after(base, to.addr))
		}
	}
}

// after returns the code between two offsets from a base. In a relocatable file the first one
// may have a section of its own.
func (p codeAddr) after(base codeAddr, end uint64) extent {
	if p.section == 0 {
		p.section = base.section
	}
	return extent{codeAddr{p.section, p.addr + base.addr}, end + base.addr}
}

// rangeList returns the offset of a list by its index.
func (v *values) rangeList(i uint64) (uint64, bool) {
	size := uint64(4)
	if v.c.wide {
		size = 8
	}
	if i >= 1<<32 {
		return 0, false
	}
	base, off := v.unit.rangeListsBase, uint64(0)
	w, ok := v.f.section(v.unit, ".debug_rnglists").read(int64(base+i*size), int64(size))
	if ok {
		c := newCursor(w, v.c.Big, v.c.wide)
		off = c.offset()
	}
	return base + off, ok
}

// Entries of .debug_rnglists.
const (
	rleEnd          = 0
	rleBaseAddressx = 1
	rleStartxEndx   = 2
	rleStartxLength = 3
	rleOffsetPair   = 4
	rleBaseAddress  = 5
	rleStartEnd     = 6
	rleStartLength  = 7
)

// rangeLists reads a list of .debug_rnglists.
func (v *values) rangeLists(c *cursor, yield func(extent)) {
	u := v.unit
	indexed := func() codeAddr {
		p, ok := v.addressAt(c.ULEB())
		c.Bad = c.Bad || !ok
		return p
	}
	for base := u.low; !c.Bad && v.f.spend.step(1); {
		var x extent
		switch c.U8() {
		case rleBaseAddressx:
			base = indexed()
			continue
		case rleBaseAddress:
			base = c.address(u.address)
			continue
		case rleStartxEndx:
			x.codeAddr = indexed()
			x.end = indexed().addr
		case rleStartxLength:
			x.codeAddr = indexed()
			x.end = x.addr + c.ULEB()
		case rleOffsetPair:
			from := codeAddr{addr: c.ULEB()}
			x = from.after(base, c.ULEB())
		case rleStartEnd:
			x.codeAddr = c.address(u.address)
			x.end = c.address(u.address).addr
		case rleStartLength:
			x.codeAddr = c.address(u.address)
			x.end = x.addr + c.ULEB()
		default: // the end
			return
		}
		if !c.Bad {
			yield(x)
		}
	}
}

// scope is a function, or one that is inlined, at an instruction.
type scope struct {
	u        *unit
	name     value
	function string // what resolve has found
	origin   int64  // of the entry in .debug_info that has the name, 0 for none
	inlined  bool
	call     mark // where the function is inlined
}

// mostScopes bounds the functions at an instruction.
const mostScopes = 32

// Tags of entries that have code.
const (
	tagInlined    = 0x1d
	tagSubprogram = 0x2e
)

// walk finds the functions that targets are in, from the outermost to the innermost.
func (s *search) walk(u *unit) {
	f := u.f
	w, ok := f.section(u, ".debug_info").read(u.entries, u.end-u.entries)
	if !ok || !f.spend.step(2*(u.end-u.entries)) {
		return
	}
	abbrevs := f.abbrevs(u, u.abbrev, 0)
	v := values{f: f, c: newCursor(w, f.e.BigEndian(), u.wide), unit: u}
	for v.c.Left() > 0 && !v.c.Bad {
		number := v.c.ULEB()
		if number == 0 {
			continue
		}
		a := abbrevs[number]
		if a == nil {
			return
		}
		if a.tag != tagSubprogram && a.tag != tagInlined {
			for _, x := range a.attrs {
				v.read(x.form, x.implicit)
			}
			continue
		}
		v.function(a, func(x extent, of *scope) {
			if x.section != 0 || s.code(x.addr) {
				s.enter(x, of)
			}
		})
	}
}

// enter adds a function to the targets in its code.
func (s *search) enter(x extent, of *scope) {
	i, _ := slices.BinarySearchFunc(s.targets, x.codeAddr, func(t target, p codeAddr) int { return t.at.compare(p) })
	for ; i < len(s.targets) && s.entered < mostEntered && s.f.spend.step(8); i++ {
		t := &s.targets[i]
		if t.at.section != x.section || t.at.addr >= x.end {
			return
		}
		t.enter(of)
		s.entered++
	}
}

// enter adds a function that an instruction is in.
func (t *target) enter(x *scope) {
	if !x.inlined {
		t.scopes = t.scopes[:0]
	}
	if len(t.scopes) < mostScopes && !slices.Contains(t.scopes, x) {
		t.scopes = append(t.scopes, x)
	}
}

// function reads the entry of a function, and passes on its code.
func (v *values) function(a *abbrev, yield func(extent, *scope)) {
	var low, high, ranges value
	x := &scope{u: v.unit, inlined: a.tag == tagInlined}
	for _, k := range a.attrs {
		switch got := v.read(k.form, k.implicit); k.name {
		case atLowPC:
			low = got
		case atHighPC:
			high = got
		case atRanges:
			ranges = got
		case atCallFile:
			x.call.file = got.number
		case atCallLine:
			if got.number <= mostLine {
				x.call.line = int(got.number)
			}
		default:
			x.named(k.name, got)
		}
	}
	if !v.c.Bad {
		v.extents(low, high, ranges, func(e extent) { yield(e, x) })
	}
}

// named notes an attribute that is a name or leads to one.
func (x *scope) named(attr uint64, got value) {
	switch attr {
	case atName:
		x.name = got
	case atAbstractOrigin, atSpecification:
		if at, ok := x.u.entry(got); ok {
			x.origin = at
		}
	}
}

// entry returns the offset of the entry that a value refers to.
func (u *unit) entry(x value) (int64, bool) {
	if x.number >= 1<<62 {
		return 0, false
	}
	switch x.form {
	case formRef1, formRef2, formRef4, formRef8, formRefUdata:
		return u.off + int64(x.number), true
	case formRefAddr:
		return int64(x.number), true
	}
	return 0, false
}

// mostHops bounds how many entries lead to a name.
const mostHops = 8

// resolve finds the name of a function. units finds the unit that contains an entry.
func (s *search) resolve(x *scope, units func(u *unit, at int64) *unit) {
	y := x
	for hop := 0; hop < mostHops && x.function == ""; hop++ {
		if y.name.form != 0 {
			c := newCursor(new(window), y.u.f.e.BigEndian(), y.u.wide)
			v := values{f: y.u.f, c: c, unit: y.u}
			x.function = s.keep(v.text(y.name))
			return
		}
		u := units(y.u, y.origin)
		if y.origin <= 0 || u == nil {
			return
		}
		y = u.scopeAt(y.origin)
	}
}

// scopeAt reads the name of an entry, or what leads to it.
func (u *unit) scopeAt(at int64) *scope {
	f, x := u.f, &scope{u: u}
	w, ok := f.section(u, ".debug_info").read(at, min(16<<10, u.end-at))
	if !ok {
		return x
	}
	v := values{f: f, c: newCursor(w, f.e.BigEndian(), u.wide), unit: u}
	number := v.c.ULEB()
	a := f.abbrevs(u, u.abbrev, number)[number]
	if a == nil || number == 0 {
		return x
	}
	for _, k := range a.attrs {
		got := v.read(k.form, k.implicit)
		if v.c.Bad {
			break
		}
		x.named(k.name, got)
	}
	return x
}
