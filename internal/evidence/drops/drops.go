// Package drops determines why functions have no FDE.
package drops

import (
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Reason is why a function has no FDE.
type Reason struct {
	Why  string     // a clause, such as "DW_CFA_register; GNU as 2.40 then writes no FDE"
	Says string     // the assembler's message; "" if there is no message
	Code model.Span // bytes of the CFI in its section
	PC   uint64     // where the CFI takes effect
	Help string     // how to get an FDE for the function, as in a finding
	Lost bool       // the CFI shows no reason, so the data was probably lost
}

// Texts for all functions, whatever their CFI.
const (
	NoCFI     = "no CFI"
	NoCFIHelp = "compile with -fasynchronous-unwind-tables, and write .cfi_ directives in assembly: without CFI an assembler writes no FDE and prints nothing"
	LostHelp  = "assemble the function with --gsframe; if that was done, its data was lost: link again, and check the linker's messages"
)

// HasCFI reports whether the object has a CFI section, because its source has CFI directives.
func HasCFI(e *reader.ELF) bool {
	return slices.ContainsFunc(e.Sections, func(s reader.Section) bool { return s.Name == ".eh_frame" || s.Name == ".debug_frame" })
}

// Of returns why the function of f has no FDE in e's SFrame section, whose header is h.
func Of(h model.Header, e *reader.ELF, f *cfi.FDE) Reason {
	by, name := assembler(h, e)
	if by == cfi.LLVM23 && h.NumFDEs > 0 && model.LookupABI(h.ABI).TracksRA() {
		name = "" // it writes no FDE for these
	}
	if name != "" {
		if d, ok := f.Dropped(by); ok {
			why := name + " then writes no FDE"
			if d.Says != "" && by != cfi.GAS240 && name == by.String() {
				why = fmt.Sprintf("%s says %q", name, d.Says)
			}
			return Reason{Why: d.Why + "; " + why, Says: d.Says, Code: d.Code, PC: d.PC, Help: cure(f, by)}
		}
	}
	x, obstacle := f.Obstacle(h.Version, true)
	obstacle = obstacle && !x.Ignored
	r := Reason{Why: fmt.Sprintf("%s, which version %d cannot express", x.Why, h.Version), Code: x.Code, PC: f.Start.Addr, Help: cure(f, by)}
	switch {
	case name == cfi.LLVM23.String(): // it writes an FDE for all other CFI, which does not show the directive
		if r.Says, r.Help = "non-default RA register in .cfi_return_column", "remove .cfi_return_column, or assemble with GNU as 2.46 or later"; obstacle {
			r.Why += "; " + name + " leaves out only functions with .cfi_return_column"
		} else {
			r.Why, r.Code, r.Lost = name+" wrote no FDE, most likely because of .cfi_return_column", f.CIE.Span, true
		}
		return r
	case obstacle:
		return r
	}
	r = Reason{Why: "its CFI is simple, so its data was lost", Code: f.Span, PC: f.Start.Addr, Help: LostHelp, Lost: true}
	if e.Relocatable() { // these do not show what the source has
		r.Why, r.Help = "its CFI is simple, so its data was lost, or its source has .cfi_escape or .cfi_label", "replace .cfi_escape and .cfi_label in the source; otherwise "+LostHelp
	}
	return r
}

// assembler returns the one that writes such sections, and its name, "" for an unknown one. GNU as 2.45 leaves out what 2.44 does; LLVM
// writes its string table first.
func assembler(h model.Header, e *reader.ELF) (by cfi.Assembler, name string) {
	l := producers.LookOf(h, !e.Relocatable())
	for a := range cfi.LLVM23 + 1 {
		if v, pcrel := a.Output(); v == l.Version && pcrel == l.PCRelative && (l.Linked || !l.Sorted || !pcrel) {
			by, name = a, a.String()
		}
	}
	switch {
	case by != cfi.LLVM23:
	case l.Linked:
		name += " or GNU as 2.45"
	case len(e.Sections) < 2 || e.Sections[1].Name != ".strtab":
		return cfi.GAS241, "GNU as 2.45"
	}
	return by, name
}

// cure says what gives a function an FDE that an assembler leaves out.
func cure(f *cfi.FDE, by cfi.Assembler) string {
	switch d, ok := f.Dropped(cfi.GAS246); {
	case d.Cure == cfi.FramePointer:
		return "compile with -fno-omit-frame-pointer: no assembler writes an FDE otherwise"
	case d.Cure == cfi.ReservedArgs:
		return "compile with -maccumulate-outgoing-args (GCC, not with -Os) or -mllvm -no-x86-call-frame-opt (Clang): no assembler writes an FDE otherwise"
	case !ok && by != cfi.GAS246:
		return fmt.Sprintf("assemble with %v, which writes one", cfi.GAS246)
	}
	return "describe the function with other directives: no assembler writes an FDE for these"
}
