// Package drops decides why functions have no FDE.
package drops

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/model"
)

// Reason is why a function has no FDE.
type Reason struct {
	Why  string     // a part of a sentence: "GNU as 2.40 writes none: DW_CFA_register"
	Says string     // the assembler's words; "" if it says nothing, or none left the function out
	Code model.Span // the CFI in its section
	PC   uint64     // where it takes effect
	Help string     // what gives the function an FDE, as in a finding
	Lost bool       // nothing in the CFI is a reason
}

// Texts that do not depend on the CFI.
const (
	NoCFI     = "no CFI"
	NoCFIHelp = "compile with -fasynchronous-unwind-tables, and write .cfi_ directives in assembly: without CFI an assembler writes no FDE and says nothing"
	LostHelp  = "assemble the function with --gsframe; if it is, its data were lost: link again, and look for messages of the linker"
)

// Of returns why the function that CFI describes has no FDE in a section whose header is h.
func Of(h model.Header, linked bool, f *cfi.FDE) Reason {
	by, known := assembler(producers.LookOf(h, linked))
	if by == cfi.LLVM23 && h.NumFDEs > 0 && model.LookupABI(h.ABI).TracksRA() {
		known = false // it writes no FDE for these
	}
	if known {
		if d, ok := f.Dropped(by); ok {
			return dropped(by, d, f)
		}
	}
	if x, ok := f.Obstacle(h.Version, true); ok && !x.Ignored {
		return Reason{Why: fmt.Sprintf("version %d cannot express its CFI: %s", h.Version, x.Why), Code: x.Code, PC: f.Start.Addr, Help: cure(f, by, cfi.OtherCFI)}
	}
	if known && by == cfi.LLVM23 && !linked {
		// The CFI does not show the directive.
		return Reason{Why: by.String() + " writes none: most likely because of .cfi_return_column", Says: "non-default RA register in .cfi_return_column",
			Code: f.CIE.Span, PC: f.Start.Addr, Help: "remove .cfi_return_column, or assemble with GNU as 2.46 or later", Lost: true}
	}
	return Reason{Why: "its CFI is simple, so its data was lost", Code: f.Span, PC: f.Start.Addr, Help: LostHelp, Lost: true}
}

// assembler returns the one that writes such sections.
func assembler(l *producers.Look) (by cfi.Assembler, known bool) {
	for a := range cfi.LLVM23 + 1 {
		if v, pcrel := a.Output(); v == l.Version && pcrel == l.PCRelative && (l.Linked || !l.Sorted || !pcrel) {
			return a, true
		}
	}
	return 0, false
}

func dropped(by cfi.Assembler, d cfi.Drop, f *cfi.FDE) Reason {
	why := by.String() + " writes none"
	if d.Says != "" && by != cfi.GAS240 {
		why = fmt.Sprintf("%v says %q", by, d.Says)
	}
	return Reason{Why: why + ": " + d.Why, Says: d.Says, Code: d.Code, PC: d.PC, Help: cure(f, by, d.Cure)}
}

// cure says what gives a function an FDE that an assembler leaves out.
func cure(f *cfi.FDE, by cfi.Assembler, c cfi.Cure) string {
	if c == cfi.FramePointer {
		return "compile with -fno-omit-frame-pointer: no assembler writes an FDE otherwise"
	}
	if by != cfi.GAS246 {
		if _, ok := f.Dropped(cfi.GAS246); !ok {
			return fmt.Sprintf("assemble with %v, which writes one", cfi.GAS246)
		}
	}
	return "describe the function with other directives: no assembler writes an FDE for these"
}
