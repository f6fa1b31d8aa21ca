package generator

// amd64Frame pushes registers, one of which may be the frame pointer, and
// makes room for locals.
func amd64Frame(g *maker, _ *Func) []state {
	s := g.entry()
	chain := []state{s}
	push := func() {
		s.off += 8
		chain = append(chain, s)
	}
	pushFP := func() {
		s.fp = slot(-s.off - 8)
		push()
	}
	if g.chance(g.c.FP) {
		pushFP()
		s.base = g.abi.FP // mov %rsp,%rbp
		return append(chain, s)
	}
	for range g.rnd.IntN(6) {
		if s.off+8 <= g.c.MaxFrame {
			push()
		}
	}
	if g.chance(30) && s.off+8 <= g.c.MaxFrame { // rbp like any other register
		pushFP()
	}
	if len(chain) == 1 || g.chance(70) {
		s.off += g.room(s.off)
		chain = append(chain, s)
	}
	return chain
}

// amd64Flexible realigns its stack: rbp points to the saved rbp, and the CFA is
// saved below it. With another base, a register holds the CFA until then.
func amd64Flexible(g *maker, _ *Func) []state {
	s := g.entry()
	chain := []state{s}
	if g.chance(g.c.OtherBase) {
		s.base, s.off = 10, 0 // lea 8(%rsp),%r10
	} else {
		s.off += 8
		s.fp = slot(-s.off)
	}
	chain = append(chain, s)
	s.base, s.off, s.deref, s.fp = g.abi.FP, -8*g.upTo(1, 4), true, inMemory(g.abi.FP, 0)
	if g.drawChance(g.c.Rare) {
		s.ra = inMemory(g.abi.FP, 8)
	}
	return append(chain, s)
}
