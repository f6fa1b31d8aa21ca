package proof

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// arch is what the engine needs of an ABI.
type arch struct {
	*insn.Machine
	abi    model.ABIInfo
	sp, fp insn.Reg
	ra     insn.Reg // of the return address on entry; AMD64: that of no instruction
	framed uint32   // sp, fp and ra
	onSP   bool     // RA is at SP on entry (AMD64)
	save   int64    // the number of bytes from SP on that a callee may use to save registers, but not the first Keep of them
}

// newArch returns false for an ABI whose code is not followed.
func newArch(abi model.ABIInfo) (*arch, bool) {
	a := &arch{Machine: insn.Of(abi.Machine), abi: abi, sp: insn.Reg(abi.SP), fp: insn.Reg(abi.FP), ra: insn.Reg(abi.RA), onSP: !abi.TracksRA()}
	if a.Machine == nil {
		return nil, false
	}
	if a.Keep > 0 {
		a.save = abi.EntryCFA
	}
	a.framed = bit(a.sp) | bit(a.fp) | bit(a.ra)
	return a, true
}

// entry sets s to the state at the entry of a function.
func (a *arch) entry(s *state) {
	s.forgetAll()
	for i := range s.regs[:a.Regs] {
		s.regs[i] = Value{Base: Entry, Reg: insn.Reg(i)}
		s.by[i] = -1
	}
	if a.onSP {
		s.regs[16], s.regs[17], s.regs[insn.Vectors] = Value{}, Value{}, another
		s.put(slot{base: CFA, off: -8, by: -1, v: Value{Base: Entry, Reg: a.ra}})
	}
	s.regs[a.sp] = Value{Base: CFA, Off: -a.abi.EntryCFA}
	s.floor, s.low, s.args, s.wrote, s.weak, s.guess = nowhere, nowhere, true, false, false, false
}

// part sets s to the state at the start of a part of a function of which only the distance of
// SP from the CFA is known.
func (a *arch) part(s *state, sp int64) {
	s.forgetAll()
	for i := range s.by {
		s.by[i] = -1
	}
	if a.onSP {
		s.put(slot{base: CFA, off: -8, by: -1, v: Value{Base: Entry, Reg: a.ra}})
	}
	s.regs[a.sp] = Value{Base: CFA, Off: sp}
	s.weak, s.guess = false, false
}
