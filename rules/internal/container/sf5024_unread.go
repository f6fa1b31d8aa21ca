package container

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// faults calls yield for each fault of the container with the given code.
func faults(c *rules.Context, code reader.FaultCode, yield func(reader.Fault)) {
	for _, f := range c.Object.Faults {
		if f.Code == code {
			yield(f)
		}
	}
}

// faultRule makes a rule that reports the faults of the container with a code.
func faultRule(r rules.Rule, code reader.FaultCode, report func(*rules.Context, reader.Fault)) *rules.Rule {
	r.Scope = rules.PerObject
	return rules.New(r, func(c *rules.Context) {
		faults(c, code, func(f reader.Fault) { report(c, f) })
	})
}

var ELFDamaged = faultRule(rules.Rule{ID: "SF5024"}, reader.ELFDamaged, func(c *rules.Context, f reader.Fault) {
	c.File(f.Span, "the ELF structure is damaged (%s): the parts that depend on it were not checked", f.Detail)
})

var ArchiveDamaged = faultRule(rules.Rule{ID: "SF5029"}, reader.ArchiveDamaged, func(c *rules.Context, f reader.Fault) {
	if f.Span.Len == 0 {
		c.File(f.Span, "the file was not read to its end (%s): the rest was not checked", f.Detail)
		return
	}
	c.File(f.Span, "the archive is damaged (%s): the parts that depend on it were not checked", f.Detail)
})

var MemberUnreadable = faultRule(rules.Rule{ID: "SF5030"}, reader.MemberUnreadable, func(c *rules.Context, f reader.Fault) {
	if c.Object.Member == "" {
		c.File(f.Span, "not checked: %s", f.Detail)
		return
	}
	c.File(f.Span, "the member %q cannot be read: %s", c.Object.Member, f.Detail)
})

var SectionBeyondFile = faultRule(rules.Rule{ID: "SF5025"}, reader.SectionBeyondEnd, func(c *rules.Context, f reader.Fault) {
	c.File(f.Span, "the SFrame section ends at 0x%x, but the file ends at 0x%x: a reader that trusts the section header reads beyond the file", f.Want, f.Got)
})

var Compressed = faultRule(rules.Rule{ID: "SF5026"}, reader.SectionCompressed, func(c *rules.Context, f reader.Fault) {
	c.File(f.Span, "SHF_COMPRESSED is set in sh_flags of the SFrame section: unwinders read the section in place and do not decompress it")
})

var NoBits = faultRule(rules.Rule{ID: "SF5027"}, reader.SectionNoBits, func(c *rules.Context, f reader.Fault) {
	if c.Object.ELF != nil && !c.Object.ELF.Stripped() {
		c.File(f.Span, "sh_type of the SFrame section is SHT_NOBITS: the section has no bytes in the file, and no consumer can read it")
	}
})

var RelocsDamaged = faultRule(rules.Rule{ID: "SF5028"}, reader.RelocsDamaged, func(c *rules.Context, f reader.Fault) {
	c.File(f.Span, "the relocations of the SFrame section cannot be read (%s): without them no FDE has a function", f.Detail)
})

var TooLarge = rules.New(rules.Rule{ID: "SF5031", Scope: rules.PerObject}, func(c *rules.Context) {
	const format = "the SFrame section has %d bytes, more than the limit of %d: the section was not checked"
	faults(c, reader.SectionTooLarge, func(f reader.Fault) { c.File(f.Span, format, f.Got, f.Want) })
	for _, s := range c.Object.SFrames {
		for _, f := range s.Faults {
			if f.Code == reader.SectionTooLarge {
				c.File(sectionSpan(c, s), format, f.Got, f.Want)
			}
		}
	}
})

// sectionSpan returns the place of the section's size in the file, or the bytes
// of the section if the file does not give a size.
func sectionSpan(c *rules.Context, f *reader.SFrame) model.Span {
	if c.Object.ELF != nil {
		if s, ok := c.Object.ELF.SectionOf(f); ok {
			return shSize.in(s.Header)
		}
	}
	return model.Span{Off: f.Offset, Len: int64(len(f.Data))}
}
