package generator

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/model"
)

// state is how to unwind from an instruction.
type state struct {
	base    uint32 // base register of the CFA
	off     int64  // CFA = base + off, or the word in memory there
	deref   bool
	ra, fp  model.Recovery
	mangled bool
}

// entry returns the state at a function's first instruction.
func (g *maker) entry() state {
	return state{base: g.abi.SP, off: g.abi.EntryCFA, ra: g.p.absentRA(), fp: g.p.absentFP()}
}

func (s state) rules() model.Row {
	return model.Row{CFA: model.Recovery{Kind: model.InRegister, Deref: s.deref, Reg: s.base, Offset: s.off}, RA: s.ra, FP: s.fp}
}

func (s state) grown(by int64) state {
	s.off += by
	return s
}

func slot(off int64) model.Recovery {
	return model.Recovery{Kind: model.FromCFA, Deref: true, Offset: off}
}

func register(reg uint32) model.Recovery {
	return model.Recovery{Kind: model.InRegister, Reg: reg}
}

// inMemory is a register that is saved at an offset from another one.
func inMemory(reg uint32, off int64) model.Recovery {
	return model.Recovery{Kind: model.InRegister, Deref: true, Reg: reg, Offset: off}
}

// prologues draw how a function sets up its frame: the states that it goes through from entry to body. On its way out
// it goes back through them. The second one of a machine is for FDEs of the flexible type.
var prologues = map[elf.Machine][2]func(*maker, *Func) []state{
	elf.EM_X86_64:  {amd64Frame, amd64Flexible},
	elf.EM_S390:    {s390xFrame, s390xFlexible},
	elf.EM_AARCH64: {aarch64Frame, aarch64Flexible},
}

// frame draws how a function sets up its frame.
func (g *maker) frame(f *Func) []state {
	flex := 0
	if g.p.Version.Info().Flex && g.chance(g.c.Flexible) {
		flex = 1
	}
	return prologues[g.abi.Machine][flex](g, f)
}

// room draws the size of the locals of a frame that already has used bytes.
func (g *maker) room(used int64) int64 {
	a := g.abi.CFAAlign
	return align(g.upTo(a, g.c.MaxFrame-used), a, max(a, g.c.MaxFrame-used))
}
