package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// AtEnd finds rows that start where the function ends.
var AtEnd = sound.Rule(rules.Rule{
	ID:       "SF3006",
	Title:    "row starts at the function's end",
	Clause:   "SFrame FRE",
	Severity: rules.Warning,
	Text: `The row's start is the function's size, so it covers no byte: it is of no use. GNU
as writes one for CFI behind a function's last instruction. The Linux kernel and libsframe
of binutils 2.47 accept it; an assertion ends objdump up to 2.44.`,
	Fix:  `Leave the row out: move the CFI directive in front of the last instruction, or drop it.`,
	Good: `size 0x40, last row at 0x3f`,
	Bad:  `size 0x40, last row at 0x40`,
	Bugs: []string{"https://sourceware.org/bugzilla/show_bug.cgi?id=33131"},
}, func(c *rules.Context) {
	eachBeyond(c, func(f model.FDE, r model.FRE) {
		if !hasStub(f) && r.Start() == f.Size() {
			c.FRE(r, r.StartSpan(), "the row starts at offset 0x%x, where the function ends (%s): it covers no byte and is of no use", r.Start(), name(c, model.FDEFuncSize))
		}
	})
})

// BeyondEnd finds rows that start behind the function.
var BeyondEnd = sound.Rule(rules.Rule{
	ID:       "SF3007",
	Title:    "row starts beyond the function's end",
	Clause:   "SFrame FRE",
	Severity: rules.Error,
	Text: `The row starts behind the last byte of its function, so the row or the function's
size is wrong. An assertion ends objdump and GNU ld, and the Linux kernel takes the
section out of use.`,
	Fix:  `Correct the row's start or the function's size.`,
	Good: `size 0x40, last row at 0x3f`,
	Bad:  `size 0x40, last row at 0x7f`,
}, func(c *rules.Context) {
	eachBeyond(c, func(f model.FDE, r model.FRE) {
		if !hasStub(f) && r.Start() > f.Size() {
			c.FRE(r, r.StartSpan(), "the row starts at offset 0x%x, but %s is 0x%x: the row or the size is wrong: objdump and GNU ld die of an assertion, and the Linux kernel takes the section out of use", r.Start(), name(c, model.FDEFuncSize), f.Size())
		}
	})
})

// BeyondStub finds rows that start behind the stub that is repeated.
var BeyondStub = sound.Rule(rules.Rule{
	ID:       "SF3008",
	Title:    "row starts beyond the repeated stub",
	Clause:   "The SFrame FDE PC Types",
	Severity: rules.Error,
	Text: `Rows of an FDE of PC type MASK count from the start of the stub, and a PC is
reduced to its remainder in rep_size before it is looked up. No remainder is as large as
rep_size, so no tracer ever finds a row that starts there or later: the row or rep_size is
wrong.`,
	Fix:  `Correct the row's start or rep_size.`,
	Good: `rep_size 0x10, rows at 0 and 0xb`,
	Bad:  `rep_size 0x10, rows at 0 and 0x1b`,
}, func(c *rules.Context) {
	eachBeyond(c, func(f model.FDE, r model.FRE) {
		if hasStub(f) && r.Start() >= uint32(f.RepSize()) {
			c.FRE(r, r.StartSpan(), "the row starts at offset 0x%x, but the stub has 0x%x bytes (%s): PCs are reduced to less than that, so no consumer ever finds the row", r.Start(), f.RepSize(), name(c, model.FDERepSize))
		}
	})
})

// hasStub tells whether the rows count from the start of a repeated stub.
func hasStub(f model.FDE) bool {
	return f.PCType() == model.SFRAME_FDE_PCTYPE_MASK && f.RepSize() != 0
}

// eachBeyond yields the rows that start where the FDE covers nothing. Where
// the function has no byte at all, its size is to blame, not its rows.
func eachBeyond(c *rules.Context, yield func(model.FDE, model.FRE)) {
	if !c.Section.Survey().Has(model.RowBeyond) {
		return
	}
	c.EachFDE(func(f model.FDE) {
		if f.Size() == 0 {
			return
		}
		for r := range f.FREs() {
			if r.Start() >= f.Extent() {
				yield(f, r)
			}
		}
	})
}
