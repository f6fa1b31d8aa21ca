package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var Overlap = rules.New(rules.Rule{
	ID:       "SF1014",
	Title:    "sub-sections overlap or are out of order",
	Clause:   "SFrame Header",
	Severity: rules.Error,
	Text: `The two sub-sections tile the section: the FDEs extend from sfh_fdeoff to
sfh_freoff, and the FREs from there for sfh_fre_len bytes. If sfh_num_fdes entries
reach beyond sfh_freoff, a consumer reads the same bytes as FDEs and as FREs. If the
FRE sub-section ends before the FDEs start, no byte is read twice, but the length of
the FDE sub-section cannot be computed from the two offsets. The Linux kernel rejects
the section in both cases. libsframe compares the two offsets, but checks the end of
the FDEs only when it has to swap the byte order.`,
	Fix:  `Put the FDEs first, and set sfh_freoff to sfh_fdeoff plus the bytes of the FDEs.`,
	Good: `V3, sfh_num_fdes = 3, sfh_fdeoff = 0: sfh_freoff = 0x30`,
	Bad:  `V3, sfh_num_fdes = 3, sfh_fdeoff = 0: sfh_freoff = 0x20`,
}, func(c *rules.Context) {
	s := c.Section
	fdes, fres := s.FDESubsection(), s.FRESubsection()
	if !s.Version().Known() || !fdesFit(s) || !fresFit(s) || fres.Off >= fdes.End() {
		return
	}
	h, base := s.Header(), s.HeaderEnd()
	if fres.Off < fdes.Off && fres.End() <= fdes.Off {
		c.Header(model.HdrFREOff, "sfh_freoff is %d and sfh_fdeoff is %d: the FREs end at %d, before the FDEs start; the FDEs must come first, and the FREs must follow them",
			h.FREOff, h.FDEOff, fres.End()-base)
		return
	}
	why := "the same bytes are read as FDEs and as FREs"
	if fdes.Len == 0 || fres.Len == 0 {
		why = "the sub-sections must tile the section"
	}
	c.Header(model.HdrFREOff, "sfh_freoff is %d, but %s of %d bytes from sfh_fdeoff %d end at %d: %s",
		h.FREOff, rules.Count(int(h.NumFDEs), "FDE"), model.FDESize(h.Version), h.FDEOff, fdes.End()-base, why)
})

var Gap = rules.New(rules.Rule{
	ID:       "SF1015",
	Title:    "gap before a sub-section",
	Clause:   "SFrame Header",
	Severity: rules.Warning,
	Text: `The sub-sections tile the section: no byte lies between the header and the
FDEs or between the FDEs and the FREs. Readers that follow the offsets skip zero bytes
there. The reader of version 2 in glibc ignores the offsets: it assumes that the FDEs
follow the header and that the FREs follow the FDEs.`,
	Fix:  `Lay out the sub-sections without a gap.`,
	Good: `V3, sfh_num_fdes = 3, sfh_fdeoff = 0: sfh_freoff = 0x30`,
	Bad:  `V3, sfh_num_fdes = 3, sfh_fdeoff = 0: sfh_freoff = 0x38, 8 zero bytes`,
}, func(c *rules.Context) {
	eachGap(c, func(g model.Gap, where string) {
		if !g.NonZero {
			c.At(g.Span, "%s %s: the sub-sections must tile the section, and readers that ignore the offsets misread what follows", rules.Count(int(g.Len), "zero byte"), where)
		}
	})
})

var StrayGap = rules.New(rules.Rule{
	ID:       "SF1016",
	Title:    "stray bytes before a sub-section",
	Clause:   "SFrame Header",
	Severity: rules.Error,
	Text: `The sub-sections tile the section: no byte lies between the header and the
FDEs or between the FDEs and the FREs. If bytes there are not zero, an offset or the
number of FDEs is wrong, and consumers miss entries or read them from the wrong place.`,
	Fix:  `Correct sfh_fdeoff, sfh_freoff or sfh_num_fdes so that the sub-sections cover every entry.`,
	Good: `V3, sfh_freoff = 0x30: sfh_num_fdes = 3`,
	Bad:  `V3, sfh_freoff = 0x30: sfh_num_fdes = 2, the third entry is in no sub-section`,
}, func(c *rules.Context) {
	eachGap(c, func(g model.Gap, where string) {
		if g.NonZero {
			c.At(g.Span, "%d bytes %s are in no sub-section and are not all zero: sfh_num_fdes %d, sfh_fdeoff %d or sfh_freoff %d is wrong, and consumers miss or misread FDEs",
				g.Len, where, c.Section.Header().NumFDEs, c.Section.Header().FDEOff, c.Section.Header().FREOff)
		}
	})
})

// eachGap yields the gaps before the FDE and the FRE sub-section.
func eachGap(c *rules.Context, yield func(g model.Gap, where string)) {
	s := c.Section
	fdes, fres := s.FDESubsection(), s.FRESubsection()
	if !s.Version().Known() || !fdesFit(s) || fres.Off < fdes.End() {
		return
	}
	for _, g := range prereq.Gaps(s, model.Span{Len: fdes.Off}) {
		yield(g, "between the header and the FDE sub-section")
	}
	if fres.Off > s.Size() {
		return // its bytes lie in the gap
	}
	for _, g := range prereq.Gaps(s, model.Span{Off: fdes.End(), Len: fres.Off - fdes.End()}) {
		yield(g, "between the FDE and the FRE sub-section")
	}
}
