// Package header holds the rules on the section's header and on how its
// sub-sections tile it: family SF1.
package header

import "github.com/sframe-lint/sframe-lint/rules"

// Rules are the rules of the family, by ID.
var Rules = []*rules.Rule{
	Magic, Truncated, Version, Obsolete, Flags, ABI, ByteOrder, FixedRA, FixedFP,
	AuxPresent, AuxBeyond, FDEsBeyond, FREsBeyond, Overlap, Gap, StrayGap,
	TrailingZeros, TrailingData, Unmerged, FRECount, NoFunctions,
}
