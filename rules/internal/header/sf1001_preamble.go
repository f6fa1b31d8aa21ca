package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

var Magic = rules.New(rules.Rule{
	ID:       "SF1001",
	Title:    "wrong magic number",
	Clause:   "SFrame Preamble",
	Severity: rules.Error,
	Scope:    rules.PerBytes,
	Text: `A section begins with sfp_magic, which is 0xdee2 in the byte order of the
target. Readers recognize the format and learn the byte order from it. With any other
value nothing after it can be read, and every consumer rejects the section.`,
	Fix:  `Find out what wrote the section: the bytes are damaged, or they are not SFrame.`,
	Good: `sfp_magic = e2 de (little-endian) or de e2 (big-endian)`,
	Bad:  `sfp_magic = e2 5e`,
}, func(c *rules.Context) {
	c.Faults(reader.BadMagic, func(f reader.Fault) {
		c.Fault(f, "sfp_magic is 0x%04x (read as little-endian), expected 0xdee2 in either byte order: no consumer recognizes the section as SFrame", f.Got)
	})
})

var Truncated = rules.New(rules.Rule{
	ID:       "SF1002",
	Title:    "section shorter than its header",
	Clause:   "SFrame Header",
	Severity: rules.Error,
	Scope:    rules.PerBytes,
	Text: `The header has 28 bytes in every version of the format. A shorter section
describes no function. Consumers that do not check the size first, such as glibc, read
beyond the section. A section of size 0 is a different case: some producers leave one
as a placeholder (SF5002).`,
	Fix:  `Build the section again. If a tool cut it off, fix or replace that tool.`,
	Good: `a section of 28 bytes with sfh_num_fdes = 0`,
	Bad:  `a section of 12 bytes`,
}, func(c *rules.Context) {
	c.Faults(reader.TooShort, func(f reader.Fault) {
		if f.Got > 0 || c.Object.ELF == nil { // SF5002 reports an empty section of an ELF file
			c.Fault(f, "the section has %d bytes, but its header has %d: no consumer can read the section", f.Got, f.Want)
		}
	})
})

var Version = rules.New(rules.Rule{
	ID:       "SF1003",
	Title:    "unknown version",
	Clause:   "SFrame Version",
	Severity: rules.Error,
	Text: `sfp_version is 1, 2 or 3. The layout of all that follows the preamble depends
on the version, so consumers reject a section with another number, and this tool
checks no more than its header.`,
	Fix:  `Set the version in which the rest of the section is written.`,
	Good: `sfp_version = 03`,
	Bad:  `sfp_version = 07`,
}, func(c *rules.Context) {
	c.Faults(reader.UnknownVersion, func(f reader.Fault) {
		c.Fault(f, "sfp_version is %d, but only versions 1, 2 and 3 have been published: consumers reject the section", f.Got)
	})
})

var Obsolete = rules.New(rules.Rule{
	ID:       "SF1004",
	Title:    "obsolete version 1",
	Clause:   "SFrame Version",
	Versions: []model.Version{model.SFRAME_VERSION_1},
	Severity: rules.Error,
	Text: `Version 1 is obsolete. Its FDEs have 17 bytes and are therefore unaligned.
They lack sfde_func_rep_size, so a tracer has to guess the size of the stubs in a PLT.
The Linux kernel, glibc, LLVM and binutils 2.41 and later do not read version 1.`,
	Fix:  `Assemble and link with binutils 2.46 or later, which write version 3.`,
	Good: `sfp_version = 03`,
	Bad:  `sfp_version = 01`,
}, func(c *rules.Context) {
	c.Header(model.HdrVersion, "version 1 of the format is obsolete: its FDEs are unaligned and lack sfde_func_rep_size, and current consumers reject it")
})

var Flags = rules.New(rules.Rule{
	ID:       "SF1005",
	Title:    "undefined flag bits",
	Clause:   "SFrame Flags",
	Severity: rules.Error,
	Text: `The defined bits of sfp_flags are SFRAME_F_FDE_SORTED (0x1),
SFRAME_F_FRAME_POINTER (0x2, versions 1 and 2) and SFRAME_F_FDE_FUNC_START_PCREL (0x4,
version 3 and version 2 since errata 1). All other bits must be zero. A later version
may use them to change how the section is read, and libsframe rejects a section in
which one is set.`,
	Fix:  `Clear the bits.`,
	Good: `sfp_flags = 05 (SORTED, PCREL)`,
	Bad:  `sfp_flags = 45`,
}, func(c *rules.Context) {
	h := c.Section.Header()
	if !h.Version.Known() {
		return
	}
	if bad := h.Flags &^ model.DefinedFlags(h.Version); bad != 0 {
		c.WithFix(rules.Fix{
			Message: "clear the undefined bits of sfp_flags", Safe: true,
			Edits: []rules.Edit{c.SetField(model.HdrFlags.Span(), uint64(h.Flags&^bad))},
		}).Header(model.HdrFlags, "sfp_flags is 0x%02x: %v does not define the bits 0x%02x, which must be zero, and libsframe rejects the section", uint8(h.Flags), h.Version, uint8(bad))
	}
})
