package cfi

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// Assembler is a range of versions of a program that makes SFrame data from CFI.
type Assembler uint8

// The assemblers.
const (
	GAS240 Assembler = iota // GNU as 2.40
	GAS241                  // GNU as 2.41 to 2.44
	GAS246                  // GNU as 2.46 and later
	LLVM23                  // LLVM 23
)

// String returns the program's name and versions.
func (a Assembler) String() string {
	return [...]string{"GNU as 2.40", "GNU as 2.41 to 2.44", "GNU as 2.46 or later", "LLVM 23"}[a]
}

// Drop is a CFI instruction that makes an assembler omit the FDE of a function.
type Drop struct {
	Says string     // the assembler's message, such as the text after "no SFrame FDE emitted; "; "" for no message
	Why  string     // a clause, such as "CFA is rbx+16"
	Code model.Span // the instruction's bytes in the CFI section
	PC   uint64     // where the instruction takes effect
	Cure Cure
}

// Cure is a change to the input that gives a function an FDE.
type Cure uint8

// The cures.
const (
	OtherCFI     Cure = iota // other directives
	FramePointer             // code whose CFA is relative to FP
	ReservedArgs             // code that does not push arguments
)

// Dropped returns why an assembler omits the FDE of a function. It reports false if the assembler writes an FDE.
// Dropped treats escapes like the directives with the same effect, because the CFI does not show the difference.
func (f *FDE) Dropped(by Assembler) (Drop, bool) {
	t := translator{f: f, by: by, abi: &f.s.in.ABI}
	if says, why := t.always(); why != "" {
		return Drop{Says: says, Why: why, Code: f.CIE.Span, PC: f.Start.Addr}, true
	}
	if f.CIE.Signal && by == GAS246 || by == LLVM23 && f.Size == 0 {
		return Drop{}, false // without FREs
	}
	t.run.Reset(f)
	if t.run.done {
		return Drop{}, false
	}
	loc := t.run.loc
	for _, program := range []model.Span{f.CIE.Program, f.Program} {
		t.run.prepare(f.s, f.CIE, program)
		for t.run.c.Pos < len(t.run.c.B) && t.run.fault.Code == NoFault {
			at, next := t.run.c.Pos, loc
			ends := t.run.step(at, &next) && next > loc
			if says, why := t.instruction(ends); why != "" {
				return Drop{Says: says, Why: why, Code: t.run.c.from(at), PC: loc, Cure: t.cure}, true
			}
			t.settle()
			t.run.loc, loc = next, next
		}
	}
	if !t.moved && !t.changed && by <= GAS241 {
		return Drop{Why: "its CFI states nothing", Code: f.Span, PC: f.Start.Addr}, true
	}
	t.advance()
	if says := t.unpaired(); says != "" {
		return Drop{Says: says, Why: "FP is saved and RA is not", Code: t.lone, PC: f.Start.Addr}, true
	}
	if max := model.SFRAME_VERSION_3.Info().MaxFREs; by == GAS246 && t.rows > max {
		return Drop{Says: "Number of FREs exceeds UINT16_MAX", Why: fmt.Sprintf("the function has more than %d rows", max), Code: f.Program, PC: f.Start.Addr}, true
	}
	return Drop{}, false
}

// translator follows the CFI of a function as an assembler does.
type translator struct {
	f    *FDE
	by   Assembler
	abi  *model.ABIInfo
	run  Runner
	cure Cure

	now     translated
	kept    []translated
	first   translated
	last    translated // for LLVM: as of the last instruction
	moved   bool       // this PC is not the first one
	changed bool       // the row that begins at this PC is a new one
	rows    uint32     // that are complete
	lone    model.Span // see unpaired
}

// translated is what an assembler states in a row.
type translated struct {
	based  bool // the CFA has a base register
	base   uint64
	offset int64
	fp, ra saving
}

// saving is where a register is.
type saving struct {
	slot   bool // below the CFA
	offset int64
}

