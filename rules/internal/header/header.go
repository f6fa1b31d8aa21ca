// Package header has family SF1: rules on the header and on how the sub-sections fill the section.
package header

import "github.com/sframe-lint/sframe-lint/rules"

// Rules are the rules of the family, sorted by ID.
var Rules = []*rules.Rule{
	Magic, Truncated, Version, Obsolete, Flags, ABI, ByteOrder, FixedRA, FixedFP,
	AuxPresent, AuxBeyond, FDEsBeyond, FREsBeyond, Overlap, Gap, StrayGap,
	TrailingZeros, TrailingData, Unmerged(nil), FRECount, NoFunctions, FixedFPAMD64,
	Unaligned,
}
