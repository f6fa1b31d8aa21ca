package crosscheck

import (
	"github.com/sframe-lint/sframe-lint/ehframe"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
	"github.com/sframe-lint/sframe-lint/rules/internal/proof"
	"github.com/sframe-lint/sframe-lint/track"
)

// judged are the kinds of difference on which the machine code may decide.
var judged = map[ehframe.DifferenceKind]track.Kind{
	ehframe.CFADiffers: track.WrongCFA, ehframe.RADiffers: track.WrongRA,
	ehframe.FPDiffers: track.WrongFP, ehframe.MangledDiffers: track.WrongSigning,
}

// blame writes which of the FRE and the CFI the machine code proves wrong, and what mends the
// directives if they are; "" if it proves neither wrong.
func blame(c *rules.Context, d *ehframe.Difference) string {
	if !c.Has(rules.CodeReadable) {
		return ""
	}
	fre := proven(prereq.Get[*proof.Found](c.Pass, rules.CodeProofs), d)
	cfi := proven(prereq.Get[*proof.Found](c.Pass, rules.CFIProofs), d)
	mend := ""
	if cfi != nil {
		words := proof.Words{ABI: c.Section.ABI(), Address: c.Address, Row: "row"}
		if mend = words.Mend(cfi); mend != "" {
			mend = ": " + mend
		}
	}
	switch {
	case fre != nil && cfi != nil:
		return "; the code contradicts the FRE and the CFI, so the source's CFI is also wrong" + mend
	case fre != nil:
		return "; the code contradicts the FRE, so the assembler or the linker is wrong"
	case cfi != nil:
		return "; the code contradicts the CFI, so the CFI is wrong in the source or was damaged later" + mend
	}
	return ""
}

// proven returns what the code proves wrong where two sources differ, nil for nothing.
func proven(found *proof.Found, d *ehframe.Difference) *proof.Wrong {
	kind, ok := judged[d.Kind]
	if !ok || found == nil {
		return nil
	}
	for i := range found.Wrong {
		if w := &found.Wrong[i]; w.Func == d.FDE && w.Kind == kind && w.Start < d.End && d.Start < w.End {
			return w
		}
	}
	return nil
}
