package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// FDEsBeyond finds an FDE sub-section that exceeds the section.
var FDEsBeyond = rules.New(rules.Rule{
	ID:       "SF1012",
	Title:    "FDE sub-section beyond the section",
	Clause:   "SFrame Header",
	Severity: rules.Error,
	Text: `The FDE sub-section starts sfh_fdeoff bytes after the header and has
sfh_num_fdes entries. If it exceeds the section, consumers that trust the header read
beyond the section; objdump and readelf crash.`,
	Fix:  `Correct sfh_num_fdes or sfh_fdeoff. If the section was cut off, build it again.`,
	Good: `V3, a section of 200 bytes: sfh_num_fdes = 3, sfh_fdeoff = 0`,
	Bad:  `V3, a section of 200 bytes: sfh_num_fdes = 4099, sfh_fdeoff = 0`,
}, func(c *rules.Context) {
	if auxBeyond(c) {
		return
	}
	c.Faults(reader.FDEsBeyondEnd, func(f reader.Fault) {
		h := c.Section.Header()
		field := model.HdrNumFDEs
		if c.Section.HeaderEnd()+int64(h.FDEOff) > c.Section.Size() {
			field = model.HdrFDEOff
		}
		c.Header(field, "sfh_num_fdes %d at sfh_fdeoff %d ends the FDE sub-section at 0x%x, but the section ends at 0x%x: a consumer that trusts the header reads beyond the section", h.NumFDEs, h.FDEOff, f.Want, f.Got)
	})
})

// FREsBeyond finds an FRE sub-section that exceeds the section.
var FREsBeyond = rules.New(rules.Rule{
	ID:       "SF1013",
	Title:    "FRE sub-section beyond the section",
	Clause:   "SFrame Header",
	Severity: rules.Error,
	Text: `The FRE sub-section starts sfh_freoff bytes after the header and has
sfh_fre_len bytes. If it exceeds the section, consumers that trust the header read
beyond the section.`,
	Fix:  `Correct sfh_fre_len or sfh_freoff. If the section was cut off, build it again.`,
	Good: `a section of 0xa9 bytes: sfh_freoff = 0x30, sfh_fre_len = 0x5d`,
	Bad:  `a section of 0xa9 bytes: sfh_freoff = 0x30, sfh_fre_len = 0x405d`,
}, func(c *rules.Context) {
	if auxBeyond(c) {
		return
	}
	c.Faults(reader.FREsBeyondEnd, func(f reader.Fault) {
		h := c.Section.Header()
		field := model.HdrFRELen
		if c.Section.HeaderEnd()+int64(h.FREOff) > c.Section.Size() {
			field = model.HdrFREOff
		}
		c.Header(field, "sfh_fre_len %d at sfh_freoff %d ends the FRE sub-section at 0x%x, but the section ends at 0x%x: a consumer that trusts the header reads beyond the section", h.FRELen, h.FREOff, f.Want, f.Got)
	})
})

// auxBeyond reports whether SF1011 applies, so that no sub-section is known.
func auxBeyond(c *rules.Context) bool {
	return c.Section.HeaderEnd() > c.Section.Size()
}

// fdesFit and fresFit report whether a sub-section lies in the section.
func fdesFit(s *model.Section) bool { return s.FDESubsection().End() <= s.Size() }
func fresFit(s *model.Section) bool { return s.FRESubsection().End() <= s.Size() }
