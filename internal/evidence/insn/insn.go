// Package insn decodes machine instructions into the effects that matter to a stack tracer: where execution
// continues, and how registers and words change that a register and an offset address.
//
// Each instruction becomes an [Insn] with a length, a [Flow] and a list of [Op] that are executed in order. The Ops
// leave out effects on flags, on vector registers and on memory whose address depends on several registers. They
// include every effect on other registers, if necessary as a Clobber or Lose.
package insn

// Reg is the DWARF number of a register in the ABI.
type Reg uint8

// NoReg means no register.
const NoReg Reg = 0xff

// MaxRegs is greater than every register number in an Op: x0 to x30 and sp (31) on AArch64, r0 to r15 and f0 to f15
// (16 to 31) on s390x, and rax to r15 (0 to 15) and [Vectors] on AMD64.
const MaxRegs = 32

// Vectors stands for all vector registers of AMD64 together. Ops record only copies of general registers to Vectors,
// and no other effects on vector registers.
const Vectors Reg = 18

// Do is the kind of an [Op].
type Do uint8

// The kinds of effects. A word has 8 bytes.
const (
	// Move sets Dst to Src + Off.
	Move Do = iota
	// Load sets Dst to the word at Src + Off. If Size is not 0, it sets Dst to a value computed from Size bytes
	// there.
	Load
	// Store sets the word at Dst + Off to Src. If Size is not 0, it sets Size bytes there to a part of Src. If Src is
	// NoReg, it sets them to a value that no register holds.
	Store
	// Clobber sets Dst to a value that does not come from a saved register: a result, a constant, or a word of memory
	// that no single register addresses. If Off is Varies, the value depends on the machine.
	Clobber
	// Derive is a Clobber whose value is computed from the registers Src and Off, either of which may be NoReg. With
	// Unsigned, the value is a product. With a Size, it is a sum of Size bytes. Either may be shifted left.
	Derive
	// Lose sets Dst to an unknown value, possibly the value of a saved register.
	Lose
	// Either sets Dst to Src or leaves Dst unchanged. If Src is NoReg, it sets Dst to another value or leaves Dst
	// unchanged. If Size is not 0, the word at Src + Off takes the place of Src.
	Either
	// Align rounds Dst down to a multiple of -Off bytes, which is a power of two.
	Align
	// Sign adds a pointer authentication code to Dst, and Auth removes one (AArch64). Off is 0 for key A and 1 for
	// key B. Src is SP if SP is the modifier, otherwise NoReg.
	Sign
	Auth
	// Strip removes a pointer authentication code from Dst without checking the code.
	Strip
	// Const sets Dst to Off, which is a constant or a PC-relative address in the unit of the decoder's pc. Off has no
	// meaning if a relocation is at TargetOff.
	Const
	// Insert sets the 16 bits of Dst that start at bit Src (0, 16, 32 or 48) to Off.
	Insert
	// Add sets Dst to Dst + Src<<Off. Sub sets Dst to Dst - Src<<Off.
	Add
	Sub
	// Scale extends the low Size bytes of Dst, by zeros if Unsigned is set and by the sign otherwise. It then shifts
	// the result left by Off bits.
	Scale
	// Compare sets the flags from a comparison of Dst with Src, or with the constant Off if Src is NoReg. See
	// [Insn.Equal] and [Insn.Above]. If Dst is NoReg too, the flags have another source.
	Compare
	// Limit states that Dst is at most Off (unsigned), because Dst was masked.
	Limit
	// Mix sets Dst to a value computed from Dst and Src, such as a shift, a product or a sum. If Src is NoReg, the
	// other operand may be anything. If Off is 1, Src is a mask, which may keep the value; if Off is Varies, the
	// amount depends on the machine.
	Mix
	// Forget makes Size bytes at Dst + Off unknown. With Unsigned, the bytes come from vector registers, so a saved
	// register is there only if it was copied to [Vectors]. If Src is a register, the bytes are a copy of the memory
	// at Src.
	Forget
	// Fill sets Src elements of Size bytes at Dst to another value.
	Fill
	// Element sets Dst to an entry of Size bytes of a table at Src + Off, or at Off if Src is NoReg. It extends the
	// entry by zeros if Unsigned is set and by the sign otherwise. A relocation of Off is at TargetOff.
	Element
)

// Varies, as the Off of a [Clobber] or [Mix], means that the value depends on the machine's vector length.
const Varies = 2

// Op is one effect of an instruction.
type Op struct {
	Do       Do
	Dst, Src Reg
	Size     uint16 // bytes, for Load, Store, Forget, Fill, Either, Element, Scale and Derive
	Unsigned bool   // for Derive, Element, Forget and Scale
	Off      int64  // in bytes, unless Do gives another meaning
}

// Flow is where execution continues after an instruction.
type Flow uint8

// The flows.
const (
	Next   Flow = iota // at the next instruction
	Jump               // at Target
	Branch             // at Target or at the next instruction
	Call               // at Target, and at the next instruction if the callee returns
	// Return continues in the caller. The return address is in the register Via or, on AMD64, at SP. Ops do not
	// include the change of SP on AMD64.
	Return
	IndirectJump // at the address in Via, or at an address in memory if Via is NoReg
	IndirectCall // like IndirectJump, and at the next instruction if the callee returns
	Stop         // nowhere: ud2, hlt, brk or an undefined instruction
	// Bad is an instruction that cannot be decoded. Its Len is the length of the ABI's shortest instruction.
	Bad
)

