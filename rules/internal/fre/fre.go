// Package fre has families SF30 and SF4: rules on FREs and on what their data words mean in an ABI.
package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Rules are the rules of families SF3 and SF4, sorted by ID. There is no SF4007: AArch64 code often saves a signed return
// address.
var Rules = []*rules.Rule{
	WordSize, CutOff, OffsetBeyond, FirstLate, Order, AtEnd, BeyondEnd, BeyondStub,
	Overlap, SameRows, Gap, StrayGap, Claimed, Mangled, NoWords,
	FlexReserved, FlexPair, FlexCFA, FlexRegister, FlexLeftover, FlexUnusedReg, FlexValue, FlexBase,
	FlexPadding,
	Misaligned, FlexUnusedRA, IdleBits,
	WordCount, RAPadding, Register, SlotS390X, FPZero, Slot, TwoWords,
}

var s390x = model.ABIsWith(func(a model.ABIInfo) bool { return a.LSBRegs })

// cut reports whether the FRE sub-section ends beyond the section. A rule on
// the header reports that, and FREs missing for that reason are not reported
// again.
func cut(c *rules.Context) bool {
	for range c.SFrame.FaultsOf(reader.FREsBeyondEnd) {
		return true
	}
	return false
}
