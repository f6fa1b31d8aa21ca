// Package abi holds the rules on what the data words mean to an ABI: family
// SF4.
package abi

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Rules are the rules of the family, by ID.
var Rules = []*rules.Rule{
	WordCount, RAPadding, Register, SlotS390X, FPZero, Slot,
}

// SF4007 is left out on purpose: a return address that is saved and signed
// is what AArch64 code does all the time.

var s390x = []model.ABI{model.SFRAME_ABI_S390X_ENDIAN_BIG}
