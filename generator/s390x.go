package generator

// Slots of r14 and r11 in the save area that the caller provides.
const (
	s390xSlotRA = 112 - 160
	s390xSlotFP = 88 - 160
)

// s390xFrame saves r14 and r11 in the caller's save area, makes room and may
// then use r11 as a frame pointer; leaf functions may keep them in
// floating-point registers instead.
func s390xFrame(g *maker, _ *Func) []state {
	s := g.entry()
	chain := []state{s}
	switch {
	case g.p.Version.Errata2() && g.chance(g.c.Registers):
		return append(chain, g.s390xInRegisters(s)...)
	case g.chance(g.c.Padding):
		s.fp = slot(s390xSlotFP) // RA is not saved: the padding word
		chain = append(chain, s)
	case g.chance(g.c.FP):
		s.ra, s.fp = slot(s390xSlotRA), slot(s390xSlotFP)
		chain = append(chain, s)
	case g.chance(80):
		s.ra = slot(s390xSlotRA)
		chain = append(chain, s)
	}
	s.off += g.room(g.abi.EntryCFA)
	chain = append(chain, s)
	if s.fp != g.p.absentFP() && g.chance(70) {
		s.base = g.abi.FP // lgr %r11,%r15
		chain = append(chain, s)
	}
	return chain
}

// s390xInRegisters moves r14, and perhaps r11 after it, into two of f0 to f7,
// which calls do not preserve.
func (g *maker) s390xInRegisters(s state) []state {
	perm := g.rnd.Perm(8)
	if g.drawChance(g.c.Rare) {
		s.fp = register(16 + uint32(perm[0])) // RA stays in r14, or
		if g.chance(50) {
			s.ra = slot(s390xSlotRA) // goes to memory
		}
		return []state{s}
	}
	s.ra = register(16 + uint32(perm[0]))
	chain := []state{s}
	if g.chance(50) {
		s.fp = register(16 + uint32(perm[1]))
		chain = append(chain, s)
	}
	return chain
}

// s390xFlexible restores r14 from memory at r15, and later at r11. With another
// base it is a leaf function whose CFA is relative to another register for a
// while.
func s390xFlexible(g *maker, _ *Func) []state {
	s := g.entry()
	chain := []state{s}
	if g.chance(g.c.OtherBase) {
		other := s
		other.base = 1 // lgr %r1,%r15
		return append(append(chain, other), g.s390xInRegisters(s)...)
	}
	from := func(reg uint32) {
		s.base, s.ra = reg, inMemory(reg, s.off+s390xSlotRA)
		chain = append(chain, s)
	}
	from(g.abi.SP)
	s.fp = slot(s390xSlotFP)
	s.off += g.room(g.abi.EntryCFA)
	from(g.abi.SP)
	from(g.abi.FP)
	return chain
}
