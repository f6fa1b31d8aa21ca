package proof

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// EndsInReturn reports whether the last instruction of a function is a return. If instructions of the ABI differ in
// length, it decodes the function from its start. It decodes functions with the same start only once.
func (c *Code) EndsInReturn(f model.FDE, abi *model.ABIInfo) bool {
	n := uint64(abi.MinInsn)
	if !f.Resolved() || uint64(f.Size()) < n {
		return false
	}
	ret := insn.For(abi.Machine).One(c.at(f.Place(), f.End()-n, n), 0)
	if uint64(ret.Len) != n || ret.Flow != insn.Return || ret.Cond || ret.Via != insn.NoReg && ret.Via != insn.Reg(abi.RA) {
		return false
	}
	last, ok := c.last(f, n)
	return ok && last == f.End()-n
}

// EndsInCall reports whether the last instruction of a function is a call.
func (c *Code) EndsInCall(f model.FDE, abi *model.ABIInfo) bool {
	d, n := insn.For(abi.Machine), min(uint64(f.Size()), insn.MaxLen)
	if !f.Resolved() || !d.MayEndWithCall(c.at(f.Place(), f.End()-n, n)) {
		return false
	}
	last, ok := c.last(f, uint64(abi.MinInsn))
	i := d.One(c.at(f.Place(), last, f.End()-last), last)
	return ok && i.Calls()
}

// last returns the address of a function's last instruction. n is the length of the shortest one.
func (c *Code) last(f model.FDE, n uint64) (pc uint64, ok bool) {
	if n == 4 {
		return f.End() - n, true
	}
	w := &c.walked
	if w.place != f.Place() || w.start != f.Start() || w.next > f.End() {
		*w = walked{f.Place(), f.Start(), f.Start(), f.Start()}
	}
	for pc, i := range c.Instructions(f.Place(), w.next, f.End()) {
		if i.Flow == insn.Bad {
			break // unlike those before it, it may be cut
		}
		w.last, w.next = pc, pc+uint64(i.Len)
	}
	return w.last, w.next == f.End()
}

// UsesShadow reports whether a function stores RA on a shadow call stack.
func (c *Code) UsesShadow(f model.FDE, abi *model.ABIInfo) bool {
	m := insn.Of(abi.Machine)
	if m == nil || m.Shadow == insn.NoReg || !f.Resolved() {
		return false
	}
	for _, i := range c.Instructions(f.Place(), f.Start(), f.End()) {
		for _, o := range i.Ops[:i.N] {
			if o.Do == insn.Store && o.Dst == m.Shadow && o.Src == insn.Reg(abi.RA) {
				return true
			}
		}
	}
	return false
}

// walked are the instructions of functions that start at one address, and none of which is [insn.Bad].
type walked struct {
	place             int
	start, last, next uint64 // of the first and the last instruction, and of the one after it
}

// veneer reports whether code is a veneer with which a linker avoids an erratum of AArch64 cores: one
// instruction, which the linker has moved there, and a branch to an offset from the start of the
// code.
func veneer(code []byte, to int64) bool {
	const size = 4 // of an instruction
	if len(code) < 2*size {
		return false
	}
	back := insn.Decoder(insn.AArch64).One(code[size:], size)
	return back.Flow == insn.Jump && back.Target == uint64(to)
}

// Prologue yields, for each instruction of a function's prologue, the end of the instruction and the number of bytes
// by which SP is then lower than on entry. It stops at the first instruction other than a push, a save, a reservation
// of stack or a copy of a register.
func Prologue(code []byte, abi *model.ABIInfo, yield func(end uint32, down int64) bool) {
	down := int64(0)
	for off, i := range insn.For(abi.Machine).All(code, 0) {
		by, ok := lowers(i, insn.Reg(abi.SP))
		if !ok {
			return
		}
		if down += by; !yield(uint32(off)+uint32(i.Len), down) {
			return
		}
	}
}

// lowers returns by how many bytes an instruction of a prologue lowers SP.
func lowers(i *insn.Insn, sp insn.Reg) (by int64, ok bool) {
	if i.Flow != insn.Next || i.System || i.N == 0 && !i.Landing && !i.Pad {
		return 0, false
	}
	for _, o := range i.Ops[:i.N] {
		switch {
		case o.Do == insn.Store && o.Dst == sp, o.Do == insn.Compare, o.Do == insn.Sign:
		case o.Do == insn.Move && o.Dst == sp && o.Src == sp && o.Off <= 0:
			by -= o.Off
		case o.Dst == sp:
			return 0, false
		case (o.Do == insn.Move || o.Do == insn.Const) && o.Off == 0, (o.Do == insn.Clobber || o.Do == insn.Derive) && i.Access == 0:
		default:
			return 0, false
		}
	}
	return by, true
}
