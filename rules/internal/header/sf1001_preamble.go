package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

var Magic = rules.New(rules.Rule{ID: "SF1001", Scope: rules.PerBytes}, func(c *rules.Context) {
	for f := range c.SFrame.FaultsOf(reader.BadMagic) {
		c.At(f.Span, "sfp_magic is 0x%04x (read as little-endian), expected 0xdee2 in either byte order: no consumer recognizes the section as SFrame", f.Got)
	}
})

var Truncated = rules.New(rules.Rule{ID: "SF1002", Scope: rules.PerBytes}, func(c *rules.Context) {
	for f := range c.SFrame.FaultsOf(reader.TooShort) {
		if f.Got > 0 || c.Object.ELF == nil { // SF5002 reports an empty section of an ELF file
			c.At(f.Span, "the section has %d bytes, but an SFrame header has %d: no consumer can read the section", f.Got, f.Want)
		}
	}
})

var Version = rules.New(rules.Rule{ID: "SF1003"}, func(c *rules.Context) {
	for f := range c.SFrame.FaultsOf(reader.UnknownVersion) {
		c.At(f.Span, "sfp_version is %d, but only versions 1, 2 and 3 have been published: consumers reject the section", f.Got)
	}
})

var Obsolete = rules.New(rules.Rule{ID: "SF1004", Versions: []model.Version{model.SFRAME_VERSION_1}}, func(c *rules.Context) {
	c.At(model.HdrVersion.Span(), "version 1 of the format is obsolete: its FDEs are unaligned and lack sfde_func_rep_size, and current consumers reject the section")
})

var Flags = rules.New(rules.Rule{ID: "SF1005"}, func(c *rules.Context) {
	h := c.Section.Header()
	if !h.Version.Known() {
		return
	}
	if bad := h.Flags &^ model.DefinedFlags(h.Version); bad != 0 {
		c.With(rules.Fix{
			Message: "clear the undefined bits of sfp_flags", Safe: true,
			Edits: []rules.Edit{rules.SetField(c.SFrame, model.HdrFlags.Span(), uint64(h.Flags&^bad))},
		}).At(model.HdrFlags.Span(), "sfp_flags is 0x%02x, but version %d of the format does not define bits 0x%02x: libsframe rejects the section", uint8(h.Flags), uint8(h.Version), uint8(bad))
	}
})
