package proof

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// certifier checks the rows of a function as a certificate, in one pass: each row must be right at each instruction,
// and lead to the state of each successor. Entries have the ABI's state, and returns must restore SP and RA. Other
// unreached code gets a guessed state to confirm. A function that fails is tracked.
type certifier struct {
	a      *arch
	parts  []piece
	*piece // the one that is looked at

	engine       unit // executes instructions, on state
	state, other state

	cur    frame
	live   bool
	at     uint32 // the cell of the current instruction
	code   []byte // from it on
	id     int32  // of cur in frames, 0 if it is not there
	regs   [insn.MaxRegs]word
	known  uint32               // the registers whose value is in regs, besides those of the frame
	set    [insn.MaxRegs]uint32 // the instruction that set it
	uses   []regUse
	frames []frame // that an instruction has, or a jump leads to, of all functions; the first one is not used
	kept   []int32 // those of the function, in the order of the code
	fresh  bool    // the current one is not in kept
	memo   certifierMemo
	// cells has the state of an instruction, by the bytes of the parts, and beyond the current one
	// that with which a jump leads there: an index in frames, 0, or template.
	cells   []int32
	ahead   int // cells beyond the current one that are not 0
	claims  frame
	in      bool
	changed bool   // the state or the row is another one than at the last instruction
	busy    uint32 // the registers of the frame that have something, where changed is not set
	arrived bool   // the state before the current instruction is cur
	watch   insn.Watch

	jump    frame   // what all indirect jumps have
	jumps   bool    // there is one
	fewer   bool    // jump has less than when it was used as a guess
	jumpers []int32 // guesses that they rest on
	guesses []guess
	ways    [][2]int32 // jumps from the code after one guess to the start of another
	failed  bool
	heads   []head
	seen    int // the heads that are taken into account
}

// piece is a part of the function.
type piece struct {
	place     int32
	from      uint64 // address
	base, end uint32 // its cells
	rows      []Row
	row       int    // the one in force, or the next one
	until     uint64 // where the next row starts, or the one in force ends
	sites     []site
}

// guess is the state of code that nothing before it leads to. Each way there is checked for it, and
// there must be one.
type guess struct {
	at uint32
	frame
	tied bool
}

// regUse says that the state after the instruction at a cell rests on the value that another one sets a
// register to.
type regUse struct {
	reg     insn.Reg
	set, at uint32
}

// head is an instruction that code after it leads to with a state that lacks some of what the code
// before it has.
type head struct {
	at uint32
	frame
}

// template marks, beyond the current cell, an instruction of which another one executes a copy. Nothing need lead
// there.
const template = -1

// begin starts with a function.
func (c *certifier) begin() {
	c.parts, c.cells = c.parts[:0], c.cells[:0]
	c.heads, c.seen, c.jumps = c.heads[:0], 0, false
	if len(c.frames) == 0 || len(c.frames) > maxFrames {
		c.forgetFrames()
	}
	c.reset()
}

// reset forgets all but the parts.
func (c *certifier) reset() {
	c.failed, c.fewer = false, false
	c.kept, c.id, c.ahead = c.kept[:0], 0, 0
	c.guesses, c.ways = append(c.guesses[:0], guess{tied: true}), c.ways[:0]
	c.jumpers, c.uses = c.jumpers[:0], c.uses[:0]
}

// mustRepeat reports whether the certificate depends on loops or indirect jumps that lose some of the
// state. If so, all parts are to be looked at again, with what they keep.
func (c *certifier) mustRepeat() bool {
	if c.failed || len(c.heads) == c.seen && (!c.fewer || c.reachesGuesses()) {
		return false
	}
	c.reset()
	clear(c.cells)
	for _, h := range c.heads {
		if id := c.cells[h.at]; id == 0 {
			c.ahead++
		} else {
			h.frame = c.meet(&h.frame, &c.frames[id])
			h.head = true
		}
		c.cells[h.at] = c.keep(&h.frame)
	}
	c.seen = len(c.heads)
	return true
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
	c.row = 0
	c.cur = unknown
	c.live, c.known, c.id = entry, 0, 0
	if entry && c.memo.entry == 0 {
		c.a.entry(&c.state)
		c.a.reduce(&c.state, &c.cur, nil)
		c.memo.entry = c.find(&c.cur)
	}
	if entry {
		c.resume(c.memo.entry)
	}
	c.in, c.changed, c.arrived = false, true, false
	c.until = 0
	c.watch.Marks = c.cells[c.base:c.end]
}

// passed reports whether the function is certified.
func (c *certifier) passed() bool {
	return !c.failed && len(c.heads) == c.seen && c.ahead == 0 && c.reachesGuesses()
}

