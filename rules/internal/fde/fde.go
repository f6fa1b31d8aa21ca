// Package fde holds family SF2: rules on function descriptor entries.
package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Rules are the rules of the family, sorted by ID.
var Rules = []*rules.Rule{
	FREType, InfoReserved, Info2Reserved, FDEType, Padding, PauthKey, NoRepSize, RepSizeUnused,
	EmptyFunction, Unsorted, SortedRelocatable, SameStart, Overlap, NotCode(nil), Misread,
	StartAlignment, SizeAlignment, NoRows, Wraps, RepSizeRemainder, RepSizeLarge, RepSizeStart,
	SignalLeftOut, ReturnsOutermost, MaskOutermost, NearLimit, ManyRows,
}

var (
	onlyV2  = model.Versions(func(v model.VersionInfo) bool { return v.Field(model.FDEPadding).Len > 0 })
	onlyV3  = model.Versions(func(v model.VersionInfo) bool { return v.Flex })
	sinceV2 = model.Versions(func(v model.VersionInfo) bool { return v.Stubs })
)