// always returns why an assembler leaves out the function whatever its program is, and what it prints.
func (t *translator) always() (says, why string) {
	switch ra := t.f.CIE.RA; {
	case t.by == LLVM23 && t.abi.TracksRA():
		return "non-default RA register in .cfi_return_column", "LLVM 23 writes FDEs only for AMD64"
	case t.by == LLVM23 && ra != t.abi.RA:
		return "non-default RA register in .cfi_return_column", fmt.Sprintf("the return column is %d", ra)
	case t.by != GAS240 && ra != t.abi.RA:
		return fmt.Sprintf("non-default RA register %d", ra), fmt.Sprintf("the return column is %d", ra)
	}
	return "", ""
}

// name names a register in the way of GNU as.
func (t *translator) name(reg uint64) string {
	switch reg {
	case uint64(t.abi.SP):
		return "SP"
	case uint64(t.abi.FP):
		return "FP"
	case uint64(t.abi.RA):
		return "RA"
	}
	return ""
}

// tracked reports whether SFrame data have a rule for a register, and SP apart.
func (t *translator) tracked(reg uint64) bool {
	return reg == uint64(t.abi.FP) || reg == uint64(t.abi.RA) && t.abi.TracksRA()
}

// settle counts a row of LLVM, which has one for each change after the first PC.
func (t *translator) settle() {
	if t.by == LLVM23 && t.now != t.last {
		if t.last = t.now; t.moved {
			t.rows++
		} else {
			t.first = t.now
		}
	}
}

// advance ends a row of GNU as.
func (t *translator) advance() {
	t.moved = true
	if t.changed && t.by != LLVM23 {
		if t.rows++; t.rows == 1 {
			t.first = t.now
		}
		t.changed = false
		if t.lone.Len == 0 && t.now.fp.slot && !t.now.ra.slot {
			t.lone = t.f.Program
		}
	}
}

// unpaired returns what the assembler says where FP is saved in a row and RA is not.
func (t *translator) unpaired() string {
	if t.lone.Len > 0 && t.abi.TracksRA() && !t.abi.LSBRegs && t.by != GAS240 {
		return "FP without RA on stack"
	}
	return ""
}

// instruction follows the instruction that has been executed last. Where an assembler cannot translate it, it returns what the
// assembler prints and a clause that says why.
func (t *translator) instruction(ends bool) (says, why string) {
	o := &t.run.op
	if t.run.fault.Code == OpcodeUnknown { // no directive
		return t.escape(o)
	}
	switch o.op {
	case cfaAdvanceLoc, cfaSetLoc:
		if ends {
			t.advance()
		}
	case cfaDefCFA:
		if says, why = t.cfaOffset(o.n, ".cfi_def_cfa"); why == "" {
			says, why = t.register(o.reg, ".cfi_def_cfa")
		}
	case cfaDefCFARegister:
		return t.register(o.reg, ".cfi_def_cfa_register")
	case cfaDefCFAOffset:
		return t.cfaOffset(o.n, ".cfi_def_cfa_offset")
	case cfaOffset:
		t.save(o.reg, saving{true, o.n})
	case cfaRestore:
		t.restore(o.reg)
	case cfaSameValue:
		if t.by == GAS246 {
			t.save(o.reg, saving{})
		}
	case cfaRememberState:
		return t.remember()
	case cfaRestoreState:
		if n := len(t.kept); n > 0 {
			t.now, t.changed = t.kept[n-1], true
			if t.by == LLVM23 {
				t.kept = t.kept[:n-1]
			}
		}
	case cfaUndefined:
		if t.by == GAS246 && (o.reg == uint64(t.abi.FP) || o.reg == uint64(t.abi.SP)) {
			return fmt.Sprintf("%s reg %d in .cfi_undefined", t.name(o.reg), o.reg), t.abi.RegName(uint32(o.reg)) + " is undefined"
		}
		t.changed = t.changed || t.by == GAS246 && o.reg == uint64(t.abi.RA)
	case cfaRegister:
		return t.copied(o.reg)
	case cfaValOffset:
		return t.value(o)
	case cfaAArch64NegateRAState:
		t.changed = true
	case cfaAArch64NegateRAStateWithPC:
		return ".cfi_negate_ra_state_with_pc", "RA is signed with the PC"
	case cfaDefCFAExpression, cfaExpression, cfaValExpression, cfaGNUArgsSize, cfaAArch64SetRAState, cfaGNUNegativeOffsetExtended:
		return t.escape(o)
	}
	return says, why
}

