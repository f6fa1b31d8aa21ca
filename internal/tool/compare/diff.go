package compare

import (
	"fmt"
	"iter"
	"path/filepath"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Aspect is the kind of a difference.
type Aspect string

// Aspects.
const (
	OnlyA   Aspect = "only-a"  // B has no FDE for the function
	OnlyB   Aspect = "only-b"  // A has no FDE for the function
	Size    Aspect = "size"    // the FDEs cover different numbers of bytes
	Rules   Aspect = "rules"   // the FREs for a range of PCs differ
	Signal  Aspect = "signal"  // only one side marks a signal frame
	Differs Aspect = "section" // the sections cannot be compared
)

// Difference is one difference between two sides.
type Difference struct {
	Kind     Aspect `json:"kind"`
	Unit     string `json:"unit,omitempty"` // the member, when archives are compared
	Function string `json:"function,omitempty"`
	StartA   string `json:"start_a,omitempty"` // hex
	StartB   string `json:"start_b,omitempty"` // hex
	// From and To are PCs as offsets from the function's start (hex).
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	A    string `json:"a,omitempty"`
	B    string `json:"b,omitempty"`
}

// Empty reports whether only one side has an FDE and the function has no bytes.
func (d *Difference) Empty() bool {
	return d.Kind == OnlyA && d.A == bytesText(0) || d.Kind == OnlyB && d.B == bytesText(0)
}

func bytesText(n uint32) string { return fmt.Sprintf("%d bytes", n) }

// comparison is a comparison of two units. It ignores byte order.
type comparison struct {
	*matching
	pattern string // of the functions that are compared
	alien   bool   // the units are for different ABIs
}

func compareUnits(a, b *Unit, pattern string) *comparison {
	if x, y := a.abi(), b.abi(); x.Known() && y.Known() && x.Name != y.Name {
		return &comparison{matching: &matching{a: a, b: b}, alien: true}
	}
	return &comparison{matching: match(a, b), pattern: pattern}
}

// countCommon counts the functions that both units describe.
func (c *comparison) countCommon() int {
	if c.pattern == "" {
		return len(c.pairs)
	}
	n := 0
	for _, p := range c.pairs {
		if c.wanted(p) {
			n++
		}
	}
	return n
}

func (c *comparison) wanted(p [2]int32) bool {
	return c.a.called(&c.a.funcs[p[0]], c.pattern) || c.b.called(&c.b.funcs[p[1]], c.pattern)
}

// differences passes on the differences, until the budget of the first unit ends it.
func (c *comparison) differences(yield func(Difference) bool) {
	if c.alien {
		yield(Difference{Kind: Differs, A: c.a.abi().Name, B: c.b.abi().Name})
		return
	}
	d := differ{a: c.a, b: c.b}
	for i, p := range c.pairs {
		if i%step == 0 && c.a.budget.Err() != nil {
			return
		}
		if c.wanted(p) && !d.function(&c.a.funcs[p[0]], &c.b.funcs[p[1]], yield) {
			return
		}
	}
	rest := func(u *Unit, used []bool, one func(start, size string) Difference) bool {
		for i := range used {
			f := &u.funcs[i]
			if used[i] || !u.called(f, c.pattern) {
				continue
			}
			d := one(hex(f.start), bytesText(f.size))
			if d.Function = u.label(f); !yield(d) {
				return false
			}
		}
		return true
	}
	_ = rest(c.a, c.usedA, func(start, size string) Difference { return Difference{Kind: OnlyA, StartA: start, A: size} }) &&
		rest(c.b, c.usedB, func(start, size string) Difference { return Difference{Kind: OnlyB, StartB: start, B: size} })
}

// differ compares functions of two units.
type differ struct {
	a, b       *Unit
	bufA, bufB []row // for rows of stubs
}

// function passes on the differences between two functions.
func (d *differ) function(f, g *function, yield func(Difference) bool) (more bool) {
	more = true
	var base Difference
	add := func(k Aspect, from, to uint32, a, b string) {
		if !more {
			return
		}
		if base.Function == "" {
			base = Difference{Function: d.a.label(f), StartA: hex(f.start), StartB: hex(g.start)}
			if f.symbol < 0 && g.symbol >= 0 {
				base.Function = d.b.label(g)
			}
		}
		x := base
		x.Kind, x.A, x.B = k, a, b
		if to > from {
			x.From, x.To = hex(uint64(from)), hex(uint64(to))
		}
		more = yield(x)
	}
	if f.size != g.size {
		add(Size, 0, 0, bytesText(f.size), bytesText(g.size))
	}
	if f.signal != g.signal {
		add(Signal, 0, 0, frame(f.signal), frame(g.signal))
	}
	if f.stubSize() != g.stubSize() {
		add(Rules, 0, 0, fmt.Sprintf("stubs of %d bytes", f.stubSize()), fmt.Sprintf("stubs of %d bytes", g.stubSize()))
		return more
	}
	d.sweep(f, g, func(from, to uint32, a, b Rule) {
		abi := d.abi()
		add(Rules, from, to, a.Format(abi), b.Format(abi))
	})
	return more
}

// abi returns the ABI that rules are written for.
func (d *differ) abi() model.ABIInfo {
	if abi := d.a.abi(); abi.Known() {
		return abi
	}
	return d.b.abi()
}

// first returns the first difference between two functions, if there is one.
func (d *differ) first(f, g *function) (x Difference, differ bool) {
	d.function(f, g, func(y Difference) bool {
		x, differ = y, true
		return false
	})
	return x, differ
}

// same reports whether two functions are equal.
func same(a *Unit, f *function, b *Unit, g *function) bool {
	if f.size != g.size || f.signal != g.signal || f.rep != g.rep || f.unroll != g.unroll || f.rows != g.rows {
		return false
	}
	x, y := a.rows.of(f), b.rows.of(g)
	return a.rows == b.rows && f.row == g.row || slices.EqualFunc(x, y, func(p, q row) bool {
		return p.from == q.from && p.to == q.to && a.rules.all[p.rule] == b.rules.all[q.rule]
	})
}

func frame(signal bool) string {
	if signal {
		return "signal frame"
	}
	return "ordinary frame"
}

// sweep walks the PCs of the two functions and passes on the longest runs on which
// they differ.
func (d *differ) sweep(f, g *function, differ func(from, to uint32, a, b Rule)) {
	if same(d.a, f, d.b, g) {
		return
	}
	x := rows{rows: d.a.rowsOf(f, &d.bufA), rules: d.a.rules.all}
	y := rows{rows: d.b.rowsOf(g, &d.bufB), rules: d.b.rules.all}
	end := min(f.size, g.size)
	var from, upto uint32
	var a, b Rule
	flush := func() {
		if upto > from && a != b {
			differ(from, upto, a, b)
		}
	}
	for at := uint32(0); at < end; {
		p, pEnd := x.at(at, end)
		q, qEnd := y.at(at, end)
		if p != a || q != b {
			flush()
			from, a, b = at, p, q
		}
		at = min(pEnd, qEnd)
		upto = at
	}
	flush()
}

// rows is a walk over the rows of a function.
type rows struct {
	rows  []row
	rules []Rule
	next  int
}

// at returns the rule at an offset and its end. Offsets must not descend.
func (r *rows) at(off, end uint32) (Rule, uint32) {
	for r.next < len(r.rows) && r.rows[r.next].to <= off {
		r.next++
	}
	if r.next == len(r.rows) {
		return Rule{}, end
	}
	x := r.rows[r.next]
	if off < x.from {
		return Rule{}, min(x.from, end)
	}
	return r.rules[x.rule], min(x.to, end)
}

// DiffReport describes the differences between two files.
type DiffReport struct {
	Schema   string `json:"schema"`
	A        string `json:"a"`
	B        string `json:"b"`
	Equal    bool   `json:"equal"`
	Compared int    `json:"compared"` // functions that have an FDE on each side

	parts []func(yield func(Difference) bool)
}

// Side is one of the two compared files.
type Side struct {
	Name  string
	Units []*Unit
}

// Files compares two files, archives member by member. It compares only functions whose names match the pattern; ""
// matches all.
func Files(a, b Side, pattern string) *DiffReport {
	r := &DiffReport{Schema: "sframe-lint/diff/1", A: escape.UTF8(a.Name), B: escape.UTF8(b.Name), Equal: true}
	keysA, inA := members(a.Units, lookupName(b.Units))
	keysB, inB := members(b.Units, lookupName(a.Units))
	for _, k := range keysA {
		if other := inB[k]; other != nil {
			r.pair(k.name, inA[k], other, pattern)
		} else {
			r.addMissing(OnlyA, inA[k], pattern)
		}
	}
	for _, k := range keysB {
		if inA[k] == nil {
			r.addMissing(OnlyB, inB[k], pattern)
		}
	}
	for range r.Differences() {
		r.Equal = false
		break
	}
	return r
}

// Differences returns the differences, for archives in the order of the members. The iteration computes them and does
// not keep them.
func (r *DiffReport) Differences() iter.Seq[Difference] {
	return func(yield func(Difference) bool) {
		for _, part := range r.parts {
			more := true
			part(func(d Difference) bool {
				more = yield(d)
				return more
			})
			if !more {
				return
			}
		}
	}
}

// member identifies a member of an archive: the n-th of a name.
type member struct {
	name string
	n    int
}

// lookupName returns the name by which a file is looked up in an archive, "" if the
// file is an archive itself.
func lookupName(units []*Unit) string {
	if len(units) == 1 && units[0].Member == "" {
		return filepath.Base(units[0].Path)
	}
	return ""
}

// members returns units by key, and the keys in order. Two files that are not
// archives are compared whatever their names are. A file and an archive are
// compared by the member with the file's name.
func members(units []*Unit, other string) (keys []member, all map[member]*Unit) {
	seen := map[string]int{}
	all = map[member]*Unit{}
	for _, u := range units {
		name := u.Member
		if name == "" && other == "" {
			name = lookupName(units)
		}
		k := member{name, seen[name]}
		seen[name]++
		keys = append(keys, k)
		all[k] = u
	}
	return keys, all
}

// pair compares two units. Those without functions are compared once.
func (r *DiffReport) pair(name string, a, b *Unit, pattern string) {
	c := compareUnits(a, b, pattern)
	r.Compared += c.countCommon()
	if len(a.funcs)+len(b.funcs) == 0 && !c.alien {
		return
	}
	r.parts = append(r.parts, func(yield func(Difference) bool) {
		for d := range c.differences {
			if d.Unit = label(name); !yield(d) {
				return
			}
		}
	})
}

// addMissing reports a member that the other archive does not have.
func (r *DiffReport) addMissing(k Aspect, u *Unit, pattern string) {
	n := 0
	for i := range u.funcs {
		if u.called(&u.funcs[i], pattern) {
			n++
		}
	}
	if n == 0 {
		return // it has no functions
	}
	r.parts = append(r.parts, func(yield func(Difference) bool) {
		d := Difference{Kind: k, Unit: label(u.Member)}
		if text := rules.Count(n, "function"); k == OnlyA {
			d.A = text
		} else {
			d.B = text
		}
		yield(d)
	})
}
