// Package fde holds the rules on the function descriptor entries: family
// SF2.
package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Rules are the rules of the family, by ID.
var Rules = []*rules.Rule{
	FREType, InfoReserved, Info2Reserved, FDEType, Padding, PauthKey, NoRepSize, RepSizeUnused,
	EmptyFunction, Unsorted, SortedRelocatable, SameStart, Overlap, NotCode, Misread,
	StartAlignment, SizeAlignment, NoRows, Wraps, RepSizeRemainder, RepSizeLarge,
}

var (
	onlyV2  = []model.Version{model.SFRAME_VERSION_2}
	onlyV3  = []model.Version{model.SFRAME_VERSION_3}
	sinceV2 = []model.Version{model.SFRAME_VERSION_2, model.SFRAME_VERSION_3}
)

// name returns what the section's version calls a field.
func name(c *rules.Context, f model.FDEField) string {
	return model.FieldName(c.Section.Version(), f)
}
