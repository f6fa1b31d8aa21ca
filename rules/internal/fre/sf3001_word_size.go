package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// WordSize finds FREs whose words have no defined size.
var WordSize = rules.New(rules.Rule{
	ID:       "SF3001",
	Title:    "undefined size of data words",
	Clause:   "The SFrame FRE Info Word",
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Error,
	Text: `Bits 5 and 6 of an FRE's info byte select the size of its data words: 0, 1 or
2 for 1, 2 or 4 bytes. With 3 the length of the FRE is unknown, so neither its words
nor the later FREs of the function can be found. libsframe assumes words of 1 byte,
GNU ld aborts on an assertion, LLVM skips the function, and the Linux kernel disables
the section.`,
	Fix:  `Set the size in which the words are written.`,
	Good: `info = 23: one word of 2 bytes`,
	Bad:  `info = 63`,
}, func(c *rules.Context) {
	c.Faults(reader.WordSizeUndefined, func(f reader.Fault) {
		c.Fault(f, "the info byte has size code %d for the data words, but only 0, 1 and 2 (1, 2 and 4 bytes) are defined: this FRE and the %d after it in the function cannot be decoded", f.Got, int64(f.Want)-int64(f.FRE)-1)
	})
	bad := func(r model.FRE) bool { return r.NumWords() == 0 && r.WordSize().Width() == 0 }
	c.Rows(bad, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the info byte is 0x%02x, with size code 3 for the data words, but only 0, 1 and 2 (1, 2 and 4 bytes) are defined: GNU ld aborts on an assertion even if an FRE has no words", r.Info())
	})
})
