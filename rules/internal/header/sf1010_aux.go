package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// AuxPresent finds an auxiliary header.
var AuxPresent = rules.New(rules.Rule{
	ID:       "SF1010",
	Title:    "auxiliary header present",
	Clause:   "SFrame Header",
	Severity: rules.Warning,
	Text: `An auxiliary header may follow the header, for the needs of a future ABI. No
ABI defines one yet. The Linux kernel rejects a section with an auxiliary header, and
readers that ignore sfh_auxhdr_len read its bytes as FDEs. If its length leaves the
FDEs unaligned, SF1024 reports that.`,
	Fix:  `Leave the auxiliary header out and set sfh_auxhdr_len to 0.`,
	Good: `sfh_auxhdr_len = 00`,
	Bad:  `sfh_auxhdr_len = 08, followed by 8 bytes`,
}, func(c *rules.Context) {
	n := c.Section.Header().AuxLen
	if n == 0 || c.Section.AuxSpan().Len != int64(n) {
		return
	}
	c.Header(model.HdrAuxLen, "the section has an auxiliary header of %d bytes, which no ABI defines: the Linux kernel rejects it, and readers that ignore sfh_auxhdr_len misread what follows", n)
})

// AuxBeyond finds an auxiliary header that is longer than the section.
var AuxBeyond = rules.New(rules.Rule{
	ID:       "SF1011",
	Title:    "auxiliary header beyond the section",
	Clause:   "SFrame Header",
	Severity: rules.Error,
	Text: `sfh_auxhdr_len is the length of the auxiliary header, which follows the
header. Both sub-section offsets count from its end. If the length exceeds the
section, the sub-sections lie outside the section too, and consumers that do not check
the length read beyond the section. The Linux kernel rejects any auxiliary header.`,
	Fix:  `Set sfh_auxhdr_len to the length of the auxiliary header. Every producer today writes 0.`,
	Good: `a section of 200 bytes with sfh_auxhdr_len = 00`,
	Bad:  `a section of 200 bytes with sfh_auxhdr_len = ff`,
}, func(c *rules.Context) {
	c.Faults(reader.AuxBeyondEnd, func(f reader.Fault) {
		c.Fault(f, "sfh_auxhdr_len places the end of the auxiliary header at 0x%x, but the section ends at 0x%x: neither sub-section can be found", f.Want, f.Got)
	})
})
