package asm

import (
	"github.com/sframe-lint/sframe-lint/model"
)

// unit is what a text states, before anything has a place.
type unit struct {
	version     model.Version
	abi         model.ABI
	regs        map[string]uint32 // DWARF numbers by name; nil: not made yet
	big         bool
	orderGiven  bool
	addr        int64
	relocatable bool
	aux         []byte
	header      map[model.HeaderField]int64
	size        int64       // of the section; -1 if it follows from the parts
	fdesAt      int64       // offset of the FDEs; -1: after the header
	fresAt      int64       // offset of the FREs; -1: after the FDEs
	funcs       []*function // also those that .delete took out, up to the layout
	byName      map[string]*function
	writes      []write
	elf         *elfText // nil for a bare section
}

// function is an FDE, with what it writes into the FRE sub-section.
type function struct {
	at          pos
	name        string
	start, size int64
	mask        bool
	rep         int64
	typ         model.FDEType
	typGiven    bool
	signal      bool
	keyB        bool
	width       int // of the starts of the FREs: 1, 2, 4; 0 for the narrowest
	items       []item
	fields      map[model.FDEField]int64
	fres        string // the function whose FREs the FDE points to
	fresAt      int64  // or their offset; -1: the FDE has FREs of its own

	index int // of the FDE
	place funcLayout
}

// item is a part of the data of a function: an FRE, bytes or a place.
type item struct {
	row   *row   // nil for none
	bytes []byte // as they are
	org   int64  // offset in the FRE sub-section where the next item goes, -1 for none
}

// row is an FRE.
type row struct {
	at     pos
	start  int64
	rules  [3]model.Recovery // of CFA, RA and FP
	given  [3]bool
	raw    bool // words are given instead of rules
	words  []int64
	end    bool // an outermost frame: no words
	signed bool
	base   model.BaseReg
	size   int   // of a word in bytes; 0: the smallest that is enough
	info   int64 // the info byte; -1: it follows
}

// write is a change of bytes after all parts have their places: bytes at an offset, or the value of a field.
type write struct {
	at    pos
	off   int64
	bytes []byte
	path  string // a field; "" for none
	value int64
}

// newUnit returns a unit that states nothing.
func newUnit() *unit {
	return &unit{
		version: model.SFRAME_VERSION_3, abi: model.SFRAME_ABI_AMD64_ENDIAN_LITTLE,
		header: map[model.HeaderField]int64{}, size: -1, fdesAt: -1, fresAt: -1, byName: map[string]*function{},
	}
}
