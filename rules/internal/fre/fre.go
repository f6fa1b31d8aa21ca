// Package fre holds the rules on the frame row entries: family SF3.
package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Rules are the rules of the family, by ID.
var Rules = []*rules.Rule{
	WordSize, CutOff, OffsetBeyond, FirstLate, Order, AtEnd, BeyondEnd, BeyondStub,
	Overlap, SameRows, Gap, StrayGap, Claimed, Mangled, NoWords,
	FlexReserved, FlexPair, FlexCFA, FlexRegister, FlexLeftover, FlexUnusedReg, FlexValue, FlexBase,
	FlexPadding,
}

var onlyV3 = []model.Version{model.SFRAME_VERSION_3}

// name returns what the section's version calls a field of an FDE.
func name(c *rules.Context, f model.FDEField) string {
	return model.FieldName(c.Section.Version(), f)
}

// cut tells that the FRE sub-section ends beyond the section, which a rule
// on the header reports: rows that are missing for it are no news.
func cut(c *rules.Context) bool {
	found := false
	c.Faults(reader.FREsBeyondEnd, func(reader.Fault) { found = true })
	return found
}
