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
	Text: `The format has room for an auxiliary header behind the header, for what a
future ABI may need. No ABI has defined one yet. The Linux kernel rejects a section
that has one, and readers that ignore sfh_auxhdr_len take its bytes for FDEs. From version 2 on
the FDEs stand at natural boundaries, so that its length must be a multiple of 4.`,
	Fix:  `Leave the auxiliary header out and set sfh_auxhdr_len to 0.`,
	Good: `sfh_auxhdr_len = 00`,
	Bad:  `sfh_auxhdr_len = 08, followed by 8 bytes`,
}, func(c *rules.Context) {
	n := c.Section.Header().AuxLen
	if n == 0 || c.Section.AuxSpan().Len != int64(n) {
		return
	}
	also := ""
	if n%4 != 0 && c.Section.Version() != model.SFRAME_VERSION_1 { // whose FDEs are packed
		also = "; as its length is no multiple of 4, the FDEs are not at their natural boundaries"
	}
	c.Header(model.HdrAuxLen, "the section has an auxiliary header of %d bytes, which no ABI defines: the Linux kernel rejects it, and readers that ignore sfh_auxhdr_len misread what follows%s", n, also)
})

// AuxBeyond finds an auxiliary header that is longer than the section.
var AuxBeyond = rules.New(rules.Rule{
	ID:       "SF1011",
	Title:    "auxiliary header beyond the section",
	Clause:   "SFrame Header",
	Severity: rules.Error,
	Text: `sfh_auxhdr_len counts the bytes of the auxiliary header, which follows the header.
Both sub-section offsets count from its end, so a length that the section does not hold
moves everything else out of the section too, and consumers that do not compare read
beyond it. The Linux kernel rejects any auxiliary header.`,
	Fix:  `Set sfh_auxhdr_len to the bytes that are there: 0 for every producer today.`,
	Good: `a section of 200 bytes with sfh_auxhdr_len = 00`,
	Bad:  `a section of 200 bytes with sfh_auxhdr_len = ff`,
}, func(c *rules.Context) {
	c.Faults(reader.AuxBeyondEnd, func(f reader.Fault) {
		c.Fault(f, "sfh_auxhdr_len puts the end of the header at 0x%x, the section ends at 0x%x: neither sub-section can be found", f.Want, f.Got)
	})
})
