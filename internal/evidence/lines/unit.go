package lines

// unit is a unit of .debug_info: the entries of a compilation.
type unit struct {
	f        *source
	off, end int64 // in .debug_info
	entries  int64 // where the first entry begins
	version  uint64
	address  int // bytes of an address
	wide     bool
	abbrev   uint64 // offset of the abbreviations
	dwo      bool   // the unit is in the sections of split DWARF

	dir, dwoName, name         string
	producer                   string
	language                   uint64
	id                         uint64 // of split DWARF: that of the other part of the unit
	lines                      int64  // offset of the line table, -1 for none
	low                        codeAddr
	addrs                      *source // that has .debug_addr and, before version 5, .debug_ranges
	addrBase, strOffsets       uint64
	rangesBase, rangeListsBase uint64
}

// section returns a section of the file, or its counterpart for split DWARF.
func (f *source) section(u *unit, name string) *section {
	if u.dwo {
		name += ".dwo"
	}
	return f.sections[name]
}

// Types of units.
const (
	utCompile  = 1
	utPartial  = 3
	utSkeleton = 4
	utSplit    = 5
)

// unitAt reads the header of the unit at an offset. It returns the offset of the next unit, 0 if
// there is none, and nil for a unit without code.
func (f *source) unitAt(off int64, dwo bool) (u *unit, next int64) {
	u = &unit{f: f, off: off, dwo: dwo, lines: -1, addrs: f}
	s := f.section(u, ".debug_info")
	left := s.length() - off
	w, ok := s.read(off, min(40, left))
	if !ok || left < 8 {
		return nil, 0
	}
	c := newCursor(w, f.e.BigEndian(), false)
	n := c.length()
	if c.Bad || n > uint64(left-int64(c.Pos)) {
		return nil, 0
	}
	u.wide, u.end = c.wide, off+int64(c.Pos)+int64(n)
	u.version = c.Uint(2)
	if u.version < 2 || u.version > 5 {
		return nil, u.end
	}
	if u.version < 5 {
		u.abbrev, u.address = c.offset(), int(c.U8())
	} else {
		kind := c.U8()
		u.address, u.abbrev = int(c.U8()), c.offset()
		switch kind {
		case utCompile, utPartial:
		case utSkeleton, utSplit:
			u.id = c.Uint(8)
		default:
			return nil, u.end
		}
	}
	if u.entries = off + int64(c.Pos); c.Bad || u.address != 4 && u.address != 8 || u.entries > u.end {
		return nil, u.end
	}
	return u, u.end
}

// Attributes that are read.
const (
	atName           = 0x03
	atStmtList       = 0x10
	atLowPC          = 0x11
	atHighPC         = 0x12
	atLanguage       = 0x13
	atCompDir        = 0x1b
	atProducer       = 0x25
	atAbstractOrigin = 0x31
	atSpecification  = 0x47
	atRanges         = 0x55
	atCallFile       = 0x58
	atCallLine       = 0x59
	atStrOffsetsBase = 0x72
	atAddrBase       = 0x73
	atRnglistsBase   = 0x74
	atDwoName        = 0x76
	atGNUDwoName     = 0x2130
	atGNUDwoID       = 0x2131
	atGNURangesBase  = 0x2132
	atGNUAddrBase    = 0x2133
)

// root reads the first entry of a unit, which describes the compilation.
func (u *unit) root() bool {
	s := u.f.section(u, ".debug_info")
	for n := min(int64(1<<10), u.end-u.entries); ; n = min(64*n, u.end-u.entries) {
		w, ok := s.read(u.entries, n)
		if !ok {
			return false
		}
		if u.rootIn(newCursor(w, u.f.e.BigEndian(), u.wide)) {
			return true
		}
		if n >= min(1<<20, u.end-u.entries) {
			return false
		}
	}
}

