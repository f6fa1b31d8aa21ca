package track

import (
	"math"
	"slices"

	"github.com/sframe-lint/sframe-lint/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// certifier checks the rows of a function as a certificate. It looks at each instruction once: the
// row in force must be true of the state there, and the state that each successor gets must be the
// one that it has. The state at an entry is that of the ABI, and each return must find SP and the
// return address as they were there. The state of code that nothing before it leads to is guessed:
// what leads there must have it, and something must.
//
// A function that passes is certified: to track it would find nothing. One that does not is no
// fault yet: it is tracked.
type certifier struct {
	a      *arch
	parts  []piece
	*piece // the one that is looked at

	cur    frame
	live   bool
	id     int32 // of cur in frames, 0 if it is not there
	regs   [insn.MaxRegs]word
	known  uint32  // the registers whose value is in regs, besides those of the frame
	frames []frame // that an instruction has, or a jump leads to; the first one is not used
	// cells has, by the bytes of the parts, the state of an instruction, and beyond the current one that with which
	// a jump leads there: an index in frames, or 0.
	cells   []int32
	ahead   int // cells beyond the current one that are not 0
	claims  frame
	in      bool
	changed bool // the state or the row is another one than at the last instruction

	jump     frame   // at the indirect jumps
	jumpers  []int32 // guesses that they rest on
	differ   bool    // not all have the same state
	guesses  []guess
	ways     [][2]int32 // jumps from the code after one guess to the start of another
	returned bool
	after    bool // the last instruction is a call
	failed   bool
	insns    int
}

// piece is a part of the function.
type piece struct {
	place     int32
	from      uint64 // address
	base, end uint32 // its cells
	rows      []Row
	row       int // the one in force, or the next one
	sites     []site
}

// word is what a register or a word of the stack has: the CFA plus so many bytes, or a value below.
type word int32

const (
	anything word = math.MinInt32 + iota
	callersFP
	callersRA
	signedRA // with key A
	signedRAWithB
	leastOffset
)

// frame is the state before an instruction, as far as rows state it. As the claims of a row it has
// anything, or 0, for what the row does not say.
type frame struct {
	sp, fp, ra word
	// fpAt is where the caller's FP is, an offset from the CFA, or 0; raAt and spAt are where raIn
	// and spIn are.
	fpAt, raAt, spAt int32
	raIn, spIn       word
	// fpLoaded and raLoaded say that the registers have been loaded since their slots were claimed.
	fpLoaded, raLoaded bool
	weak               bool // see state.weak
	// guess is what the state rests on: an index in guesses, or 0 for the entry.
	guess int32
}

// guess is the state of code that nothing before it leads to. Each way there is checked for it, and
// there must be one.
type guess struct {
	at uint32
	frame
	tied bool
}

// begin starts with a function.
func (c *certifier) begin() {
	c.failed = false
	c.parts, c.cells = c.parts[:0], c.cells[:0]
	c.frames, c.id, c.ahead, c.insns = append(c.frames[:0], frame{}), 0, 0, 0
	c.guesses, c.ways = append(c.guesses[:0], guess{tied: true}), c.ways[:0]
	c.jumpers, c.differ, c.returned = c.jumpers[:0], false, false
}

// add adds a part of the function and its rows. All are added before the first one is looked at.
func (c *certifier) add(r *Range, index int32, rows func(int, []Row) []Row, sites []site) {
	base, n := uint32(len(c.cells)), int(r.End-r.Start)
	c.cells = slices.Grow(c.cells, n)[:int(base)+n]
	clear(c.cells[base:])
	k := len(c.parts)
	c.parts = slices.Grow(c.parts, 1)[:k+1]
	buf := c.parts[k].rows[:0]
	c.parts[k] = piece{place: int32(r.Place), from: r.Start, base: base, end: uint32(len(c.cells)), rows: rows(int(index), buf), sites: sites}
	c.failed = c.failed || r.Block > 0 || len(c.parts[k].rows) == 0
}

// start goes to a part, whose first instruction is an entry or not. Parts are looked at in the order
// in which they were added.
func (c *certifier) start(part int, entry bool) {
	c.piece = &c.parts[part]
	c.cur = frame{sp: anything, fp: anything, ra: anything, raIn: anything, spIn: anything}
	c.live, c.known, c.id = entry, 0, 0
	if entry {
		c.cur.sp, c.cur.fp = word(-c.a.abi.EntryCFA), callersFP
		if c.a.onSP {
			c.cur.raAt, c.cur.raIn = -8, callersRA
		} else {
			c.cur.ra = callersRA
		}
	}
	c.in, c.after, c.changed = false, false, true
}

// passed reports whether the range is certified.
func (c *certifier) passed() bool {
	return !c.failed && c.ahead == 0 && c.tied()
}

// tied reports whether the entry leads to all code whose state was guessed, directly or over
// the indirect jumps.
func (c *certifier) tied() bool {
	if len(c.guesses) == 1 {
		return true
	}
	jumps := false // there is an indirect jump that the entry leads to
	for changed := true; changed; {
		changed = false
		jumps = jumps || !c.differ && slices.ContainsFunc(c.jumpers, func(x int32) bool { return c.guesses[x].tied })
		for _, w := range c.ways {
			if g := &c.guesses[w[1]]; c.guesses[w[0]].tied && !g.tied {
				g.tied, changed = true, true
			}
		}
		for i := range c.guesses {
			if g := &c.guesses[i]; !g.tied && jumps && c.jump.within(&g.frame) {
				g.tied, changed = true, true
			}
		}
	}
	return !slices.ContainsFunc(c.guesses, func(g guess) bool { return !g.tied })
}

// dest is where a jump or call leads to.
type dest struct {
	place int32
	addr  uint64
	ok    bool // it is known
	in    bool // it is in the function
	open  bool // it is code that no range has
}

// insn checks the rows at an instruction, and executes it.
func (c *certifier) insn(at uint32, d *insn.Insn, to dest) {
	if c.failed {
		return
	}
	there := c.cells[at]
	if there == 0 && !c.live && (d.Pad || d.Flow == insn.Stop && d.N == 0) {
		return
	}
	c.advance(c.pc(at), uint64(d.Len))
	if there != 0 {
		c.settle(there)
	} else if !c.live {
		c.guess(at) // nothing before leads here
	}
	if c.changed && !c.check(at) {
		c.failed = true
	}
	if c.failed {
		return
	}
	if c.id == 0 {
		c.frames = append(c.frames, c.cur)
		c.id = int32(len(c.frames) - 1)
	}
	c.cells[at] = c.id
	c.insns++
	c.after = false
	if d.N > 0 {
		c.effects(d)
	}
	c.flow(at, d, to)
}

// settle joins the state before an instruction with that of the jumps that lead there.
func (c *certifier) settle(id int32) {
	p := c.frames[id]
	c.ahead--
	c.known = 0
	switch here, there := c.live && c.allowed(&c.cur), c.allowed(&p); {
	case !c.live, c.cur.weak && !here && there:
		c.cur, c.id, c.live, c.changed = p, id, true, true
	case p.weak && !there && here:
	default:
		c.meet(&c.cur, &p)
	}
}

// allowed reports whether a state has what the row in force claims, if there is one.
func (c *certifier) allowed(s *frame) bool { return !c.in || s.has(&c.claims) }

// guess makes the state one that the row in force claims: that of the code before, if it does,
// or that of an indirect jump.
func (c *certifier) guess(at uint32) {
	f := c.cur
	switch {
	case !c.in:
		c.failed = true
	case f.has(&c.claims):
	case len(c.jumpers) > 0 && c.jump.has(&c.claims):
		f = c.jump
	default:
		f = c.claims
	}
	f.weak, f.guess = false, int32(len(c.guesses))
	c.guesses = append(c.guesses, guess{at: at, frame: f})
	c.cur, c.id, c.live, c.changed, c.known = f, 0, true, true, 0
}

// meet leaves in s what it has in common with another state.
func (c *certifier) meet(s *frame, o *frame) {
	t := *s
	t.weak, t.guess = s.weak && o.weak, min(s.guess, o.guess)
	for _, x := range [...]struct {
		a *word
		b word
	}{{&t.sp, o.sp}, {&t.fp, o.fp}, {&t.ra, o.ra}} {
		if *x.a != x.b {
			*x.a = anything
		}
	}
	if t.fpAt != o.fpAt {
		t.fpAt = 0
	}
	if t.raAt != o.raAt || t.raIn != o.raIn {
		t.raAt, t.raIn = 0, anything
	}
	if t.spAt != o.spAt || t.spIn != o.spIn {
		t.spAt, t.spIn = 0, anything
	}
	t.fpLoaded, t.raLoaded = s.fpLoaded || o.fpLoaded, s.raLoaded || o.raLoaded
	if t != *s {
		*s = t
		c.id, c.changed = 0, true
	}
}

// pc returns the address of a cell of the part that is looked at.
func (c *certifier) pc(cell uint32) uint64 { return c.from + uint64(cell-c.base) }

// cell returns the cell of an address.
func (c *certifier) cell(place int32, addr uint64) (uint32, bool) {
	for i := range c.parts {
		if p := &c.parts[i]; p.place == place && addr >= p.from && addr-p.from < uint64(p.end-p.base) {
			return p.base + uint32(addr-p.from), true
		}
	}
	return 0, false
}

// advance finds the row in force at an instruction of n bytes. No row may start inside it.
func (c *certifier) advance(pc, n uint64) {
	for c.row < len(c.rows) && c.rows[c.row].End <= pc {
		c.row++
		c.in = false
	}
	if c.row == len(c.rows) {
		return
	}
	r := &c.rows[c.row]
	switch {
	case r.Start > pc:
		if r.Start < pc+n {
			c.failed = true
		}
		return
	case r.End < pc+n && c.row+1 < len(c.rows) && c.rows[c.row+1].Start < pc+n:
		c.failed = true
		return
	case !c.in:
		if c.in, c.changed = true, true; !c.claim(r) {
			c.failed = true
		}
	}
}

// claim sets the claims to those of a row. It reports false for rows that only tracking judges.
func (c *certifier) claim(r *Row) bool {
	if r.Signal || r.CFA.Kind != model.InRegister || r.CFA.Deref {
		return false
	}
	f := frame{sp: anything, fp: anything, ra: anything, raIn: anything, spIn: anything}
	switch cfa := word(-r.CFA.Offset); insn.Reg(r.CFA.Reg) {
	case c.a.sp:
		f.sp = cfa
	case c.a.fp:
		f.fp = cfa
	default:
		return false
	}
	ra := callersRA
	if r.Signed && c.a.abi.Pauth {
		if ra = signedRA; r.KeyB {
			ra = signedRAWithB
		}
	}
	switch {
	case r.RA.Kind == model.Unchanged && !c.a.onSP:
		f.ra = ra
	case r.RA.Kind == model.FromCFA && r.RA.Deref:
		f.raAt, f.raIn = int32(r.RA.Offset), ra
	default:
		return false
	}
	switch {
	case r.FP.Kind == model.Unchanged:
		if f.fp != anything {
			return false // it has the CFA
		}
		f.fp = callersFP
	case r.FP.Kind == model.FromCFA && r.FP.Deref:
		f.fpAt = int32(r.FP.Offset)
	default:
		return false
	}
	c.claims = f
	// What the row does not need is forgotten, unless it was restored for a later row.
	s := c.cur
	if f.fp == anything && s.fp == callersFP && !s.fpLoaded {
		s.fp = anything
	}
	if f.ra == anything && s.ra < leastOffset && !s.raLoaded {
		s.ra = anything
	}
	if s != c.cur {
		c.cur, c.id = s, 0
	}
	return true
}

// check reports whether the state has what the row in force claims.
func (c *certifier) check(at uint32) bool {
	c.changed = false
	if c.allowed(&c.cur) {
		return true
	}
	// A call does not return if the row after it is another one.
	if c.after && c.cur.weak && c.rows[c.row].Start == c.pc(at) {
		c.guess(at)
		c.changed = false
		return !c.failed
	}
	return false
}

// has reports whether a state has what a row claims.
func (s *frame) has(claims *frame) bool {
	return (claims.sp == anything || claims.sp == s.sp) && (claims.fp == anything || claims.fp == s.fp) &&
		(claims.ra == anything || claims.ra == s.ra) && (claims.fpAt == 0 || claims.fpAt == s.fpAt) &&
		(claims.raAt == 0 || claims.raAt == s.raAt && claims.raIn == s.raIn)
}

// within reports whether a state that a jump has is one of those that its target was checked for.
func (s *frame) within(at *frame) bool {
	return s.has(at) && (at.spAt == 0 || at.spAt == s.spAt && at.spIn == s.spIn)
}

// flow passes the state on to what follows an instruction.
func (c *certifier) flow(at uint32, d *insn.Insn, to dest) {
	falls := true
	switch d.Flow {
	case insn.Next:
	case insn.Branch:
		c.leads(at, to)
	case insn.Jump:
		c.leads(at, to)
		falls = false
	case insn.Call, insn.IndirectCall:
		if d.Flow == insn.Call && to.ok && to.place == c.place && to.addr == c.pc(at)+uint64(d.Len) {
			c.failed = true // the code finds its own address
			return
		}
		c.call(at, d)
		c.after = true
	case insn.Return:
		c.leaves(d)
		falls = d.Cond
	case insn.IndirectJump:
		if d.Via != insn.NoReg {
			c.indirect()
		}
		falls = d.Cond
	case insn.Stop:
		falls = false
	default:
		c.failed = true
	}
	c.live = falls
	if falls && at+uint32(d.Len) >= c.end && d.Flow != insn.Call && d.Flow != insn.IndirectCall {
		c.goesTo(at, c.place, c.pc(at)+uint64(d.Len))
	}
}

// leads passes the state on to the target of a jump.
func (c *certifier) leads(at uint32, to dest) {
	if to.in {
		c.goesTo(at, to.place, to.addr)
	} else if to.open && c.cur.sp != word(-c.a.abi.EntryCFA) {
		c.failed = true
	}
}

// goesTo passes the state on to an instruction, which must be in the function.
func (c *certifier) goesTo(at uint32, place int32, addr uint64) {
	to, ok := c.cell(place, addr)
	if !ok {
		c.failed = true
		return
	}
	c.enter(at, to, &c.cur)
}

// enter passes a state on to an instruction.
func (c *certifier) enter(from, at uint32, s *frame) {
	cell := &c.cells[at]
	switch {
	case at <= from:
		if *cell == 0 || !s.within(&c.frames[*cell]) && (!s.weak || c.frames[*cell].weak) {
			c.failed = true
			return
		}
		if g := c.frames[*cell].guess; g != s.guess && c.guesses[g].at == at {
			c.ways = append(c.ways, [2]int32{s.guess, g})
		}
	case *cell == 0:
		id := c.id
		if s != &c.cur || id == 0 {
			c.frames = append(c.frames, *s)
			id = int32(len(c.frames) - 1)
			if s == &c.cur {
				c.id = id
			}
		}
		*cell = id
		c.ahead++
	case *cell == c.id && s == &c.cur:
	default:
		p := c.frames[*cell]
		switch {
		case s.weak && !p.weak && !s.within(&p):
			return
		case p.weak && !s.weak && !p.within(s):
			p = *s
		default:
			id, changed := c.id, c.changed
			c.meet(&p, s)
			c.id, c.changed = id, changed
		}
		c.frames = append(c.frames, p)
		*cell = int32(len(c.frames) - 1)
	}
}

// indirect records the state at an indirect jump. It may lead to all code whose state was guessed.
func (c *certifier) indirect() {
	s := c.cur
	from := s.guess
	s.weak, s.guess = false, 0
	switch {
	case len(c.jumpers) == 0:
		c.jump = s
	case s != c.jump:
		c.differ = true
	}
	if n := len(c.jumpers); n == 0 || c.jumpers[n-1] != from {
		c.jumpers = append(c.jumpers, from)
	}
}

// leaves checks a return: SP and the return address must be what they were on entry.
func (c *certifier) leaves(d *insn.Insn) {
	ra := c.cur.ra
	switch {
	case c.a.onSP:
		ra = anything
		if c.cur.raAt == int32(c.cur.sp) {
			ra = c.cur.raIn
		}
	case d.Via == insn.NoReg:
	case d.Via != c.a.ra:
		ra = c.value(d.Via)
	}
	if c.cur.sp != word(-c.a.abi.EntryCFA) || ra != callersRA {
		c.failed = true
		return
	}
	c.returned = true
}

// call makes unknown what a callee may use, after it has passed the state on to the landing pad
// of exceptions.
func (c *certifier) call(at uint32, d *insn.Insn) {
	a, s := c.a, c.cur
	if s.sp > leastOffset {
		s.below(int32(s.sp) + int32(a.save))
	}
	if !a.onSP {
		s.ra = anything
	}
	if a.saved&bit(a.fp) == 0 {
		s.fp = anything
	}
	s.weak = true
	c.set(s)
	c.known &= a.saved
	if len(c.sites) > 0 {
		c.throws(at, d)
	}
}

// below forgets the slots below an offset from the CFA.
func (s *frame) below(low int32) {
	if s.fpAt < low {
		s.fpAt = 0
	}
	if s.raAt < low {
		s.raAt, s.raIn = 0, anything
	}
	if s.spAt < low {
		s.spAt, s.spIn = 0, anything
	}
}

// throws passes the state after a call on to its landing pad.
func (c *certifier) throws(at uint32, d *insn.Insn) {
	if site, ok := siteAt(c.sites, c.pc(at)+uint64(d.Len)); ok {
		c.goesTo(at, site.pad.place, site.pad.addr)
	}
}

// set makes a state the current one.
func (c *certifier) set(s frame) {
	if s != c.cur {
		c.cur, c.id, c.changed = s, 0, true
	}
}
