package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var AtEnd = rules.New(rules.Rule{
	ID:       "SF3006",
	Title:    "FRE starts at the function's end",
	Clause:   "SFrame FRE",
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Warning,
	Text: `The start of the FRE equals the size of the function, so the FRE covers no
byte and is useless. GNU as writes one for a CFI directive after the last instruction
of a function. The Linux kernel and libsframe of binutils 2.47 accept it; objdump up
to 2.44 aborts on an assertion.`,
	Fix:  `Leave out the FRE: move the CFI directive before the last instruction, or remove it.`,
	Good: `size 0x40, last FRE at 0x3f`,
	Bad:  `size 0x40, last FRE at 0x40`,
	Bugs: []string{"https://sourceware.org/bugzilla/show_bug.cgi?id=33131"},
}, func(c *rules.Context) {
	eachBeyond(c, func(f model.FDE, r model.FRE) {
		if !hasStub(f) && r.Start() == f.Size() {
			c.FRE(r, r.StartSpan(), "the FRE starts at offset 0x%x, where the function ends (%s): it covers no byte and is useless", r.Start(), c.FieldName(model.FDEFuncSize))
		}
	})
})

var BeyondEnd = rules.New(rules.Rule{
	ID:       "SF3007",
	Title:    "FRE starts beyond the function's end",
	Clause:   "SFrame FRE",
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Error,
	Text: `The FRE starts after the last byte of its function, so its start or the
function's size is wrong. objdump and GNU ld abort on an assertion, and the Linux
kernel disables the section.`,
	Fix:  `Correct the start of the FRE or the size of the function.`,
	Good: `size 0x40, last FRE at 0x3f`,
	Bad:  `size 0x40, last FRE at 0x7f`,
}, func(c *rules.Context) {
	eachBeyond(c, func(f model.FDE, r model.FRE) {
		if !hasStub(f) && r.Start() > f.Size() {
			c.FRE(r, r.StartSpan(), "the FRE starts at offset 0x%x, but %s is 0x%x: objdump and GNU ld abort on an assertion, and the Linux kernel disables the section", r.Start(), c.FieldName(model.FDEFuncSize), f.Size())
		}
	})
})

var BeyondStub = rules.New(rules.Rule{
	ID:       "SF3008",
	Title:    "FRE starts beyond the repeated stub",
	Clause:   "The SFrame FDE PC Types",
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Error,
	Text: `The FREs of an FDE of PC type MASK count from the start of the stub. A
consumer reduces a PC modulo rep_size before it looks it up, so it never finds an FRE
that starts at rep_size or later. The start of the FRE or rep_size is wrong.`,
	Fix:  `Correct the start of the FRE or rep_size.`,
	Good: `rep_size 0x10, FREs at 0 and 0xb`,
	Bad:  `rep_size 0x10, FREs at 0 and 0x1b`,
}, func(c *rules.Context) {
	eachBeyond(c, func(f model.FDE, r model.FRE) {
		if hasStub(f) && r.Start() >= uint32(f.RepSize()) {
			c.FRE(r, r.StartSpan(), "the FRE starts at offset 0x%x, but the stub has 0x%x bytes (%s): consumers reduce PCs modulo that size and never find the FRE", r.Start(), f.RepSize(), c.FieldName(model.FDERepSize))
		}
	})
})

// hasStub reports whether the FREs count from the start of a repeated stub.
func hasStub(f model.FDE) bool {
	return f.PCType() == model.SFRAME_FDE_PCTYPE_MASK && f.RepSize() != 0
}

// eachBeyond yields the FREs that start beyond what the FDE covers. It skips
// empty functions: there the size is wrong, not the FREs.
func eachBeyond(c *rules.Context, yield func(model.FDE, model.FRE)) {
	c.Survey().Each(model.RowBeyond, func(f model.FDE) {
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
