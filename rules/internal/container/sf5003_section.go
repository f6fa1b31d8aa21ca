package container

import (
	"debug/elf"
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

var SectionType = headerRule(rules.Rule{
	ID:       "SF5003",
	Title:    "section type is not SHT_GNU_SFRAME",
	Clause:   "Overview",
	Severity: rules.Warning,
	Text: `Since errata 1 of version 2 an SFrame section has the type SHT_GNU_SFRAME
(0x6ffffff4). Binutils before 2.45 wrote SHT_PROGBITS, the type of any program data.
GNU ld 2.45 and later ignore an input section of another type. mold has treated
sections of the old type as plain data and concatenated them.`,
	Fix:  `Assemble and link with binutils 2.46 or later.`,
	Good: `sh_type = SHT_GNU_SFRAME (6ffffff4)`,
	Bad:  `sh_type = SHT_PROGBITS (1)`,
	Bugs: []string{"https://github.com/rui314/mold/issues/1511"},
}, func(c *rules.Context, s *reader.Section) {
	if s.Type != reader.SHT_GNU_SFRAME && c.Has(rules.AsDefined) { // SF6027 advises to write the section again
		c := c.WithFix(rules.Fix{Message: "set sh_type to SHT_GNU_SFRAME", // a linker may then refuse the version
			Edits: []rules.Edit{c.SetELF(shType.in(s.Header), uint64(reader.SHT_GNU_SFRAME))}})
		c.File(shType.in(s.Header), "sh_type of %s is %s, expected SHT_GNU_SFRAME (0x%x) since errata 1 of version 2: GNU ld 2.45 and later ignore an input section of another type", s.Name, typeName(s.Type), uint32(reader.SHT_GNU_SFRAME))
	}
})

func typeName(t elf.SectionType) string {
	if t == elf.SHT_PROGBITS {
		return "SHT_PROGBITS"
	}
	return fmt.Sprintf("0x%x", uint32(t))
}

var NotAllocated = headerRule(rules.Rule{
	ID:       "SF5004",
	Title:    "section without SHF_ALLOC",
	Clause:   "Overview",
	Severity: rules.Error,
	Text: `SHF_ALLOC means that the section is in memory when the program runs. An
unwinder reads SFrame data at run time. Without the flag the section has no address
and no segment, and strip may remove it like debug information.`,
	Fix: `Declare the section ` + "`.section .sframe,\"a\",@0x6ffffff4`" + `.
Repair a file with ` + "`objcopy --set-section-flags .sframe=alloc,readonly`" + ` before it is linked.`,
	Good: `sh_flags = SHF_ALLOC (2)`,
	Bad:  `sh_flags = 0`,
}, func(c *rules.Context, s *reader.Section) {
	if s.Flags&elf.SHF_ALLOC == 0 {
		if c.Relocatable() {
			c = c.WithFix(rules.Fix{Message: "set SHF_ALLOC", Safe: true, Edits: []rules.Edit{c.SetELF(shFlags.in(s.Header), uint64(s.Flags|elf.SHF_ALLOC))}})
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
	{elf.SHF_WRITE, "SHF_WRITE", "the program can overwrite its unwind data"},
	{elf.SHF_EXECINSTR, "SHF_EXECINSTR", "the data can be executed as code"},
	{elf.SHF_MERGE, "SHF_MERGE", "a linker may split it as constants"},
	{elf.SHF_STRINGS, "SHF_STRINGS", "a linker may split it as strings"},
	{elf.SHF_TLS, "SHF_TLS", "every thread gets a copy, none at the address of the section"},
	{0x80000000, "SHF_EXCLUDE", "a linker removes it"},
}

var SectionFlags = headerRule(rules.Rule{
	ID:       "SF5005",
	Title:    "unexpected section flags",
	Severity: rules.Warning,
	Text: `An SFrame section is read-only data: it needs SHF_ALLOC and no other flag, and
producers set no other. SHF_GROUP, SHF_LINK_ORDER, SHF_INFO_LINK and SHF_GNU_RETAIN
tie the section to others and are harmless. Other flags change what linker and loader
do with it: SHF_WRITE makes it writable, SHF_EXECINSTR executable, SHF_MERGE lets a
linker split it, and SHF_EXCLUDE lets a linker remove it.`,
	Fix:  `Declare the section with only the flag "a".`,
	Good: `sh_flags = SHF_ALLOC (2)`,
	Bad:  `sh_flags = SHF_WRITE | SHF_ALLOC (3)`,
}, func(c *rules.Context, s *reader.Section) {
	if s.Flags&^plainFlags == 0 {
		return
	}
	for _, o := range oddFlags {
		if s.Flags&o.flag != 0 {
			c.File(shFlags.in(s.Header), "sh_flags of %s is 0x%x, with %s (0x%x), but an SFrame section is read-only data with SHF_ALLOC only: %s", s.Name, uint64(s.Flags), o.name, uint64(o.flag), o.why)
			return
		}
	}
	c.File(shFlags.in(s.Header), "sh_flags of %s is 0x%x, but an SFrame section is read-only data with SHF_ALLOC (0x2) only: what a linker does for 0x%x is unspecified", s.Name, uint64(s.Flags), uint64(s.Flags&^plainFlags))
})

// sectionAlign is the alignment of SFrame sections, in bytes.
const sectionAlign = 8

var Misaligned = headerRule(rules.Rule{
	ID:       "SF5006",
	Title:    "section not aligned to 8 bytes",
	Clause:   "SFrame Header",
	Severity: rules.Warning,
	Text: `The fields of 16 and 32 bits in the header and the FDEs are aligned, counted from the
start of the section; the section itself must be aligned for that. All producers align it
to 8 bytes, in every version. On a machine that traps unaligned loads an unwinder that
reads these fields as integers would crash. The manual demands natural alignment of the
index entries of version 3 too, but their 64-bit start fields lie at 28 + 16 * n. No
alignment of the section makes that a multiple of 8: readers have to copy the fields.`,
	Fix:  `Set sh_addralign to 8 and link again.`,
	Good: `sh_addralign = 8, sh_addr = 0x2000`,
	Bad:  `sh_addralign = 1, sh_addr = 0x2003`,
}, func(c *rules.Context, s *reader.Section) {
	switch {
	case s.AddrAlign == 0 || s.AddrAlign%sectionAlign != 0:
		if s.Addr%sectionAlign == 0 {
			c = c.WithFix(rules.Fix{Message: "set sh_addralign to 8", Safe: true, Edits: []rules.Edit{c.SetELF(shAddralign.in(s.Header), sectionAlign)}})
		}
		c.File(shAddralign.in(s.Header), "sh_addralign of %s is %d, not a multiple of 8: a linker may place the section at an address where the fields of its header and FDEs are unaligned", s.Name, s.AddrAlign)
	case s.Addr%sectionAlign != 0:
		c.File(shAddr.in(s.Header), "%s is at address 0x%x, not a multiple of 8: the fields of its header and FDEs are unaligned", s.Name, s.Addr)
	}
})

var OtherMachine = rules.New(rules.Rule{
	ID:       "SF5007",
	Title:    "ABI contradicts the ELF machine",
	Clause:   "SFrame ABI/arch Identifier",
	Severity: rules.Error,
	Text: `sfh_abi_arch is the machine by whose registers and conventions the FREs are
encoded; e_machine is the machine for which the code is built. If they differ, an
unwinder misinterprets the FREs. Few readers compare the two. The cause may be a
linker that takes the identifier from its first input.`,
	Fix:  `Find the input that was built for another target, or the tool that wrote the identifier.`,
	Good: `e_machine = EM_X86_64, sfh_abi_arch = 3 (AMD64)`,
	Bad:  `e_machine = EM_X86_64, sfh_abi_arch = 2 (AArch64)`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	if c.Object.ELF != nil && otherMachine(c) {
		c.Header(model.HdrABI, "sfh_abi_arch is %d (%s), but e_machine is %v: an unwinder reads the FREs by the conventions of another machine", uint8(abi.ID), abi.Spec, c.Object.ELF.Machine)
	}
})

// otherMachine reports whether the section's machine is known and differs from
// the ELF file's.
func otherMachine(c *rules.Context) bool {
	abi := c.Section.ABI()
	return abi.Known() && abi.Machine != c.Object.ELF.Machine
}

var OtherByteOrder = rules.New(rules.Rule{
	ID:       "SF5008",
	Title:    "byte order contradicts the ELF file",
	Clause:   "SFrame Magic Number and Endianness",
	Severity: rules.Error,
	Text: `A section is written in the byte order of its target, which is
e_ident[EI_DATA] of the file. The magic number shows the order that was used. Readers
on the target machine read in their own order and reject the section for its magic
number. A tool that swaps bytes accepts it, and linkers merge it with the others.
SF1007 reports an ABI identifier that contradicts the magic number.`,
	Fix:  `Build the section for the file's target.`,
	Good: `ELFDATA2LSB, sfp_magic = e2 de`,
	Bad:  `ELFDATA2LSB, sfp_magic = de e2`,
}, func(c *rules.Context) {
	e, abi := c.Object.ELF, c.Section.ABI()
	if e == nil || e.Order == nil || e.BigEndian() == c.Section.BigEndian() {
		return
	}
	if otherMachine(c) || abi.Known() && abi.Big != c.Section.BigEndian() {
		return // SF5007 or SF1007 reports it
	}
	c.Header(model.HdrMagic, "by sfp_magic the section is %s, but the file is %s: readers on the target machine reject the section", c.Section.OrderName(), model.OrderName(e.BigEndian()))
})
