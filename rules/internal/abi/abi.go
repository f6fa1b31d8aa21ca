// Package abi holds family SF4: rules on the meaning of data words to an ABI.
package abi

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Rules are the rules of the family, sorted by ID.
var Rules = []*rules.Rule{
	WordCount, RAPadding, Register, SlotS390X, FPZero, Slot, TwoWords,
}

// SF4007 does not exist on purpose: AArch64 code often saves a signed return
// address.

var s390x = model.ABIsWith(func(a model.ABIInfo) bool { return a.LSBRegs })
