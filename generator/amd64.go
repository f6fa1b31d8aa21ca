package generator

// amd64Frame pushes registers, one of which may be the frame pointer, and
// makes room for locals.
func amd64Frame(g *maker, _ *Func) []state {
	s := g.entry()
	chain := []state{s}
	push := func() {
		s = s.grown(8)
		chain = append(chain, s)
	}
	if g.chance(g.c.FP) {
		s = s.grown(8)
		s = s.savedFP(slot(-s.off))
		chain = append(chain, s)
		s = s.on(g.abi.FP) // mov %rsp,%rbp
		return append(chain, s)
	}
	for range g.rnd.IntN(6) {
		if s.off+8 <= g.c.MaxFrame {
			push()
		}
	}
	if g.chance(30) && s.off+8 <= g.c.MaxFrame { // rbp like any other register
		s = s.grown(8)
		s = s.savedFP(slot(-s.off))
		chain = append(chain, s)
	}
	if len(chain) == 1 || g.chance(70) {
		s = s.grown(g.room(s.off))
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
		s = s.on(10).grown(-s.off) // lea 8(%rsp),%r10
		chain = append(chain, s)
	} else {
		s = s.grown(8)
		s = s.savedFP(slot(-s.off))
		chain = append(chain, s)
	}
	s = s.on(g.abi.FP)
	s.off, s.deref = -8*g.upTo(1, 4), true
	s.fp = register(g.abi.FP)
	s.fp.Deref = true
	if g.drawChance(g.c.Rare) {
		s = s.savedRA(inMemory(g.abi.FP, 8))
	}
	return append(chain, s)
}
