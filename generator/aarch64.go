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
		s = s.signed() // paciasp
		chain = append(chain, s)
	}
	if g.chance(15) { // no call is made: only locals
		return append(chain, s.grown(g.room(0)))
	}
	s = s.grown(g.room(0))
	record := -s.off + 16*g.rnd.Int64N(min(s.off/16, 64))
	if g.chance(40) { // sub sp first, stp later
		chain = append(chain, s)
	}
	if g.chance(10) { // only x30
		return append(chain, s.savedRA(slot(record)))
	}
	s = s.savedRA(slot(record + 8)).savedFP(slot(record))
	chain = append(chain, s)
	if g.chance(g.c.FP) {
		s = s.on(g.abi.FP) // add x29, sp, #record
		s.off = -record
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
		s = s.signed() // paciasp
		chain = append(chain, s)
	}
	if g.chance(g.c.OtherBase) {
		s = s.on(19) // mov x19, sp
		chain = append(chain, s)
	}
	s = s.on(g.abi.SP).grown(g.room(0))
	s = s.savedFP(slot(-8 * (1 + g.rnd.Int64N(min(s.off/8, 64)))))
	if rare {
		s = s.savedRA(inMemory(g.abi.SP, 8*g.rnd.Int64N(4)))
		chain = append(chain, s)
		s.deref, s.off = true, 16*g.rnd.Int64N(4) // the CFA in memory
	}
	return append(chain, s)
}
