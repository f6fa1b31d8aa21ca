package machine

import (
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/model"
)

// Signing is an instruction that depends on whether the return address is signed.
type Signing struct {
	Name string
	// Before and After say whether the return address is signed before and after it.
	Before, After bool
	Returns       bool // nothing is executed after it
	Keyed, KeyB   bool // it has a key, which is B
}

// signing has instructions by their words ("Arm Architecture Reference Manual for
// A-profile", C6.2).
var signing = map[uint32]Signing{
	0xd503233f: {Name: "paciasp", After: true, Keyed: true},
	0xd503237f: {Name: "pacibsp", After: true, Keyed: true, KeyB: true},
	0xd50323bf: {Name: "autiasp", Before: true, Keyed: true},
	0xd50323ff: {Name: "autibsp", Before: true, Keyed: true, KeyB: true},
	0xdac103fe: {Name: "pacia x30, sp", After: true, Keyed: true},
	0xdac107fe: {Name: "pacib x30, sp", After: true, Keyed: true, KeyB: true},
	0xdac113fe: {Name: "autia x30, sp", Before: true, Keyed: true},
	0xdac117fe: {Name: "autib x30, sp", Before: true, Keyed: true, KeyB: true},
	0xd65f03c0: {Name: "ret", Returns: true},
	0xd65f0bff: {Name: "retaa", Before: true, Returns: true, Keyed: true},
	0xd65f0fff: {Name: "retab", Before: true, Returns: true, Keyed: true, KeyB: true},
}

// Signings yields the offsets of instructions that sign the return address, authenticate
// it or return to it. It yields none for ABIs without pointer authentication.
func Signings(code []byte, abi *model.ABIInfo, yield func(off uint32, i Signing) bool) {
	if !abi.Pauth {
		return
	}
	for off := 0; off+4 <= len(code); off += 4 {
		w := binary.LittleEndian.Uint32(code[off:]) // whatever the data are
		if top := w >> 16; top != 0xd503 && top != 0xdac1 && top != 0xd65f {
			continue
		}
		if i, ok := signing[w]; ok && !yield(uint32(off), i) {
			return
		}
	}
}
