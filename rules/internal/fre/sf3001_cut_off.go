package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

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

var CutOff = rules.New(rules.Rule{
	ID:       "SF3002",
	Title:    "FREs cut off by the end of the FRE sub-section",
	Clause:   "SFrame FRE",
	Needs:    []rules.Fact{rules.FREsKnown},
	Severity: rules.Error,
	Text: `The FRE sub-section ends before the last FRE of the function. The FDE's number
of FREs is wrong, or an info byte that makes an FRE too long, or sfh_fre_len. A
consumer that does not check reads beyond the sub-section, and perhaps beyond the
section. One that checks finds no FRE for the rest of the function.`,
	Fix:  `Correct the FDE's number of FREs, or sfh_fre_len.`,
	Good: `sfda_func_num_fres = 4, followed by 4 FREs`,
	Bad:  `sfda_func_num_fres = 5, followed by 4 FREs and the end of the sub-section`,
}, func(c *rules.Context) {
	if cut(c) {
		return
	}
	c.Faults(reader.FRETruncated, func(f reader.Fault) {
		c.Fault(f, "%s is %d, but the FRE sub-section ends after %d whole FREs: consumers read beyond it, or miss the rest of the function", c.FieldName(model.FDENumFREs), f.Want, f.Got)
	})
})

var OffsetBeyond = rules.New(rules.Rule{
	ID:       "SF3003",
	Title:    "offset of the FREs beyond the FRE sub-section",
	Clause:   "The SFrame FDE Index",
	Needs:    []rules.Fact{rules.FDEsKnown},
	Severity: rules.Error,
	Text: `The FDE's offset to its FREs, in version 3 to the attribute before them,
counts from the start of the FRE sub-section. Here it points to the end of the
sub-section or beyond, or leaves no room for the attribute. The function's FREs cannot
be found, and a consumer that does not check reads what follows the section.`,
	Fix:  `Set the offset of the function's FREs.`,
	Good: `sfh_fre_len = 0x4a, sfdi_func_start_fre_off = 0x14`,
	Bad:  `sfh_fre_len = 0x4a, sfdi_func_start_fre_off = 0x4014`,
}, func(c *rules.Context) {
	length := uint64(c.Section.Header().FRELen)
	attr, known := uint64(c.Section.Version().Info().AttrSize), !cut(c)
	c.Faults(reader.FREOffBeyond, func(f reader.Fault) {
		if known || f.Got >= length {
			c.Fault(f, "%s is 0x%x, but the FRE sub-section has 0x%x bytes: the function's FREs cannot be found, and a consumer that does not check reads beyond the sub-section", c.FieldName(model.FDEStartFREOff), f.Got, f.Want)
		}
	})
	c.Faults(reader.AttrTruncated, func(f reader.Fault) {
		if known || f.Got+attr > length {
			c.Fault(f, "%s is 0x%x, which leaves %d bytes of the FRE sub-section for the attribute of %d bytes: the function's FREs cannot be found, and a consumer that does not check reads beyond the sub-section", c.FieldName(model.FDEStartFREOff), f.Got, f.Want-f.Got, attr)
		}
	})
})
