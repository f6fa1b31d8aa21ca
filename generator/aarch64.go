package generator

import "github.com/sframe-lint/sframe-lint/model"

// aarch64Frame saves x29 and x30 next to each other and may then use x29 as
// a frame pointer.
func aarch64Frame(g *maker, f *Func) []state {
	s := g.entry()
	chain := []state{s}
	if g.chance(g.c.Pauth) {
		if g.chance(g.c.KeyB) {
			f.PauthKey = model.SFRAME_AARCH64_PAUTH_KEY_B
		}
		s.mangled = true // paciasp
		chain = append(chain, s)
	}
	if g.chance(15) { // no call is made: only locals
		return append(chain, s.grown(g.room(0)))
	}
	s.off += g.room(0)
	record := -s.off + 16*g.rnd.Int64N(min(s.off/16, 64))
	if g.chance(40) { // sub sp first, stp later
		chain = append(chain, s)
	}
	if g.chance(10) { // only x30
		s.ra = slot(record)
		return append(chain, s)
	}
	s.ra, s.fp = slot(record+8), slot(record)
	chain = append(chain, s)
	if g.chance(g.c.FP) {
		s.base, s.off = g.abi.FP, -record // add x29, sp, #record
		return append(chain, s)
	}
	if grown := g.room(s.off); s.off+grown <= g.c.MaxFrame && g.chance(40) {
		chain = append(chain, s.grown(grown))
	}
	return chain
}

// aarch64Flexible saves x29 without x30, as functions without calls can.
func aarch64Flexible(g *maker, _ *Func) []state {
	s := g.entry()
	chain := []state{s}
	rare := g.drawChance(g.c.Rare)
	if rare && g.chance(g.c.Pauth) {
		s.mangled = true // paciasp
		chain = append(chain, s)
	}
	if g.chance(g.c.OtherBase) {
		s.base = 19 // mov x19, sp
		chain = append(chain, s)
	}
	s.base = g.abi.SP
	s.off += g.room(0)
	s.fp = slot(-8 * (1 + g.rnd.Int64N(min(s.off/8, 64))))
	if rare {
		s.ra = inMemory(g.abi.SP, 8*g.rnd.Int64N(4))
		chain = append(chain, s)
		s.deref, s.off = true, 16*g.rnd.Int64N(4) // the CFA in memory
	}
	return append(chain, s)
}
