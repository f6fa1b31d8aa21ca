package insn

import (
	"debug/elf"
	"iter"
	"sync"

	"golang.org/x/arch/arm64/arm64asm"
	"golang.org/x/arch/s390x/s390xasm"
	"golang.org/x/arch/x86/x86asm"
)

// Text returns the first instruction of code, which is at pc, in the syntax of the machine's GNU assembler. It
// returns "" if it does not support the instruction. Text and a [Decoder] need not support the same instructions.
func Text(m elf.Machine, code []byte, pc uint64) string {
	switch m {
	case elf.EM_X86_64:
		if i, err := x86asm.Decode(code, 64); err == nil && i.Op != 0 {
			return gnuAMD64(i, pc)
		}
		if Decoder(AMD64).One(code, pc).Landing {
			return "endbr64"
		}
	case elf.EM_AARCH64:
		if text := a64HintText(code); text != "" {
			return text
		}
		if i, err := arm64asm.Decode(code); err == nil {
			return arm64asm.GNUSyntax(i)
		}
	case elf.EM_S390:
		if len(code) == 0 || len(code) < [...]int{2, 4, 4, 6}[code[0]>>6] {
			return "" // the library would read on
		}
		if i, err := s390xasm.Decode(code); err == nil {
			return s390xasm.GNUSyntax(i, pc)
		}
	}
	return ""
}

// gnuAMD64 returns the text of an instruction with operands in memory as objdump writes them: the library does
// not extend the sign of a displacement of 32 bits, and writes an index for r12 as a base, which has none.
func gnuAMD64(i x86asm.Inst, pc uint64) string {
	for k, arg := range i.Args {
		m, ok := arg.(x86asm.Mem)
		if !ok {
			continue
		}
		if m.Base != 0 || m.Index != 0 {
			if m.Disp>>31 == 1 {
				m.Disp = int64(int32(m.Disp))
			}
			if m.Base == x86asm.R12 && m.Index == 0 {
				m.Scale = 0
			}
			i.Args[k] = m
		}
	}
	return x86asm.GNUSyntax(i, pc, nil)
}

// One decodes the first instruction of code, which is at pc. If d is nil or code is empty, the result has the Flow
// Bad and the Len 0.
func (d Decoder) One(code []byte, pc uint64) (i Insn) {
	if d == nil || len(code) == 0 {
		i.reset(0)
		i.Flow = Bad
		return i
	}
	one := spare.Get().(*Insn)
	*one = Insn{}
	d(code, pc, one)
	i = *one
	spare.Put(one)
	return i
}

// spare has what [Decoder.One] decodes into: an Insn whose address a decoder gets is on the heap.
var spare = sync.Pool{New: func() any { return new(Insn) }}

// MayEndWithCall reports whether the last bytes of code may be a call.
func (d Decoder) MayEndWithCall(code []byte) bool {
	for n := 2; n <= min(len(code), maxCall); n++ {
		if i := d.One(code[len(code)-n:], 0); int(i.Len) == n && i.Calls() {
			return true
		}
	}
	return false
}

// maxCall is the length of the longest call without prefixes that do nothing, in bytes.
const maxCall = 8

// All yields the instructions of code, which is at pc, with their offsets. Each instruction starts directly after the
// previous one, even if the previous one is Bad. An Insn is valid until the next iteration.
func (d Decoder) All(code []byte, pc uint64) iter.Seq2[int, *Insn] {
	return func(yield func(int, *Insn) bool) {
		var i Insn
		for off := 0; d != nil && off < len(code); off += int(i.Len) {
			if d(code[off:], pc+uint64(off), &i); !yield(off, &i) {
				return
			}
		}
	}
}

// Leading yields the instructions of code, which is at pc, that may lead to other code, and a few others. An Insn is
// valid until the next iteration. Leading yields every instruction that begins in the last [MaxLen]-1 bytes.
func Leading(m elf.Machine, code []byte, pc uint64) iter.Seq2[int, *Insn] {
	return func(yield func(int, *Insn) bool) {
		var i Insn
		x, nothing := Of(m), &Watch{}
		for off := 0; x != nil && off < len(code); off += int(i.Len) {
			if x.Plain != nil && len(code)-off >= MaxLen {
				at, n, kind, _, _, disp := x.Plain(code, off, 0, nothing)
				if to := at + int(disp); kind != NotPlain && (kind < PlainJump || to >= 0 && to < len(code)) {
					i.Len = uint8(n)
					continue
				}
			}
			if x.Decode(code[off:], pc+uint64(off), &i); !yield(off, &i) {
				return
			}
		}
	}
}

// NextSigning returns the offset of the first instruction at or after off that may return, or change the pointer
// authentication code of an address. It returns the length of code if there is none. It does not decode, and also
// stops at a few other instructions.
func NextSigning(m elf.Machine, code []byte, off int) int {
	if m == elf.EM_AARCH64 {
		for ; off+4 <= len(code); off += 4 {
			if a64MaySign[code[off+3]] {
				return off
			}
		}
	}
	return len(code)
}

// Calls reports whether the instruction is a call.
func (i *Insn) Calls() bool { return i.Flow == Call || i.Flow == IndirectCall }

// Sets reports whether the instruction changes register r.
func (i *Insn) Sets(r Reg) bool {
	for k := range i.Ops[:i.N] {
		if o := &i.Ops[k]; o.Dst == r && o.Do != Store && o.Do != Forget && o.Do != Compare {
			return true
		}
	}
	return false
}

// Writes reports whether the instruction may store to memory. Pushes, calls and system calls count.
func (i *Insn) Writes() bool {
	if i.Access&Writes != 0 || i.Calls() || i.System {
		return true
	}
	for k := range i.Ops[:i.N] {
		if do := i.Ops[k].Do; do == Store || do == Forget {
			return true
		}
	}
	return false
}

// Replaces reports whether the instruction may set register r to a value that does not depend on the old value of r.
// Additions and rounding do not count.
func (i *Insn) Replaces(r Reg) bool {
	for k := range i.Ops[:i.N] {
		switch o := &i.Ops[k]; {
		case o.Dst != r:
		case (o.Do == Move || o.Do == Load) && (o.Src != r || o.Do == Load), o.Do == Lose, o.Do == Clobber, o.Do == Derive, o.Do == Const, o.Do == Element:
			return true
		}
	}
	return false
}