// register follows a change of the base register of the CFA.
func (t *translator) register(reg uint64, directive string) (says, why string) {
	switch {
	case reg == uint64(t.abi.SP) || reg == uint64(t.abi.FP) || t.by == GAS240, t.by == GAS246 && !t.abi.Pauth:
	case t.by == LLVM23:
		return "canonical Frame Address not in stack- or frame-pointer", "the CFA is based on " + t.abi.RegName(uint32(reg))
	default:
		return fmt.Sprintf("non-SP/FP register %d in %s", reg, directive), "the CFA is based on " + t.abi.RegName(uint32(reg))
	}
	t.now.based, t.now.base, t.changed = true, reg, true
	return "", ""
}

// cfaOffset follows a change of the offset of the CFA.
func (t *translator) cfaOffset(off int64, directive string) (says, why string) {
	known := t.now.based && (t.by == GAS246 || t.now.base == uint64(t.abi.SP) || t.now.base == uint64(t.abi.FP))
	word := (off - t.abi.CFAAdjust) / t.abi.CFAScale
	switch {
	case directive == ".cfi_def_cfa_offset" && !known && t.by == LLVM23:
		return "adjusting CFA offset without a base register", "the CFA has an offset and no register"
	case directive == ".cfi_def_cfa_offset" && !known:
		return ".cfi_def_cfa_offset without CFA base register in effect", "the offset changes of a CFA that is not based on SP or FP"
	case t.by == GAS246 && word != int64(int32(word)):
		return directive + " with unsupported offset value", fmt.Sprintf("the offset %d of the CFA is too large", off)
	}
	t.now.offset, t.changed = off, true
	return "", ""
}

// save follows a rule for a register.
func (t *translator) save(reg uint64, at saving) {
	switch {
	case reg == uint64(t.abi.FP):
		t.now.fp, t.changed = at, true
	case t.tracked(reg):
		t.now.ra, t.changed = at, true
	}
}

func (t *translator) restore(reg uint64) {
	first := t.first
	if t.rows == 0 && t.by != LLVM23 {
		first = t.now
	}
	if reg == uint64(t.abi.FP) {
		t.save(reg, first.fp)
	} else {
		t.save(reg, first.ra)
	}
}

// remember keeps the state: GNU as in one place.
func (t *translator) remember() (says, why string) {
	if t.rows == 0 && (t.by != GAS246 || !t.changed && !t.moved) {
		return ".cfi_remember_state without prior SFrame FRE state", "a state is remembered before the first row is complete"
	}
	if t.by != LLVM23 {
		t.kept = t.kept[:0]
	}
	t.kept = append(t.kept, t.now)
	return "", ""
}

// copied follows a register that is in another one.
func (t *translator) copied(reg uint64) (says, why string) {
	switch {
	case t.by == GAS240:
		return "CFI insn DW_CFA_register (0x9)", "DW_CFA_register"
	case t.tracked(reg) && (t.by == GAS241 || t.by == GAS246 && t.abi.Pauth), reg == uint64(t.abi.SP) && t.by == GAS246 && !t.abi.LSBRegs:
		return fmt.Sprintf("%s register %d in .cfi_register", t.name(reg), reg), t.abi.RegName(uint32(reg)) + " is in another register"
	}
	t.changed = t.changed || t.by == GAS246 && (reg == uint64(t.abi.FP) || reg == uint64(t.abi.RA))
	return "", ""
}

// value follows DW_CFA_val_offset.
func (t *translator) value(o *operation) (says, why string) {
	own := o.n == -t.abi.CFAAdjust
	switch why = t.abi.RegName(uint32(o.reg)) + " is computed from the CFA"; {
	case t.by == GAS246 && (t.tracked(o.reg) || o.reg == uint64(t.abi.SP) && !own):
		return fmt.Sprintf(".cfi_val_offset with %s reg %d", t.name(o.reg), o.reg), why
	case t.by <= GAS241 && t.tracked(o.reg):
		return fmt.Sprintf("%s register %d in .cfi_val_offset", t.name(o.reg), o.reg), why
	}
	return "", ""
}

