package container

import (
	"debug/elf"
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

var SectionType = headerRule(rules.Rule{ID: "SF5003"}, func(c *rules.Context, s *reader.Section) {
	if s.Type != reader.SHT_GNU_SFRAME && c.Has(rules.AsDefined) { // SF6027 advises to write the section again
		c := c.With(rules.Fix{Message: "set sh_type to SHT_GNU_SFRAME", // a linker may then refuse the version
			Edits: []rules.Edit{rules.SetELF(c.Object.ELF, shType.in(s.Header), uint64(reader.SHT_GNU_SFRAME))}})
		c.File(shType.in(s.Header), "sh_type of %s is %s, expected SHT_GNU_SFRAME (0x%x) since errata 1 of version 2: GNU ld 2.45 and later ignore such an input section", s.Name, typeName(s.Type), uint32(reader.SHT_GNU_SFRAME))
	}
})

func typeName(t elf.SectionType) string {
	if t == elf.SHT_PROGBITS {
		return "SHT_PROGBITS"
	}
	return fmt.Sprintf("0x%x", uint32(t))
}

var NotAllocated = headerRule(rules.Rule{ID: "SF5004"}, func(c *rules.Context, s *reader.Section) {
	if s.Flags&elf.SHF_ALLOC == 0 {
		if c.Object.Relocatable() {
			c = c.With(rules.Fix{Message: "set SHF_ALLOC", Safe: true, Edits: []rules.Edit{rules.SetELF(c.Object.ELF, shFlags.in(s.Header), uint64(s.Flags|elf.SHF_ALLOC))}})
		}
		c.File(shFlags.in(s.Header), "sh_flags of %s is 0x%x, without SHF_ALLOC (0x2): the section is not in memory at run time, and no unwinder finds it", s.Name, uint64(s.Flags))
	}
})

const shfGNURetain elf.SectionFlag = 0x200000

// plainFlags are the flags that do not change the meaning of the section.
// SF5026 reports SHF_COMPRESSED.
const plainFlags = elf.SHF_ALLOC | elf.SHF_GROUP | elf.SHF_LINK_ORDER | elf.SHF_INFO_LINK | elf.SHF_COMPRESSED | shfGNURetain

// oddFlags are the other flags that have a name. No producer sets them on
// SFrame sections.
var oddFlags = []struct {
	flag elf.SectionFlag
	name string
	why  string
}{
	{elf.SHF_WRITE, "SHF_WRITE", "the program can overwrite the section"},
	{elf.SHF_EXECINSTR, "SHF_EXECINSTR", "the program can execute the section as code"},
	{elf.SHF_MERGE, "SHF_MERGE", "a linker may split the section as constants"},
	{elf.SHF_STRINGS, "SHF_STRINGS", "a linker may split the section as strings"},
	{elf.SHF_TLS, "SHF_TLS", "each thread gets a copy of the section at another address"},
	{0x80000000, "SHF_EXCLUDE", "a linker removes the section"},
}

var SectionFlags = headerRule(rules.Rule{ID: "SF5005"}, func(c *rules.Context, s *reader.Section) {
	if s.Flags&^plainFlags == 0 {
		return
	}
	for _, o := range oddFlags {
		if s.Flags&o.flag != 0 {
			c.File(shFlags.in(s.Header), "sh_flags of %s is 0x%x, but SFrame sections must not have %s (0x%x): %s", s.Name, uint64(s.Flags), o.name, uint64(o.flag), o.why)
			return
		}
	}
	c.File(shFlags.in(s.Header), "sh_flags of %s is 0x%x, but SFrame sections have only SHF_ALLOC (0x2): linkers may do anything with a section that has flags 0x%x", s.Name, uint64(s.Flags), uint64(s.Flags&^plainFlags))
})

// sectionAlign is the alignment of SFrame sections, in bytes.
const sectionAlign = 8

var Misaligned = headerRule(rules.Rule{ID: "SF5006"}, func(c *rules.Context, s *reader.Section) {
	switch {
	case s.AddrAlign == 0 || s.AddrAlign%sectionAlign != 0:
		if s.Addr%sectionAlign == 0 {
			c = c.With(rules.Fix{Message: "set sh_addralign to 8", Safe: true, Edits: []rules.Edit{rules.SetELF(c.Object.ELF, shAddralign.in(s.Header), sectionAlign)}})
		}
		c.File(shAddralign.in(s.Header), "sh_addralign of %s is %d, not a multiple of 8: a linker may leave the fields of the header and the FDEs unaligned", s.Name, s.AddrAlign)
	case s.Addr%sectionAlign != 0:
		c.File(shAddr.in(s.Header), "%s is at address 0x%x, not a multiple of 8: the fields of its header and FDEs are unaligned", s.Name, s.Addr)
	}
})

var OtherMachine = rules.New(rules.Rule{ID: "SF5007"}, func(c *rules.Context) {
	abi := c.Section.ABI()
	if c.Object.ELF != nil && otherMachine(c) {
		c.At(model.HdrABI.Span(), "sfh_abi_arch is %d (%s), but e_machine is %v: an unwinder interprets the FREs as those of another machine", uint8(abi.ID), abi.Spec, c.Object.ELF.Machine)
	}
})

// otherMachine reports whether the section's machine is known and differs from
// the ELF file's.
func otherMachine(c *rules.Context) bool {
	abi := c.Section.ABI()
	return abi.Known() && abi.Machine != c.Object.ELF.Machine
}

var OtherByteOrder = rules.New(rules.Rule{ID: "SF5008"}, func(c *rules.Context) {
	e, abi := c.Object.ELF, c.Section.ABI()
	if e == nil || e.Order == nil || e.BigEndian() == c.Section.BigEndian() {
		return
	}
	if otherMachine(c) || abi.Known() && abi.Big != c.Section.BigEndian() {
		return // SF5007 or SF1007 reports it
	}
	c.At(model.HdrMagic.Span(), "sfp_magic is %s, but the file is %s: readers on the target machine reject the section", c.Section.OrderName(), model.OrderName(e.BigEndian()))
})
