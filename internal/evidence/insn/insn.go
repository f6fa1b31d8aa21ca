// Package insn decodes machine instructions into the few effects that matter for a stack
// tracer: where the execution continues, and how registers and words that are addressed
// by a register and an offset change.
//
// Every instruction becomes an [Insn]: its length, its [Flow], and a list of [Op] that are
// executed in order. Effects on anything else, such as flags, vector registers or memory at an
// address that is computed from more than one register, are omitted. Effects on a register are
// never omitted: if no other Op gives the value, there is a Clobber or Lose.
package insn

// Reg is a register by its DWARF number in the ABI.
type Reg uint8

// NoReg stands for no register.
const NoReg Reg = 0xff

// MaxRegs is larger than any number of a register that an Op names: AArch64 has x0 to x30
// and sp (31), s390x r0 to r15 and f0 to f15 (16 to 31), AMD64 rax to r15 (0 to 15) and [Vectors].
const MaxRegs = 32

// Vectors stands for all vector registers of AMD64 together: what general registers have been
// copied to any of them. Nothing else that happens to vector registers is stated.
const Vectors Reg = 18

// Do is what an Op does.
type Do uint8

// Effects. A word has 8 bytes.
const (
	// Move sets Dst to Src + Off.
	Move Do = iota
	// Load sets Dst to the word at Src + Off. With a Size, it is a result of so many bytes there.
	Load
	// Store sets the word at Dst + Off to Src. With a Size, it sets so many bytes there to a part of Src, or, with
	// NoReg as Src, to another value, which is not that of a register.
	Store
	// Clobber sets Dst to a value that does not come from a saved register: a result, a
	// constant, or a word from memory that is not addressed by a single register. With Varies as Off,
	// it is not the same on all machines.
	Clobber
	// Derive is a Clobber by a result of the registers Src and Off, each of which may be NoReg. With Unsigned, it
	// is a product; with a Size, a sum of so many bytes; either may be shifted left.
	Derive
	// Lose sets Dst to a value that may be anything, including that of a saved register.
	Lose
	// Either sets Dst to Src, or to another value where Src is NoReg, or leaves it as it is. With a Size, it is the word
	// at Src + Off.
	Either
	// Align sets Dst to Dst rounded down to a multiple of -Off bytes, a power of two.
	Align
	// Sign adds a pointer authentication code to Dst, and Auth removes one; Off is 1 for key B
	// and 0 for key A (AArch64). Src is the register of the modifier, SP, or NoReg for another
	// modifier.
	Sign
	Auth
	// Strip removes a pointer authentication code from Dst without a check.
	Strip
	// Const sets Dst to Off: a constant, or an address that is relative to the PC, in the unit
	// of the PC that Decode got. It means nothing where a relocation is at TargetOff.
	Const
	// Insert sets the 16 bits of Dst from bit Src on (0, 16, 32 or 48) to Off.
	Insert
	// Add sets Dst to Dst + Src<<Off, and Sub sets it to Dst - Src<<Off.
	Add
	Sub
	// Scale sets Dst to its low Size bytes, sign-extended or, with Unsigned, zero-extended, and
	// shifted left by Off bits.
	Scale
	// Compare sets the flags by comparing Dst with Src, or with the constant Off where Src is
	// NoReg; see [Insn.Equal] and [Insn.Above]. Where Dst is NoReg too, the flags are set by
	// something else.
	Compare
	// Limit says that Dst is at most Off (unsigned): it was masked.
	Limit
	// Mix sets Dst to a result that is computed from Dst and Src, or from Dst and anything else
	// where Src is NoReg: a shift, a product, a sum with a word of memory. With Off 1, Src is a mask, which may
	// keep the value; with Varies, the amount is not the same on all machines.
	Mix
	// Forget makes Size bytes at Dst + Off unknown. With Unsigned, they are of vector registers: no saved register
	// but what has been copied to [Vectors]. With a register as Src, they are a copy of what it points to.
	Forget
	// Fill sets elements of Size bytes at Dst to another value, as many as Src says.
	Fill
	// Element sets Dst to an entry of Size bytes of a table at Src + Off, or at Off where Src
	// is NoReg. It is sign-extended, or, with Unsigned, zero-extended. A relocation of Off is
	// at TargetOff.
	Element
)