// escape follows what only an escape can state.
func (t *translator) escape(o *operation) (says, why string) {
	op, reg, block := o.op, o.reg, t.run.c.B[o.rest:t.run.c.Pos]
	switch op {
	case cfaDefCFAExpression:
		why = "the CFA is an expression"
	case cfaGNUArgsSize:
		why = "DW_CFA_GNU_args_size while the CFA is based on SP"
	case cfaExpression, cfaValExpression:
		why = t.abi.RegName(uint32(reg)) + " has an expression"
	default:
		why = fmt.Sprintf("the CFI has opcode %#x", op)
	}
	switch {
	case t.by == LLVM23:
		return t.escapeOfLLVM(o, why)
	case t.by != GAS246:
		if op == cfaGNUArgsSize {
			why = "DW_CFA_GNU_args_size"
		}
		return "CFI insn CFI_escape (0x103)", why
	}
	fromFP := t.now.based && t.now.base == uint64(t.abi.FP)
	switch {
	case op == cfaGNUArgsSize && len(block) == 1 && (block[0] == 0 || fromFP):
		return "", ""
	case op == cfaGNUArgsSize && len(block) > 1:
		t.cure, why = ReservedArgs, "DW_CFA_GNU_args_size of more than 127 bytes"
	case op == cfaGNUArgsSize:
		t.cure = FramePointer
	case op == cfaDefCFAExpression && len(block) == 4 && block[0] == 3 && t.abi.FixedRA != 0 && block[1] == opBreg0+byte(t.abi.FP) && block[3] == opDeref:
		t.now.based, t.now.base, t.changed = true, uint64(t.abi.FP), true
		return "", ""
	case op == cfaExpression && len(block) == 3 && block[0] == 2 && reg == uint64(t.abi.FP):
		t.now.fp, t.changed = saving{}, true // the FDE is flexible
		return "", ""
	case op == cfaExpression && len(block) == 3 && block[0] == 2:
		if reg == uint64(t.abi.SP) || t.tracked(reg) || t.now.based && reg == t.now.base {
			return fmt.Sprintf(".cfi_escape DW_CFA_expression with %s reg %d", t.name(reg), reg), why
		}
		return "", ""
	}
	if op == cfaGNUWindowSave {
		return ".cfi_window_save", why
	}
	return fmt.Sprintf(".cfi_escape with op (%#x)", op), why
}

// escapeOfLLVM is escape for LLVM, where the RA of AMD64 is no register.
func (t *translator) escapeOfLLVM(o *operation, why string) (string, string) {
	switch op, reg := o.op, o.reg; {
	case op == cfaGNUArgsSize && (o.n == 0 || !t.now.based || t.now.base == uint64(t.abi.FP)):
		return "", ""
	case op == cfaGNUArgsSize:
		return ".cfi_escape DW_CFA_GNU_args_size with non frame-pointer CFA", why
	case op == cfaExpression && (reg == uint64(t.abi.SP) || reg == uint64(t.abi.FP)):
		return fmt.Sprintf(".cfi_escape DW_CFA_expression with %s reg %d", t.name(reg), reg), why
	case op == cfaExpression:
		return "", ""
	case op == cfaDefCFAExpression || op == cfaValExpression:
		return ".cfi_escape CFA expression with unknown side effects", why
	}
	return ".cfi_escape with unknown effects", why
}

// Output returns the version of the sections that an assembler writes. It reports whether the assembler sets
// SFRAME_F_FDE_FUNC_START_PCREL.
func (a Assembler) Output() (v model.Version, pcrel bool) {
	return [...]model.Version{model.SFRAME_VERSION_1, model.SFRAME_VERSION_2, model.SFRAME_VERSION_3, model.SFRAME_VERSION_2}[a], a >= GAS246
}
