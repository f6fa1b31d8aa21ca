package cfi

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// Refusal is why a reader of CFI does not follow a function.
type Refusal struct {
	Why string     // a clause
	At  model.Span // the refused bytes in the section
	// If Fatal is set, the reader stops using the whole section. Otherwise the reader does not follow the function
	// from PC on.
	Fatal bool
	PC    uint64
}

// Limits of the reader of .eh_frame that a patch series for Linux proposes.
const (
	linuxMaxCIE          = 128 // bytes after the length
	linuxMaxFDE          = 32768
	linuxMaxAugmentation = 16 // bytes with the final zero
	linuxMaxStates       = 1  // remembered at a time
	linuxMaxInsns        = 16384
	linuxMinDataAlign    = -8
)

// LinuxRefusal returns why Linux would not follow a function. It reports false if Linux follows the function. It
// models the .eh_frame reader of a patch series of 2026. This reader executes version 1 CIEs and FDEs up to the PC,
// without expressions.
func (f *FDE) LinuxRefusal() (Refusal, bool) {
	switch k := f.CIE; {
	case f.is64Bit(f.Span) || f.Span.Len-4 > linuxMaxFDE:
		return Refusal{Why: fmt.Sprintf("the FDE has a 64-bit length, or more than %d bytes", linuxMaxFDE), At: f.Span, Fatal: true}, true
	case k == nil:
		return Refusal{Why: "the FDE has no CIE", At: f.Span, Fatal: true}, true
	default:
		if r, ok := f.cieRefusal(k); ok {
			return r, true
		}
	}
	if f.Fault.Code != NoFault {
		return Refusal{Why: "the FDE is damaged", At: f.Fault.Span, Fatal: true}, true
	}
	if f.CIE.Signal {
		return Refusal{Why: "the function is a signal frame", At: f.CIE.Span, PC: f.Start.Addr}, true
	}
	x := linuxRun{f: f, abi: &f.s.in.ABI, inCIE: true, pc: f.Start.Addr}
	if r, ok := x.run(f.CIE.Program); ok {
		return r, true
	}
	x.inCIE, x.depth = false, 0
	if r, ok := x.run(f.Program); ok {
		return r, true
	}
	if !x.cfa {
		return Refusal{Why: "the CFI defines no CFA", At: f.Span, Fatal: true}, true
	}
	return Refusal{}, false
}

// is64Bit reports whether an entry has a 64-bit length.
func (f *FDE) is64Bit(sp model.Span) bool {
	return sp.Len >= 4 && [4]byte(f.s.in.Data[sp.Off:]) == [4]byte{0xff, 0xff, 0xff, 0xff}
}

func (f *FDE) cieRefusal(k *CIE) (Refusal, bool) {
	maxAlign := uint64(f.s.in.ABI.MinInsn)
	fatal, why := true, ""
	switch {
	case f.is64Bit(k.Span) || k.Span.Len-4 > linuxMaxCIE:
		why = fmt.Sprintf("the CIE has a 64-bit length, or more than %d bytes", linuxMaxCIE)
	case k.Version != 1:
		why, fatal = fmt.Sprintf("the CIE has version %d, expected 1", k.Version), false
	case len(k.Augmentation)+1 > linuxMaxAugmentation:
		why = fmt.Sprintf("the augmentation %q has more than %d bytes", k.Augmentation, linuxMaxAugmentation-1)
	case k.Fault.Code == CIEAugmentation || strings.Trim(k.Augmentation, "zLPRS") != "":
		why, fatal = fmt.Sprintf("the augmentation is %q, but only z, L, P, R and S are known", k.Augmentation), false
	case k.Fault.Code != NoFault:
		why = "the CIE is damaged"
	case k.CodeAlign == 0 || k.CodeAlign > maxAlign:
		why = fmt.Sprintf("the code alignment factor is %d, expected 1 to %d", k.CodeAlign, maxAlign)
	case k.DataAlign < linuxMinDataAlign || k.DataAlign > -1:
		why = fmt.Sprintf("the data alignment factor is %d, expected %d to -1", k.DataAlign, linuxMinDataAlign)
	case k.RA != f.s.in.ABI.RA:
		why, fatal = fmt.Sprintf("RA is register %d, expected %d", k.RA, f.s.in.ABI.RA), false
	default:
		return Refusal{}, false
	}
	return Refusal{Why: why, At: k.Span, Fatal: fatal, PC: f.Start.Addr}, true
}