// reachesGuesses reports whether the entry leads to all code whose state was guessed, directly or over
// the indirect jumps.
func (c *certifier) reachesGuesses() bool {
	if len(c.guesses) == 1 {
		return true
	}
	jumps := false // there is an indirect jump that the entry leads to
	for changed := true; changed; {
		changed = false
		jumps = jumps || slices.ContainsFunc(c.jumpers, func(x int32) bool { return c.guesses[x].tied })
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

// insn checks the rows at an instruction, and executes it.
func (c *certifier) insn(at uint32, d *insn.Insn, to dest) {
	if !c.arrived && !c.arrive(at, uint32(d.Len), d.Pad || (d.Flow == insn.Stop || to.stops) && d.N == 0) {
		return
	}
	c.arrived = false
	if d.Copied > c.pc(at) {
		if to, ok := c.cell(c.place, d.Copied); ok && c.cells[to] == 0 {
			c.cells[to] = template
		}
	}
	c.effects(d)
	c.flow(d, to)
}

// arrive finds the state before an instruction of n bytes, and checks the row there. It reports whether the
// instruction is executed; what is idle need not be.
func (c *certifier) arrive(at, n uint32, idle bool) bool {
	c.at = at
	there := c.cells[at]
	if there == template {
		c.cells[at], there = 0, 0
		if !c.live {
			return false
		}
	}
	if there == 0 && !c.live && idle {
		return false
	}
	if c.pc(at+n) > c.until {
		c.advance(uint64(n))
	}
	if there != 0 {
		c.joinJumps(there)
	}
	if !c.live {
		c.guess() // nothing before leads here
	}
	if c.changed && !c.check() {
		c.failed = true
	}
	if c.failed {
		return false
	}
	c.cells[at] = c.current()
	return true
}

// steady returns up to which offset in the part, at most end, instructions have the state and the row of the
// last one, unless something leads to them; 0 if there is no such instruction.
func (c *certifier) steady(end int) int {
	if c.failed || !c.live || c.changed {
		return 0
	}
	c.watch.Regs, c.watch.Mark = c.busy|c.known, c.id
	return int(min(uint64(end), c.until-c.from))
}

// plain executes a plain instruction, see [insn.Plain]. It reports false for one that changes the state, or
// may use it: insn executes that.
func (c *certifier) plain(at, n uint32, kind insn.PlainFlow, regs uint32, base insn.Reg, disp int32) bool {
	if !c.arrive(at, n, kind == insn.PlainPad) {
		return true
	}
	if c.watch.Regs = c.busy | c.known; c.watch.Passes(regs, base, disp) {
		return true
	}
	c.arrived = true
	return false
}

// plainJump executes a plain jump or branch of n bytes to a cell.
func (c *certifier) plainJump(at, n, to uint32, kind insn.PlainFlow) {
	if c.arrive(at, n, false) {
		c.enter(to)
		c.live = kind == insn.PlainBranch
	}
}

// joinJumps joins the state before an instruction with that of the jumps that lead there.
func (c *certifier) joinJumps(id int32) {
	p := &c.frames[id]
	c.ahead--
	c.known = 0
	if id == c.id && c.live && !p.head {
		return
	}
	switch {
	case !c.live && p.head:
		c.cur = *p // the best guess
	case !c.live:
		c.cur, c.id, c.live, c.changed = *p, id, true, true
	case p.head:
		c.setState(c.loses(&c.cur, p))
	default:
		c.setState(c.meet(&c.cur, p))
	}
}

// keep returns the index of a state in frames, where it is then.
func (c *certifier) keep(s *frame) int32 {
	id := c.find(s)
	c.kept = append(c.kept, id)
	return id
}

// current returns the index of the current state in frames.
func (c *certifier) current() int32 {
	if c.id == 0 {
		c.id, c.fresh = c.find(&c.cur), true
	}
	if c.fresh {
		c.kept, c.fresh = append(c.kept, c.id), false
	}
	return c.id
}

// allowed reports whether a state has what the row in force claims, if there is one.
func (c *certifier) allowed(s *frame) bool { return !c.in || s.has(&c.claims) }

// maxBack is the number of states in which a guess is looked for.
const maxBack = 64

// guess makes the state one that the row in force claims: that of the code before, if it does, that of an
// indirect jump, or that of code further before.
func (c *certifier) guess() {
	f := c.cur
	switch {
	case !c.in:
		c.failed = true
	case f.has(&c.claims):
	case c.jumps && c.jump.has(&c.claims):
		f = c.jump
	default:
		f = c.claims
		for k := len(c.kept) - 1; k >= max(0, len(c.kept)-maxBack+1); k-- {
			if s := &c.frames[c.kept[k]]; s.has(&c.claims) {
				f = *s
				break
			}
		}
	}
	// What the registers have by chance need not be so on the other ways there.
	if f.ra >= leastOffset {
		f.ra = anything
	}
	if f.fp >= leastOffset && c.claims.fp == anything && !(c.jumps && c.jump.fp == f.fp) {
		f.fp = anything
	}
	f.head, f.guess = false, int32(len(c.guesses))
	c.guesses = append(c.guesses, guess{at: c.at, frame: f})
	c.cur, c.id, c.live, c.changed, c.known = f, 0, true, true, 0
}