// Varies is Off of a Clobber or Mix by the length of vectors.
const Varies = 2

// Op is one effect.
type Op struct {
	Do       Do
	Dst, Src Reg
	Size     uint16 // Load, Store, Forget, Fill, Either, Element, Scale, Derive: bytes
	Unsigned bool   // Derive, Element, Forget, Scale
	Off      int64  // bytes
}

// Flow is where the execution goes after an instruction.
type Flow uint8

// Flows.
const (
	Next   Flow = iota // to the next instruction
	Jump               // to Target
	Branch             // to Target or the next instruction
	Call               // to Target, and then to the next instruction if it returns
	// Return goes to the caller; the return address is at SP (AMD64, whose SP the Ops do not
	// raise) or in the register Via.
	Return
	IndirectJump // to the address in Via, or at one in memory if Via is NoReg
	IndirectCall // the same, and then to the next instruction if it returns
	Stop         // nowhere: ud2, hlt, brk, an undefined instruction
	// Bad is an instruction that cannot be decoded. Its length is the shortest one of the ABI.
	Bad
)

// Way is a way out of a Branch.
type Way uint8

// Ways.
const (
	NoWay Way = iota
	ToTarget
	ToNext
)

// Access is what an instruction may do with its operand in memory. Words that it pushes or pops, or
// that a call stores, are not operands: Ops and Flow describe them.
type Access uint8

// Accesses. An instruction with both has two operands in memory, or it is not known which of the
// two it does.
const (
	// Reads: it loads from the operand.
	Reads Access = 1 << iota
	// Writes: it stores to the operand, and may load from it before.
	Writes
)

// MaxLen is the maximum length of an instruction in bytes.
const MaxLen = 15

// MaxFill is the maximum number of elements of a Fill that is followed.
const MaxFill = 1 << 12

// MaxOps is the maximum number of effects: a stmg of 16 registers has them.
const MaxOps = 16

// Insn is an instruction.
type Insn struct {
	Len  uint8 // bytes
	Flow Flow
	// Via is the register of a Return, IndirectJump or IndirectCall.
	Via Reg
	// Cond says that a Return, IndirectJump or IndirectCall depends on a condition: the next
	// instruction follows otherwise.
	Cond bool
	// Equal is the way of a Branch that is taken if the previous Compare found both values equal.
	Equal Way
	// Above is the way of a Branch that is taken if the previous Compare found Dst above Src
	// or the constant (unsigned).
	Above Way
	// Target is the address of a Jump, Branch or Call, or of a Const that is relative to the PC,
	// in the unit of the PC that Decode got. It means nothing where a relocation is at TargetOff.
	Target uint64
	// TargetOff and TargetLen are the bytes of the instruction that a relocation of its target
	// or Const may be at; TargetLen is 0 for instructions without one.
	TargetOff, TargetLen uint8
	// Copied is the address of an instruction of which this one executes a copy (exrl), or 0.
	Copied uint64
	// Access is what the instruction may do with its operand in memory.
	Access Access
	// Landing marks an instruction that may be the target of indirect branches: endbr64, bti.
	Landing bool
	// Pad marks what assemblers and linkers write between functions: a nop, a trap of one byte, or
	// zeros. The Flow of a trap and of zeros may be Stop.
	Pad bool
	// System marks a system call: syscall, svc. The next instruction follows.
	System bool

	N   uint8 // effects
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

// Decoder decodes the first instruction of code, which is at pc, into i, all of whose fields it
// sets. code must not be empty. If the instruction is cut or not valid, the Flow is Bad and Len
// is at most len(code).
type Decoder func(code []byte, pc uint64, i *Insn)