// linuxRun executes instructions as that reader does, as far as they may be refused.
type linuxRun struct {
	f     *FDE
	abi   *model.ABIInfo
	c     cursor
	inCIE bool
	cfa   bool // it is a register and an offset
	depth int
	insns int
	pc    uint64
	saved bool // cfa of the remembered state
}

func (x *linuxRun) run(program model.Span) (Refusal, bool) {
	s := x.f.s
	x.c = newCursor(s.in.Data[:program.End()], int(program.Off), s.in.ABI.Big)
	defer func() { s.spend(int64(x.c.Pos) - program.Off) }()
	for x.c.Pos < len(x.c.B) && (x.inCIE || x.pc < x.f.End()) {
		at, pc := x.c.Pos, x.pc
		if x.insns++; x.insns > linuxMaxInsns {
			return Refusal{fmt.Sprintf("there are more than %d instructions", linuxMaxInsns), x.c.from(at), true, pc}, true
		}
		why, fatal := x.step()
		if x.c.Bad {
			why, fatal = "the instructions are cut off", true
		}
		if why != "" {
			return Refusal{why, x.c.from(at), fatal, pc}, true
		}
		if !x.inCIE && x.pc > pc && !x.cfa {
			return Refusal{"the CFI defines no CFA", x.c.from(at), true, pc}, true
		}
	}
	return Refusal{}, false
}

const noCFA = "an instruction changes a CFA that is not a register plus an offset"

// step executes an instruction. It returns why the reader refuses that, "" if it does not.
func (x *linuxRun) step() (why string, fatal bool) {
	var o operation
	x.c.operation(&o, x.f.CIE.DataAlign)
	isSP := o.reg == uint64(x.abi.SP)
	switch o.op {
	case cfaNop, cfaGNUArgsSize:
	case cfaAdvanceLoc:
		x.pc += uint64(o.n) * x.f.CIE.CodeAlign
	case cfaDefCFA:
		x.cfa = true
	case cfaDefCFARegister, cfaDefCFAOffset:
		if !x.cfa {
			return noCFA, true
		}
	case cfaDefCFAExpression:
		return "the CFA is the value of an expression", false
	case cfaRememberState:
		if x.depth == linuxMaxStates {
			return fmt.Sprintf("more than %d state is remembered at a time", linuxMaxStates), true
		}
		x.saved = x.cfa
		x.depth++
	case cfaRestoreState:
		if x.depth == 0 {
			return "a state is restored without being remembered", true
		}
		x.cfa = x.saved
		x.depth--
	case cfaRestore:
		if x.inCIE {
			return "a CIE restores a register", true
		}
	case cfaUndefined:
		if isSP {
			return "SP is undefined", false
		}
	case cfaOffset, cfaSameValue, cfaRegister: // of ABIs where the CFA determines SP
		if isSP && x.abi.SPOffset == 0 {
			return "the CFI has a rule for SP", false
		}
	case cfaValOffset:
		if isSP && o.n != x.abi.SPOffset {
			return "SP is not what the ABI defines", false
		}
	case cfaExpression, cfaValExpression:
		if isSP || o.reg == uint64(x.abi.FP) || o.reg == uint64(x.abi.RA) {
			return x.abi.RegName(uint32(o.reg)) + " is the value of an expression", false
		}
	default:
		return fmt.Sprintf("the instruction 0x%02x is unknown", o.op), false
	}
	return "", false
}
