package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

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

var FDEsBeyond = rules.New(rules.Rule{
	ID:       "SF1012",
	Title:    "FDE sub-section beyond the section",
	Clause:   "SFrame Header",
	Needs:    []rules.Fact{rules.AsDefined},
	Severity: rules.Error,
	Text: `The FDE sub-section starts sfh_fdeoff bytes after the header and has
sfh_num_fdes entries. If it exceeds the section, consumers that trust the header read
beyond the section; objdump and readelf crash.`,
	Fix:  `Correct sfh_num_fdes or sfh_fdeoff. If the section was cut off, build it again.`,
	Good: `V3, a section of 200 bytes: sfh_num_fdes = 3, sfh_fdeoff = 0`,
	Bad:  `V3, a section of 200 bytes: sfh_num_fdes = 4099, sfh_fdeoff = 0`,
}, func(c *rules.Context) {
	subsectionBeyond(c, reader.FDEsBeyondEnd, "FDE", model.HdrNumFDEs, model.HdrFDEOff)
})

var FREsBeyond = rules.New(rules.Rule{
	ID:       "SF1013",
	Title:    "FRE sub-section beyond the section",
	Clause:   "SFrame Header",
	Needs:    []rules.Fact{rules.AsDefined},
	Severity: rules.Error,
	Text: `The FRE sub-section starts sfh_freoff bytes after the header and has
sfh_fre_len bytes. If it exceeds the section, consumers that trust the header read
beyond the section.`,
	Fix:  `Correct sfh_fre_len or sfh_freoff. If the section was cut off, build it again.`,
	Good: `a section of 0xa9 bytes: sfh_freoff = 0x30, sfh_fre_len = 0x5d`,
	Bad:  `a section of 0xa9 bytes: sfh_freoff = 0x30, sfh_fre_len = 0x405d`,
}, func(c *rules.Context) {
	subsectionBeyond(c, reader.FREsBeyondEnd, "FRE", model.HdrFRELen, model.HdrFREOff)
})

// subsectionBeyond reports a sub-section that ends beyond the section: its offset where it begins
// there, else its length.
func subsectionBeyond(c *rules.Context, code reader.FaultCode, name string, length, off model.HeaderField) {
	if auxBeyond(c) {
		return
	}
	h := c.Section.Header()
	field := length
	if c.Section.HeaderEnd()+int64(h.Value(off)) > c.Section.Size() {
		field = off
	}
	c.Faults(code, func(f reader.Fault) {
		c.Header(field, "%v %d at %v %d ends the %s sub-section at 0x%x, but the section ends at 0x%x: a consumer that trusts the header reads beyond the section", length, h.Value(length), off, h.Value(off), name, f.Want, f.Got)
	})
}

// auxBeyond reports whether SF1011 applies, so that no sub-section is known.
func auxBeyond(c *rules.Context) bool {
	return c.Section.HeaderEnd() > c.Section.Size()
}

// fdesFit and fresFit report whether a sub-section lies in the section.
func fdesFit(s *model.Section) bool { return s.FDESubsection().End() <= s.Size() }
func fresFit(s *model.Section) bool { return s.FRESubsection().End() <= s.Size() }

// fdeAlign is what the FDE sub-section is aligned to, in bytes from the start
// of the section. The 64-bit start fields of version 3 would need 8, but the
// header has 28 bytes.
const fdeAlign = 4

var Unaligned = rules.New(rules.Rule{
	ID:       "SF1024",
	Title:    "FDEs are not aligned to 4 bytes",
	Clause:   "SFrame FDE",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.FDESize%fdeAlign == 0 }),
	Needs:    []rules.Fact{rules.FDEsKnown},
	Severity: rules.Warning,
	Text: `The manual says that the fields of an FDE are naturally aligned. The header has 28
bytes, and an FDE 20 (version 2) or 16 (version 3). So every field of 32 bits lies at a
multiple of 4, counted from the start of the section, if the length of the auxiliary header
and sfh_fdeoff add up to one. Otherwise a reader that uses aligned loads fails on a machine
that traps unaligned ones. The known consumers copy the fields, or run on machines without
such traps. (The 64-bit start fields of version 3 lie at 28 + 16 * n, so they can be aligned
to 4 bytes only. Version 1 has packed FDEs of 17 bytes.) SF5006 is about the alignment of the
section itself.`,
	Fix:  `Set sfh_fdeoff to 0, and pad the auxiliary header, if there is one, to a multiple of 4 bytes.`,
	Good: `sfh_auxhdr_len = 08, sfh_fdeoff = 0: FDEs from 0x24 on`,
	Bad:  `sfh_auxhdr_len = 06, sfh_fdeoff = 0: FDEs from 0x22 on`,
}, func(c *rules.Context) {
	h, at := c.Section.Header(), c.Section.FDESubsection().Off
	if c.Section.NumFDEs() == 0 || at%fdeAlign == 0 {
		return
	}
	field := model.HdrFDEOff
	if h.AuxLen%fdeAlign != 0 {
		field = model.HdrAuxLen
	}
	c.Header(field, "the FDEs start at 0x%x, not a multiple of %d, with sfh_auxhdr_len %d and sfh_fdeoff %d: their fields are unaligned", at, fdeAlign, h.AuxLen, h.FDEOff)
})

var Overlap = rules.New(rules.Rule{
	ID:       "SF1014",
	Title:    "sub-sections overlap or are out of order",
	Clause:   "SFrame Header",
	Needs:    []rules.Fact{rules.AsDefined},
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
	Needs:    []rules.Fact{rules.AsDefined},
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
