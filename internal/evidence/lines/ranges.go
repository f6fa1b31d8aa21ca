package lines

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
		c := &cursor{w: w, big: v.c.big, wide: v.c.wide}
		if read(c); !c.bad {
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
		case c.bad || from == codeAddr{} && to == codeAddr{}:
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
		c := cursor{w: w, big: v.c.big, wide: v.c.wide}
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
		p, ok := v.addressAt(c.uleb())
		c.bad = c.bad || !ok
		return p
	}
	for base := u.low; !c.bad && v.f.spend.step(1); {
		var x extent
		switch c.u8() {
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
			x.end = x.addr + c.uleb()
		case rleOffsetPair:
			from := codeAddr{addr: c.uleb()}
			x = from.after(base, c.uleb())
		case rleStartEnd:
			x.codeAddr = c.address(u.address)
			x.end = c.address(u.address).addr
		case rleStartLength:
			x.codeAddr = c.address(u.address)
			x.end = x.addr + c.uleb()
		default: // the end
			return
		}
		if !c.bad {
			yield(x)
		}
	}
}
