package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// CutOff finds rows that the FRE sub-section does not hold.
var CutOff = sound.Rule(rules.Rule{
	ID:       "SF3002",
	Title:    "rows cut off by the end of the FRE sub-section",
	Clause:   "SFrame FRE",
	Severity: rules.Error,
	Text: `The FDE claims more rows than there are bytes for up to the end of the FRE
sub-section: the count of rows, an info byte that makes a row too long, or sfh_fre_len is
wrong. A consumer that does not look reads beyond the sub-section, perhaps beyond the
section; one that does finds no row for the rest of the function.`,
	Fix:  `Correct the FDE's count of rows, or sfh_fre_len.`,
	Good: `sfda_func_num_fres = 4, followed by 4 rows`,
	Bad:  `sfda_func_num_fres = 5, followed by 4 rows and the end of the sub-section`,
}, func(c *rules.Context) {
	if cut(c) {
		return
	}
	c.Faults(reader.FRETruncated, func(f reader.Fault) {
		c.Fault(f, "%s claims %d rows, but the FRE sub-section ends after %d whole ones: consumers read beyond it, or miss the rest of the function", name(c, model.FDENumFREs), f.Want, f.Got)
	})
})

// OffsetBeyond finds offsets that lead out of the FRE sub-section.
var OffsetBeyond = sound.Rule(rules.Rule{
	ID:       "SF3003",
	Title:    "offset of the rows beyond the FRE sub-section",
	Clause:   "The SFrame FDE Index",
	Severity: rules.Error,
	Text: `The FDE's offset to its rows, in version 3 to the attribute in front of them,
counts from the start of the FRE sub-section. Here it leads to its end or beyond, or
leaves no room for the attribute: the function's rows can't be found, and a consumer that
does not look reads whatever follows the section.`,
	Fix:  `Set the offset of the function's rows.`,
	Good: `sfh_fre_len = 0x4a, sfdi_func_start_fre_off = 0x14`,
	Bad:  `sfh_fre_len = 0x4a, sfdi_func_start_fre_off = 0x4014`,
}, func(c *rules.Context) {
	length := uint64(c.Section.Header().FRELen)
	known := !cut(c)
	c.Faults(reader.FREOffBeyond, func(f reader.Fault) {
		if known || f.Got >= length {
			c.Fault(f, "%s is 0x%x, but the FRE sub-section has 0x%x bytes: the function's rows can't be found, and a consumer that does not look reads behind the section", name(c, model.FDEStartFREOff), f.Got, f.Want)
		}
	})
	c.Faults(reader.AttrTruncated, func(f reader.Fault) {
		if known || f.Got+model.AttrSize > length {
			c.Fault(f, "%s is 0x%x, which leaves %d bytes of the FRE sub-section for the attribute of %d: the function's rows can't be found, and a consumer that does not look reads behind the section", name(c, model.FDEStartFREOff), f.Got, f.Want-f.Got, model.AttrSize)
		}
	})
})
