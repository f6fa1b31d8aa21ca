package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var AuxPresent = rules.New(rules.Rule{ID: "SF1010"}, func(c *rules.Context) {
	n := c.Section.Header().AuxLen
	if n == 0 || c.Section.AuxSpan().Len != int64(n) {
		return
	}
	c.At(model.HdrAuxLen.Span(), "sfh_auxhdr_len is %d, but no ABI defines an auxiliary header: the Linux kernel rejects the section, and readers that ignore this field misread the section", n)
})

var AuxBeyond = rules.New(rules.Rule{ID: "SF1011"}, func(c *rules.Context) {
	for f := range c.SFrame.FaultsOf(reader.AuxBeyondEnd) {
		c.At(f.Span, "the auxiliary header ends at 0x%x (sfh_auxhdr_len %d), but the section ends at 0x%x: consumers find neither sub-section", f.Want, c.Section.Header().AuxLen, f.Got)
	}
})

var FDEsBeyond = rules.New(rules.Rule{ID: "SF1012", Needs: rules.AsDefined}, func(c *rules.Context) {
	subsectionBeyond(c, reader.FDEsBeyondEnd, "FDE", model.HdrNumFDEs, model.HdrFDEOff)
})

var FREsBeyond = rules.New(rules.Rule{ID: "SF1013", Needs: rules.AsDefined}, func(c *rules.Context) {
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
	for f := range c.SFrame.FaultsOf(code) {
		c.At(field.Span(), "the %s sub-section ends at 0x%x (%v %d, %v %d), but the section ends at 0x%x: consumers may read beyond the section", name, f.Want, length, h.Value(length), off, h.Value(off), f.Got)
	}
}

// auxBeyond reports whether SF1011 applies, so that no sub-section is known.
func auxBeyond(c *rules.Context) bool {
	return c.Section.HeaderEnd() > c.Section.Size()
}

// fdesFit and fresFit report whether a sub-section lies in the section.
func fdesFit(s *model.Section) bool { return s.FDESubsection().End() <= s.Size() }
func fresFit(s *model.Section) bool { return s.FRESubsection().End() <= s.Size() }

var Overlap = rules.New(rules.Rule{ID: "SF1014", Needs: rules.AsDefined}, func(c *rules.Context) {
	s := c.Section
	fdes, fres := s.FDESubsection(), s.FRESubsection()
	if !s.Version().Known() || !fdesFit(s) || !fresFit(s) || fres.Off >= fdes.End() {
		return
	}
	h, base := s.Header(), s.HeaderEnd()
	if fres.Off < fdes.Off && fres.End() <= fdes.Off {
		c.At(model.HdrFREOff.Span(), "the FREs come before the FDEs (sfh_freoff %d, sfh_fdeoff %d), but the format requires the opposite order: the Linux kernel rejects the section",
			h.FREOff, h.FDEOff)
		return
	}
	why := "consumers read the same bytes as FDEs and as FREs"
	if fdes.Len == 0 || fres.Len == 0 {
		why = "the sub-sections must not overlap"
	}
	c.At(model.HdrFREOff.Span(), "sfh_freoff is %d, but the %s of %d bytes (sfh_fdeoff %d) end at %d: %s",
		h.FREOff, rules.Count(int(h.NumFDEs), "FDE"), model.FDESize(h.Version), h.FDEOff, fdes.End()-base, why)
})

var Gap = rules.New(rules.Rule{ID: "SF1015"}, func(c *rules.Context) {
	eachGap(c, func(g model.Gap, where string) {
		if !g.NonZero {
			c.At(g.Span, "%s have %s between them: consumers that assume no gap misread the rest of the section", where, rules.Count(int(g.Len), "zero byte"))
		}
	})
})

var StrayGap = rules.New(rules.Rule{ID: "SF1016", Needs: rules.AsDefined}, func(c *rules.Context) {
	eachGap(c, func(g model.Gap, where string) {
		if g.NonZero {
			c.At(g.Span, "%d bytes between %s are not all zero: sfh_num_fdes (%d), sfh_fdeoff (%d) or sfh_freoff (%d) is wrong, and consumers misread FDEs",
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
		yield(g, "the header and the FDEs")
	}
	if fres.Off > s.Size() {
		return // its bytes lie in the gap
	}
	for _, g := range prereq.Gaps(s, model.Span{Off: fdes.End(), Len: fres.Off - fdes.End()}) {
		yield(g, "the FDEs and the FREs")
	}
}
