// Package crosscheck has families SF6 and SF8. Their rules compare a section with the file's symbols, PLT and call
// frame information, and with what users and consumers require.
package crosscheck

import "github.com/sframe-lint/sframe-lint/rules"

// Rules are the rules of family SF6 that do not depend on a setting, sorted by ID.
var Rules = []*rules.Rule{InsideFunction, SizeDiffers, PLTAlone, PLTUncovered, AgainstFlag,
	CFADiffers, RADiffers, FPDiffers, SignedDiffers, OutermostDiffers, SignalDiffers, RangeDiffers,
	Uncovered(nil, false), WithoutCFI, Inexpressible, DamagedCFI, StubRows,
	Missing(nil), CFIAgainstCode, Lost, KernelLost(false), Bolted, AnotherReading,
}
