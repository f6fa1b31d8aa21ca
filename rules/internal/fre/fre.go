// Package fre holds family SF3: rules on frame row entries.
package fre

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Rules are the rules of the family, sorted by ID.
var Rules = []*rules.Rule{
	WordSize, CutOff, OffsetBeyond, FirstLate, Order, AtEnd, BeyondEnd, BeyondStub,
	Overlap, SameRows, Gap, StrayGap, Claimed, Mangled, NoWords,
	FlexReserved, FlexPair, FlexCFA, FlexRegister, FlexLeftover, FlexUnusedReg, FlexValue, FlexBase,
	FlexPadding,
	Misaligned, FlexUnusedRA, IdleBits,
}

// cut reports whether the FRE sub-section ends beyond the section. A rule on
// the header reports that, and FREs missing for that reason are not reported
// again.
func cut(c *rules.Context) bool {
	for range c.SFrame.FaultsOf(reader.FREsBeyondEnd) {
		return true
	}
	return false
}
