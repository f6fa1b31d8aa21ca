package lines

import "slices"

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
	v := values{f: f, c: &cursor{w: w, big: f.e.BigEndian(), wide: u.wide}, unit: u}
	for v.c.left() > 0 && !v.c.bad {
		number := v.c.uleb()
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
	if !v.c.bad {
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
			c := cursor{big: y.u.f.e.BigEndian(), wide: y.u.wide}
			v := values{f: y.u.f, c: &c, unit: y.u}
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
	v := values{f: f, c: &cursor{w: w, big: f.e.BigEndian(), wide: u.wide}, unit: u}
	number := v.c.uleb()
	a := f.abbrevs(u, u.abbrev, number)[number]
	if a == nil || number == 0 {
		return x
	}
	for _, k := range a.attrs {
		got := v.read(k.form, k.implicit)
		if v.c.bad {
			break
		}
		x.named(k.name, got)
	}
	return x
}
