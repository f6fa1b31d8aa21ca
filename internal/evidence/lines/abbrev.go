package lines

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
		all, whole := parseAbbrevs(&cursor{w: w}, only)
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
		code := c.uleb()
		if code == 0 || c.bad {
			return all, !c.bad
		}
		a := &abbrev{tag: c.uleb(), children: c.u8() != 0}
		for !c.bad {
			x := attr{name: c.uleb(), form: c.uleb()}
			if x.form == formImplicitConst {
				x.implicit = c.sleb()
			}
			if x.name == 0 && x.form == 0 {
				break
			}
			a.attrs = append(a.attrs, x)
			attrs++
		}
		if c.bad || len(all) == mostAbbrevs || attrs > mostAttrs {
			return nil, !c.bad
		}
		if only == 0 || code == only {
			all[code] = a
		}
		if code == only {
			return all, true
		}
	}
}
