// Package crosscheck holds family SF6: rules that compare a section with the
// function symbols, the PLT and the call frame information of its file.
package crosscheck

import "github.com/sframe-lint/sframe-lint/rules"

// Rules are the rules of the family, sorted by ID.
var Rules = []*rules.Rule{InsideFunction, SizeDiffers, PLTAlone, PLTUncovered, AgainstFlag,
	CFADiffers, RADiffers, FPDiffers, SignedDiffers, OutermostDiffers, SignalDiffers, RangeDiffers,
	Uncovered(nil), WithoutCFI, Inexpressible, DamagedCFI, StubRows,
	Missing(nil), CFIAgainstCode, Lost, KernelLost(false), Bolted, AnotherReading,
}
