package breaks

import (
	"encoding/binary"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/machinecode"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// plain reports whether a function has only the entry state, so that its code does nothing
// and returns.
func (x spot) plain() bool {
	f := x.fn()
	if !x.inELF() || !x.inc() || f.Signal || len(f.Rows) != 1 || !x.entry() {
		return false
	}
	r := f.Rows[0].Rules
	return x.inCode() && r.FP.Kind == model.Unchanged && r.RA.Kind != model.Undefined && !f.Rows[0].Mangled && f.Rows[0].Start == 0 &&
		int(f.Size) >= len(x.machine().Return) && int(f.Size)%len(x.machine().Nop) == 0
}

// overwriteUnchanged makes a break that overwrites a register which the row gives as unchanged, or its slot.
func overwriteUnchanged(code func(machinecode.Code) string) sites {
	return eachFDE(func(x spot) bool { return x.plain() && int(x.fn().Size) >= len(code(x.machine())) },
		func(x spot) anchor { return x.instruction(0, code(x.machine())).blame(x.ofRow()) })
}

// atFP makes a break that adds an FRE by which FP is in memory at FP, after code that begins a function.
func atFP(first func(machinecode.Code) string) sites {
	return eachFDE(func(x spot) bool {
		return x.format().Flex && x.plain() && int(x.fn().Size) >= len(first(x.machine()))+len(x.machine().Return)
	}, func(x spot) anchor {
		code := first(x.machine())
		return x.structure(func(p *generator.Plan) {
			f := &p.Funcs[x.i]
			row := f.Rows[0]
			row.Start = uint32(len(code))
			row.Rules.FP = model.Recovery{Kind: model.InRegister, Reg: x.abi().FP, Deref: true}
			f.Rows = append(f.Rows, row)
			p.FitType(f)
		}).instruction(0, code+x.machine().Return).blame(x.nth(1).ofRow())
	})
}

// branch returns the instruction of AArch64 that jumps by some bytes.
func branch(by int64) string {
	return string(binary.LittleEndian.AppendUint32(nil, 0x14000000|uint32(by/4)&0x3ffffff))
}

// trapInstruction is an instruction of 2 to 9 bytes on AMD64 that traps.
func trapInstruction(n int) string { return strings.Repeat("\x66", n-2) + "\x0f\x0b" }

var codeBreaks = []Break{
	fault("lost-ra", "SF3115 SF3118 SF3203", "Makes the code of a function overwrite its return address.", proven,
		overwriteUnchanged(func(c machinecode.Code) string { return c.LoseRA })),
	fault("lost-fp", "SF3116 SF3118", "Makes the code of a function overwrite its caller's FP.", proven,
		overwriteUnchanged(func(c machinecode.Code) string { return c.LoseFP })),
	fault("mid-instruction", "SF3117 SF3112 SF3114 SF3115 SF3116 SF3118", "Makes an FRE start inside the first instruction of its function.", proven,
		eachRow(func(x spot) bool {
			r := x.row()
			return x.j == 1 && x.inELF() && x.inc() && !x.fn().Signal && x.abi().MinInsn == 1 && r.Start > 0 && r.Start < 9 && r.Start < x.limitOf()
		}, func(x spot) anchor {
			return x.instruction(0, trapInstruction(int(x.row().Start)+1)).blame(x.ofStart())
		})),
	fault("cut-code", "SF3118 SF6002 SF6014", "Makes an FDE end before the return of its function.", proven,
		setFDE(model.FDEFuncSize, func(x spot) bool {
			return x.plain() && int(x.fn().Size) >= len(x.machine().Return)+len(x.machine().Nop)
		}, func(x spot) uint64 { return uint64(int(x.fn().Size) - len(x.machine().Return)) })),
	fault("veneer", "SF3121 SF6002 SF6014", "Moves the first instruction of a function to a veneer after its FDE.", proven,
		eachFDE(func(x spot) bool { return x.linked() && x.abi().Veneers && x.plain() && x.fn().Size >= 20 }, func(x spot) anchor {
			size := x.fn().Size - 8
			x.instruction(size-4, x.machine().Return+x.machine().Nop+branch(-int64(size))).instruction(0, branch(int64(size)))
			return x.write(x.ofField(model.FDEFuncSize), uint64(size))
		})),
	fault("signal-return", "SF3119 SF3118", "Makes an ordinary function one that returns from a signal handler.", proven,
		eachFDE(func(x spot) bool {
			return x.format().Signal && x.plain() && int(x.fn().Size) >= len(x.machine().EndSignal)+len(x.machine().Return) && x.fn().Size <= 64
		}, func(x spot) anchor {
			return x.instruction(0, x.machine().EndSignal).blame(x.ofField(model.FDEInfo))
		})),
	fault("stale-fp", "SF3116 SF3201 SF7006", "Adds an FRE by which the caller's FP is in memory at FP, to code that does not change FP.", proven,
		atFP(func(c machinecode.Code) string { return c.Nop })),
	fault("restored-fp", "SF3120 SF3201 SF7006", "Adds an FRE by which the caller's FP is in memory at FP, after code that restores FP.", proven,
		atFP(func(c machinecode.Code) string { return c.CopyFP })),
	fault("wrong-cfi", "SF6022 SF6007", "Adds .eh_frame with a CFA that the code of a function contradicts.", proven,
		withCFI(spot.plain, func(x spot) anchor {
			program := number.AppendSLEB([]byte{dwCFADefCFASF, byte(x.abi().SP)}, x.abi().EntryCFA+x.abi().CFAAlign)
			f := x.cfiOf()
			f.program = program
			x.addCFI(cfi{fdes: []cfiFDE{f}})
			return ofFile(func(x spot) model.Span {
				t := x.elf.named(".eh_frame")
				body := int64(21+len(program)+3) &^ 3
				return model.Span{Off: int64(t.off+t.size) - body + 21, Len: body - 21}
			})
		})),
}
