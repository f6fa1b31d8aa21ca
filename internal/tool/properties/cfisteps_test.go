package properties

import (
	"encoding/binary"
	"math/bits"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// cfiSteps steps by CFI as the DWARF standard describes it (6.4.3, "Call Frame
// Instruction Usage"): it computes with numbers, and uses neither the recovery rules of
// the model nor the cursor.
type cfiSteps struct {
	frames *cfi.Frames
	abi    model.ABIInfo
	bias   uint64
	read   func(addr uint64) (uint64, bool)
	reg    func(n uint32) uint64 // of the topmost frame
}

// Reasons besides those of the cursor: no CFI, and CFI that is not executed here. Whatever value is not known, the reason is
// Unreadable.
const (
	noCFI unwind.Reason = "no CFI"
	odd   unwind.Reason = "CFI that is not executed here"
)

// asCFI returns the reason that a step by CFI has for a stop of the cursor.
func asCFI(r unwind.Reason) unwind.Reason {
	switch r {
	case unwind.TopmostOnly, unwind.UnsavedRA, unwind.NoRegister:
		return unwind.Unreadable
	}
	return r
}

// at returns the FDE and the row of a frame, and the address by which it was found.
func (c *cfiSteps) at(f aframe) (fde cfi.FDE, row cfi.Row, pc uint64, ok bool) {
	pc = f.pc - c.bias
	fde, ok = c.frames.At(0, pc)
	if trampoline := ok && fde.CIE.Signal && fde.Start.Addr == pc; !f.exact && !trampoline {
		pc--
		fde, ok = c.frames.At(0, pc)
	}
	if ok {
		row, ok = fde.RowAt(pc)
	}
	return fde, row, pc, ok
}

// frame is a step in the making. Its first failure is the reason.
type frame struct {
	*cfiSteps
	aframe
	fde cfi.FDE
	pc  uint64 // of the file
	cfa uint64
	why unwind.Reason
}

func (f *frame) fail(why unwind.Reason) uint64 {
	if f.why == "" {
		f.why = why
	}
	return 0
}

func (f *frame) register(n uint64) uint64 {
	switch {
	case n == uint64(f.abi.SP):
		return f.sp
	case n == uint64(f.abi.FP) && f.lostFP:
		return f.fail(unwind.Unreadable)
	case n == uint64(f.abi.FP):
		return f.fp
	case f.abi.ID == model.SFRAME_ABI_AMD64_ENDIAN_LITTLE && n == uint64(f.abi.RA):
		return f.pc
	case !f.topmost || n > 1000:
		return f.fail(unwind.Unreadable)
	}
	return f.reg(uint32(n))
}

func (f *frame) memory(at uint64) uint64 {
	v, ok := f.read(at)
	if !ok {
		return f.fail(unwind.Unreadable)
	}
	return v
}

// value returns a register of the caller.
func (f *frame) value(r cfi.Rule, self uint32) uint64 {
	switch r.Kind {
	case cfi.Unspecified, cfi.SameValue:
		if self == f.abi.RA && !f.topmost {
			return f.fail(unwind.Unreadable)
		} else if self == f.abi.RA {
			return f.reg(self)
		}
		return f.register(uint64(self))
	case cfi.Offset:
		return f.memory(f.cfa + uint64(r.Offset))
	case cfi.ValOffset:
		return f.cfa + uint64(r.Offset)
	case cfi.Register:
		return f.register(uint64(r.Reg))
	case cfi.Expression:
		return f.memory(f.expression(r, f.cfa))
	case cfi.ValExpression:
		return f.expression(r, f.cfa)
	}
	return f.fail(odd)
}

// next returns the caller's frame.
func (c *cfiSteps) next(old aframe) (aframe, unwind.Reason) {
	fde, row, pc, ok := c.at(old)
	if !ok {
		return old, noCFI
	}
	if row.RA.Kind == cfi.Undefined {
		return old, unwind.Outermost
	}
	f := &frame{cfiSteps: c, aframe: old, fde: fde, pc: pc}
	switch row.CFA.Kind {
	case cfi.Register:
		f.cfa = f.register(uint64(row.CFA.Reg)) + uint64(row.CFA.Offset)
	case cfi.Expression:
		f.cfa = f.expression(row.CFA)
	default:
		return old, odd
	}
	n := aframe{sp: f.cfa + uint64(c.abi.SPOffset), exact: fde.CIE.Signal}
	n.pc = f.value(row.RA, fde.CIE.RA)
	if f.why == "" {
		if n.fp = f.value(row.FP, c.abi.FP); f.why == unwind.Unreadable {
			n.fp, n.lostFP, f.why = 0, true, "" // until a rule needs it
		}
	}
	if row.SP.Kind == cfi.ValOffset {
		n.sp = f.cfa + uint64(row.SP.Offset)
	}
	signed := c.abi.Pauth && row.Sign != 0
	switch {
	case signed && row.Sign != cfi.RASigned:
		return old, odd
	case f.why != "":
		return old, f.why
	}
	return n.after(old, signed)
}

// expression runs a DWARF expression and returns the value on top of its stack.
func (f *frame) expression(r cfi.Rule, stack ...uint64) uint64 {
	sp := r.Expr()
	b := f.frames.Sections[f.section()].Input().Data[sp.Off:sp.End()]
	pop := func() uint64 {
		if len(stack) == 0 {
			return f.fail(odd)
		}
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return v
	}
	for len(b) > 0 && f.why == "" {
		op := b[0]
		b = b[1:]
		switch {
		case op >= 0x30 && op <= 0x4f: // lit
			stack = append(stack, uint64(op-0x30))
		case op >= 0x70 && op <= 0x8f: // breg
			stack = append(stack, f.register(uint64(op-0x70))+f.sleb(&b))
		case op == 0x92: // bregx
			n := f.uleb(&b)
			stack = append(stack, f.register(n)+f.sleb(&b))
		case op == 0x08 && len(b) > 0: // const1u
			stack, b = append(stack, uint64(b[0])), b[1:]
		case op == 0x10: // constu
			stack = append(stack, f.uleb(&b))
		case op == 0x11: // consts
			stack = append(stack, f.sleb(&b))
		case op == 0x23: // plus_uconst
			stack = append(stack, pop()+f.uleb(&b))
		case op == 0x06: // deref
			stack = append(stack, f.memory(pop()))
		default:
			y := pop()
			x := pop()
			v, ok := binaryOp(op, x, y)
			if !ok {
				return f.fail(odd)
			}
			stack = append(stack, v)
		}
	}
	return pop()
}

// uleb takes an unsigned LEB128 number.
func (f *frame) uleb(b *[]byte) uint64 {
	v, n := binary.Uvarint(*b)
	if *b = (*b)[max(n, 0):]; n <= 0 {
		return f.fail(odd)
	}
	return v
}

// sleb takes a signed one.
func (f *frame) sleb(b *[]byte) (v uint64) {
	for shift := 0; len(*b) > 0; shift += 7 {
		c := (*b)[0]
		*b = (*b)[1:]
		if v |= uint64(c&0x7f) << shift; c < 0x80 {
			if c&0x40 != 0 && shift < 57 {
				v |= ^uint64(0) << (shift + 7)
			}
			return v
		}
	}
	return f.fail(odd)
}

// section returns the section of the frame's FDE.
func (f *frame) section() int {
	for i := range f.frames.Sections {
		if d, ok := f.frames.Sections[i].FDEAt(f.fde.Span.Off); ok && d == f.fde {
			return i
		}
	}
	panic("the FDE is in no section")
}

func binaryOp(op byte, x, y uint64) (uint64, bool) {
	is := func(b bool) (uint64, bool) {
		if b {
			return 1, true
		}
		return 0, true
	}
	switch op {
	case 0x1a:
		return x & y, true
	case 0x1c:
		return x - y, true
	case 0x1e:
		_, lo := bits.Mul64(x, y)
		return lo, true
	case 0x21:
		return x | y, true
	case 0x22:
		return x + y, true
	case 0x24:
		return x << y, true
	case 0x25:
		return x >> y, true
	case 0x27:
		return x ^ y, true
	case 0x29:
		return is(x == y)
	case 0x2a:
		return is(int64(x) >= int64(y))
	case 0x2b:
		return is(int64(x) > int64(y))
	case 0x2c:
		return is(int64(x) <= int64(y))
	case 0x2d:
		return is(int64(x) < int64(y))
	case 0x2e:
		return is(x != y)
	}
	return 0, false
}