// rootIn reads the first entry by a cursor, which may be at too few bytes.
func (u *unit) rootIn(c *cursor) bool {
	code := c.ULEB()
	if c.Bad || code == 0 {
		return false
	}
	a := u.f.abbrevs(u, u.abbrev, code)[code]
	if a == nil {
		return false
	}
	if u.dwo && u.version >= 5 {
		u.strOffsets, u.rangeListsBase = 8, 12 // after headers
		if u.wide {
			u.strOffsets, u.rangeListsBase = 16, 20
		}
	}
	v := values{f: u.f, c: c, unit: u}
	got := map[uint64]value{}
	for _, x := range a.attrs {
		value := v.read(x.form, x.implicit)
		u.base(x.name, value)
		switch x.name {
		case atName, atCompDir, atProducer, atDwoName, atGNUDwoName, atLowPC:
			got[x.name] = value
		}
	}
	if c.Bad {
		return false
	}
	// Strings and addresses may rest on bases that are attributes, too.
	u.name, u.dir, u.producer = v.text(got[atName]), v.text(got[atCompDir]), v.text(got[atProducer])
	if u.dwoName = v.text(got[atDwoName]); u.dwoName == "" {
		u.dwoName = v.text(got[atGNUDwoName])
	}
	if low, ok := v.addressOf(got[atLowPC]); ok {
		u.low = low
	}
	return true
}

// base notes an attribute that is a number.
func (u *unit) base(name uint64, x value) {
	switch name {
	case atStmtList:
		if x.number < 1<<62 {
			u.lines = int64(x.number)
		}
	case atGNUDwoID:
		u.id = x.number
	case atLanguage:
		u.language = x.number
	case atStrOffsetsBase:
		u.strOffsets = x.number
	case atAddrBase, atGNUAddrBase:
		u.addrBase = x.number
	case atRnglistsBase:
		u.rangeListsBase = x.number
	case atGNURangesBase:
		u.rangesBase = x.number
	}
}

// abbrev describes the attributes of entries with one code.
type abbrev struct {
	tag      uint64
	children bool
	attrs    []attr
}

type attr struct {
	name, form uint64
	implicit   int64
}

// mostAbbrevs bounds the abbreviations of a unit, and the attributes of all of them. Real units
// have some thousand.
const mostAbbrevs, mostAttrs = 1 << 14, 1 << 16

// abbrevs reads the abbreviations of a unit. With only, it stops at the one with this code.
func (f *source) abbrevs(u *unit, off uint64, only uint64) map[uint64]*abbrev {
	s := f.section(u, ".debug_abbrev")
	size := s.length()
	if off >= uint64(size) {
		return nil
	}
	for n := min(int64(4<<10), size-int64(off)); ; n = min(16*n, size-int64(off)) {
		w, ok := s.read(int64(off), n)
		if !ok || !f.spend.step(n) {
			return nil
		}
		all, whole := parseAbbrevs(newCursor(w, false, false), only)
		if whole {
			return all
		}
		if n == size-int64(off) || n > 16<<20 {
			return nil
		}
	}
}

// parseAbbrevs reads abbreviations up to their end. It reports whether it has come to it.
func parseAbbrevs(c *cursor, only uint64) (all map[uint64]*abbrev, whole bool) {
	all = map[uint64]*abbrev{}
	attrs := 0
	for {
		code := c.ULEB()
		if code == 0 || c.Bad {
			return all, !c.Bad
		}
		a := &abbrev{tag: c.ULEB(), children: c.U8() != 0}
		for !c.Bad {
			x := attr{name: c.ULEB(), form: c.ULEB()}
			if x.form == formImplicitConst {
				x.implicit = c.SLEB()
			}
			if x.name == 0 && x.form == 0 {
				break
			}
			a.attrs = append(a.attrs, x)
			attrs++
		}
		if c.Bad || len(all) == mostAbbrevs || attrs > mostAttrs {
			return nil, !c.Bad
		}
		if only == 0 || code == only {
			all[code] = a
		}
		if code == only {
			return all, true
		}
	}
}
