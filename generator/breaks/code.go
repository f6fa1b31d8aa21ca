package breaks

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/base/machinecode"
	"github.com/sframe-lint/sframe-lint/model"
)

// plain reports whether a function has only the entry state, so that its code does nothing
// and returns.
func (s *Subject) plain(i int) bool {
	f := s.fn(i)
	if !s.inELF() || !s.inc(i) || f.Signal || len(f.Rows) != 1 || !s.entry(i) {
		return false
	}
	r := f.Rows[0].Rules
	return s.inCode(i) && r.FP.Kind == model.Unchanged && r.RA.Kind != model.Undefined && !f.Rows[0].Mangled && f.Rows[0].Start == 0 &&
		int(f.Size) >= len(s.machine().Return) && int(f.Size)%len(s.machine().Nop) == 0
}

// overwriteUnchanged makes a break that overwrites a register which the row gives as unchanged, or its slot.
func overwriteUnchanged(code func(machinecode.Code) string) func(*Subject) []site {
	return eachFDE(func(s *Subject, i int) bool { return s.plain(i) && int(s.fn(i).Size) >= len(code(s.machine())) },
		func(d *draft, i int) anchor { return d.instruction(i, 0, code(d.machine())).blame(ofRow(i, 0)) })
}

// atFP makes a break that adds an FRE by which FP is in memory at FP, after code that begins a function.
func atFP(first func(machinecode.Code) string) func(*Subject) []site {
	return eachFDE(func(s *Subject, i int) bool {
		return s.version().Info().Flex && s.plain(i) && int(s.fn(i).Size) >= len(first(s.machine()))+len(s.machine().Return)
	}, func(d *draft, i int) anchor {
		code := first(d.machine())
		return d.structure(func(p *generator.Plan) {
			f := &p.Funcs[i]
			row := f.Rows[0]
			row.Start = uint32(len(code))
			row.Rules.FP = model.Recovery{Kind: model.InRegister, Reg: d.abi().FP, Deref: true}
			f.Rows = append(f.Rows, row)
			p.FitType(f)
		}).instruction(i, 0, code+d.machine().Return).blame(ofRow(i, 1))
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
		eachRow(func(s *Subject, i, j int) bool {
			r := s.row(i, j)
			return j == 1 && s.inELF() && s.inc(i) && !s.fn(i).Signal && s.abi().MinInsn == 1 && r.Start > 0 && r.Start < 9 && r.Start < s.limitOf(i, j)
		}, func(d *draft, i, j int) anchor {
			return d.instruction(i, 0, trapInstruction(int(d.row(i, j).Start)+1)).blame(ofStart(i, j))
		})),
	fault("cut-code", "SF3118 SF6002 SF6014", "Makes an FDE end before the return of its function.", proven,
		setFDE(model.FDEFuncSize, func(s *Subject, i int) bool {
			return s.plain(i) && int(s.fn(i).Size) >= len(s.machine().Return)+len(s.machine().Nop)
		}, func(d *draft, i int) uint64 { return uint64(int(d.fn(i).Size) - len(d.machine().Return)) })),
	fault("veneer", "SF3121 SF6002 SF6014", "Moves the first instruction of a function to a veneer after its FDE.", proven,
		eachFDE(func(s *Subject, i int) bool { return s.linked() && s.abi().Veneers && s.plain(i) && s.fn(i).Size >= 20 }, func(d *draft, i int) anchor {
			size := d.fn(i).Size - 8
			d.instruction(i, size-4, d.machine().Return+d.machine().Nop+branch(-int64(size))).instruction(i, 0, branch(int64(size)))
			return d.write(ofField(i, model.FDEFuncSize), uint64(size))
		})),
	fault("signal-return", "SF3119 SF3118", "Makes an ordinary function one that returns from a signal handler.", proven,
		eachFDE(func(s *Subject, i int) bool {
			return s.version().Info().Signal && s.plain(i) && int(s.fn(i).Size) >= len(s.machine().EndSignal)+len(s.machine().Return) && s.fn(i).Size <= 64
		}, func(d *draft, i int) anchor {
			return d.instruction(i, 0, d.machine().EndSignal).blame(ofField(i, model.FDEInfo))
		})),
	fault("stale-fp", "SF3116 SF3201 SF7006", "Adds an FRE by which the caller's FP is in memory at FP, to code that does not change FP.", proven,
		atFP(func(c machinecode.Code) string { return c.Nop })),
	fault("restored-fp", "SF3120 SF3201 SF7006", "Adds an FRE by which the caller's FP is in memory at FP, after code that restores FP.", proven,
		atFP(func(c machinecode.Code) string { return c.CopyFP })),
	fault("wrong-cfi", "SF6022 SF6007", "Adds .eh_frame with a CFA that the code of a function contradicts.", proven,
		withCFI((*Subject).plain, func(d *draft, i int) anchor {
			program := slices.Concat([]byte{dwCFADefCFASF, byte(d.abi().SP)}, sleb(d.abi().EntryCFA+d.abi().CFAAlign))
			f := d.cfiOf(i)
			f.program = program
			d.addCFI(cfi{fdes: []cfiFDE{f}})
			return anchor{inObject, func(s *Subject) model.Span {
				t := s.elf.named(".eh_frame")
				body := int64(21+len(program)+3) &^ 3
				return model.Span{Off: int64(t.off+t.size) - body + 21, Len: body - 21}
			}}
		})),
}
