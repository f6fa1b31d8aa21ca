package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// WordSize finds rows whose words have no defined size.
var WordSize = sound.Rule(rules.Rule{
	ID:       "SF3001",
	Title:    "undefined size of data words",
	Clause:   "The SFrame FRE Info Word",
	Severity: rules.Error,
	Text: `Bits 5 and 6 of an FRE's info byte are the size of its data words: 0, 1 or 2 for 1,
2 or 4 bytes. With 3 the row has no known length, so that neither its words nor the rows
behind it in the function can be found. libsframe takes them for bytes, GNU ld dies of an
assertion, LLVM gives the function up, and the Linux kernel takes the section out of use.`,
	Fix:  `Set the size that the words are written in.`,
	Good: `info = 23: one word of 2 bytes`,
	Bad:  `info = 63`,
}, func(c *rules.Context) {
	c.Faults(reader.WordSizeUndefined, func(f reader.Fault) {
		c.Fault(f, "the info byte gives size code %d for the data words; 0, 1 and 2 (1, 2 and 4 bytes) are defined: this row and the %d behind it in the function can't be read", f.Got, int64(f.Want)-int64(f.FRE)-1)
	})
	bad := func(r model.FRE) bool { return r.NumWords() == 0 && r.WordSize().Width() == 0 }
	c.Rows(bad, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the info byte is 0x%02x, with size code 3 for the data words; 0, 1 and 2 (1, 2 and 4 bytes) are defined, and GNU ld dies of it even where a row has no words", r.Info())
	})
})
