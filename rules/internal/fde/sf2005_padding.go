package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Padding finds FDE padding that is not zero.
var Padding = rules.New(rules.Rule{
	ID:       "SF2005",
	Title:    "FDE padding is not zero",
	Clause:   "SFrame FDE",
	Versions: onlyV2,
	Needs:    []rules.Fact{rules.FDEsKnown},
	Severity: rules.Warning,
	Text: `In version 2 an FDE ends with sfde_func_padding2, two bytes that align the
next FDE. No consumer reads them. A value other than 0 means that the producer writes
uninitialized memory, so two builds of the same input differ.`,
	Fix:  `Write zeros.`,
	Good: `sfde_func_padding2 = 00 00`,
	Bad:  `sfde_func_padding2 = a5 00`,
	Bugs: []string{"https://github.com/llvm/llvm-project/pull/158154"},
}, func(c *rules.Context) {
	c.Survey().Each(model.PaddingUsed, func(f model.FDE) {
		if f.Padding() != 0 {
			c := c.Repair("write zeros", f.FieldSpan(model.FDEPadding), 0)
			c.FDE(f, model.FDEPadding, "sfde_func_padding2 is 0x%04x, expected 0: the producer probably writes uninitialized memory", f.Padding())
		}
	})
})
