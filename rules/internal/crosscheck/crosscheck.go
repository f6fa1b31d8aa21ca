// Package crosscheck holds the families SF6 and SF8: rules that compare a section with the function symbols, the PLT and
// the call frame information of its file, and with what users and consumers require.
package crosscheck

import "github.com/sframe-lint/sframe-lint/rules"

// Rules are the rules of family SF6 that depend on no setting, sorted by ID.
var Rules = []*rules.Rule{InsideFunction, SizeDiffers, PLTAlone, PLTUncovered, AgainstFlag,
	CFADiffers, RADiffers, FPDiffers, SignedDiffers, OutermostDiffers, SignalDiffers, RangeDiffers,
	Uncovered(nil, false), WithoutCFI, Inexpressible, DamagedCFI, StubRows,
	Missing(nil), CFIAgainstCode, Lost, KernelLost(false), Bolted, AnotherReading,
}