// Way is one of the two ways out of a Branch.
type Way uint8

// The ways.
const (
	NoWay Way = iota
	ToTarget
	ToNext
)

// Access is what an instruction may do with its memory operand. Words that an instruction pushes or pops, or that a
// call stores, are not operands; Ops and Flow describe them.
type Access uint8

// The accesses. An instruction with both has two memory operands, or the decoder does not know which access it makes.
const (
	// Reads means that the instruction loads from the operand.
	Reads Access = 1 << iota
	// Writes means that the instruction stores to the operand. It may load from the operand before.
	Writes
)

// MaxLen is the maximum length of an instruction in bytes.
const MaxLen = 15

// MaxFill is the maximum number of elements of a Fill whose effect is followed.
const MaxFill = 1 << 12

// MaxOps is the maximum number of effects of an instruction, reached by a stmg of 16 registers.
const MaxOps = 16

// Insn is a decoded instruction.
type Insn struct {
	Len  uint8 // length in bytes
	Flow Flow
	// Via is the register that holds the address for a Return, IndirectJump or IndirectCall.
	Via Reg
	// Cond reports whether a Return, IndirectJump or IndirectCall is conditional. If the condition is false,
	// execution continues at the next instruction.
	Cond bool
	// Equal is the way that a Branch takes if the previous Compare found equal values.
	Equal Way
	// Above is the way that a Branch takes if the previous Compare found Dst above Src or the constant (unsigned).
	Above Way
	// Target is the address for a Jump, a Branch, a Call or a PC-relative Const, in the unit of the decoder's pc. It
	// has no meaning if a relocation is at TargetOff.
	Target uint64
	// TargetOff and TargetLen give the bytes of the instruction that a relocation of the Target or Const can change.
	// TargetLen is 0 if there are none.
	TargetOff, TargetLen uint8
	// Copied is the address of the instruction that this instruction executes as a copy (exrl), or 0.
	Copied uint64
	// Access is what the instruction may do with its memory operand.
	Access Access
	// Landing marks a valid target of indirect branches: endbr64 or bti.
	Landing bool
	// Pad marks filler that assemblers and linkers write between functions: a nop, a 1-byte trap or zeros. The Flow
	// of a trap or of zeros may be Stop.
	Pad bool
	// System marks a system call (syscall, svc). Execution continues at the next instruction.
	System bool

	N   uint8 // number of effects in Ops
	Ops [MaxOps]Op
}

// reset makes i an instruction of n bytes without effects.
func (i *Insn) reset(n int) {
	i.Len, i.N = uint8(n), 0
	i.Flow, i.Via, i.Cond, i.Equal, i.Above, i.Landing = Next, NoReg, false, NoWay, NoWay, false
	i.Target, i.TargetOff, i.TargetLen, i.Copied = 0, 0, 0, 0
	i.Access, i.Pad, i.System = 0, false, false
}

// add appends an effect.
func (i *Insn) add(do Do, dst, src Reg, off int64) {
	i.put(Op{Do: do, Dst: dst, Src: src, Off: off})
}

func (i *Insn) put(o Op) {
	i.Ops[i.N] = o
	i.N++
}

// flags appends that anything may have set the flags.
func (i *Insn) flags() { i.add(Compare, NoReg, NoReg, 0) }

// derive appends a Derive of two registers, NoReg for none.
func (i *Insn) derive(dst, a, b Reg) { i.deriveAs(dst, a, b, false) }

// product is derive for a product.
func (i *Insn) product(dst, a, b Reg) { i.deriveAs(dst, a, b, true) }

// sum32 is derive for a sum of 4 bytes; either register may be shifted left.
func (i *Insn) sum32(dst, a, b Reg) {
	if i.derive(dst, a, b); dst != NoReg {
		i.Ops[i.N-1].Size = 4
	}
}

func (i *Insn) deriveAs(dst, a, b Reg, product bool) {
	if dst != NoReg {
		i.put(Op{Do: Derive, Dst: dst, Src: a, Off: int64(b), Unsigned: product})
	}
}

// spill appends a Store of size bytes of another value at base + off.
func (i *Insn) spill(base Reg, off int64, size int) {
	i.storePart(base, NoReg, off, size)
}

// loadPart appends a Load of size bytes, fewer than a word, at base + off, and storePart a Store.
func (i *Insn) loadPart(dst, base Reg, off int64, size int) {
	if dst != NoReg {
		i.put(Op{Do: Load, Dst: dst, Src: base, Off: off, Size: uint16(size)})
	}
}

func (i *Insn) storePart(base, src Reg, off int64, size int) {
	i.put(Op{Do: Store, Dst: base, Src: src, Off: off, Size: uint16(size)})
}

// Decoder decodes the first instruction of code, which is at pc, and sets all fields of i. code must not be empty. If
// the instruction is truncated or invalid, the Flow is Bad and Len is at most len(code).
type Decoder func(code []byte, pc uint64, i *Insn)
