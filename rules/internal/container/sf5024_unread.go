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
	r.Severity, r.Scope = rules.Error, rules.PerObject
	return rules.New(r, func(c *rules.Context) {
		faults(c, code, func(f reader.Fault) { report(c, f) })
	})
}

var ELFDamaged = faultRule(rules.Rule{
	ID:    "SF5024",
	Title: "damaged ELF structure",
	Text: `A header or table of the ELF file contradicts itself or the size of the file.
The parts that depend on it could not be read, so there may be SFrame data that has
not been checked, and other tools may read the file differently.`,
	Fix:  `Build the file again. If it is a copy, compare it with the original.`,
	Good: `e_shoff + e_shnum * 64 <= size of the file`,
	Bad:  `a file that has been cut off before its section headers`,
}, reader.ELFDamaged, func(c *rules.Context, f reader.Fault) {
	c.File(f.Span, "the ELF structure is damaged: %s; the parts that depend on it were not checked", f.Detail)
})

var ArchiveDamaged = faultRule(rules.Rule{
	ID:    "SF5029",
	Title: "damaged archive or package",
	Text: `A member header of the archive is invalid, or its member would end after the
end of the archive. The members from there on could not be found and were not checked;
a linker does not find them either. The same is reported for a package or a compressed file that cannot be read to
its end, that is inside too many others, that names a file outside of itself, or that is of a kind that is recognized
but not read, such as an image of a file system. The exit status is then 3.`,
	Fix: `Make the archive or the package again. If it is a copy, compare it with the original. If it is of a kind that
is not read, unpack it and check the directory.`,
	Good: "`main.o/ ... 1234      `\\n`",
	Bad:  "`main.o/ ... 12x4      `\\n`",
}, reader.ArchiveDamaged, func(c *rules.Context, f reader.Fault) {
	if f.Span.Len == 0 {
		c.File(f.Span, "not read to its end: %s; the rest was not checked", f.Detail)
		return
	}
	c.File(f.Span, "the archive is damaged: %s; the parts that depend on it were not checked", f.Detail)
})

var MemberUnreadable = faultRule(rules.Rule{
	ID:    "SF5030",
	Title: "unreadable member of a thin archive",
	Text: `A thin archive contains the names of its members but not their bytes. The file
of that name could not be read. A linker that gets the archive fails, and the member
has not been checked. An archive can name any file, so members are read only below its directory and those that
are named; all others are one finding.`,
	Fix: `Put the object file where the archive expects it, relative to the archive. Name the directory of members
elsewhere by ` + "`--thin-root`" + `.`,
	Good: `libx.a names obj/main.o, which is there`,
	Bad:  `libx.a names obj/main.o, which has been removed`,
}, reader.MemberUnreadable, func(c *rules.Context, f reader.Fault) {
	if c.Object.Member == "" {
		c.File(f.Span, "not checked: %s", f.Detail)
		return
	}
	c.File(f.Span, "the member %q cannot be read: %s", c.Object.Member, f.Detail)
})

var SectionBeyondFile = faultRule(rules.Rule{
	ID:    "SF5025",
	Title: "section reaches beyond the file",
	Text: `sh_offset and sh_size of the section exceed the end of the file. The bytes
that exist have been checked. A reader that maps the file without comparing these
fields with its size crashes.`,
	Fix:  `Build the file again: it was cut off, or a tool wrote a wrong size.`,
	Good: `sh_offset 0x1000, sh_size 0x200, a file of 0x1200 bytes or more`,
	Bad:  `sh_offset 0x1000, sh_size 0x200, a file of 0x1100 bytes`,
}, reader.SectionBeyondEnd, func(c *rules.Context, f reader.Fault) {
	c.File(f.Span, "the SFrame section ends at 0x%x, but the file ends at 0x%x: a reader that does not compare the two reads beyond the file", f.Want, f.Got)
})

var Compressed = faultRule(rules.Rule{
	ID:    "SF5026",
	Title: "compressed section",
	Text: `SHF_COMPRESSED is for debug information, which tools decompress when they need
it. An unwinder reads SFrame data in place, where a compressed section has no magic
number. ELF forbids the flag together with SHF_ALLOC.`,
	Fix:  `Compress debug sections only.`,
	Good: `sh_flags = SHF_ALLOC (2)`,
	Bad:  `sh_flags = SHF_COMPRESSED (0x800)`,
}, reader.SectionCompressed, func(c *rules.Context, f reader.Fault) {
	c.File(f.Span, "SHF_COMPRESSED is set in sh_flags of the SFrame section: unwinders read the section in place and do not decompress it")
})

var NoBits = faultRule(rules.Rule{
	ID:    "SF5027",
	Title: "section without bytes in the file",
	Text: `A section of type SHT_NOBITS has a size but no bytes in the file; in memory it
is zero. An SFrame section of that type has no magic number and describes nothing, and
every reader rejects it. The rule skips files of debug information, which have the
headers of all sections but not their bytes, and so no code.`,
	Fix:  `Give the section its bytes and the type SHT_GNU_SFRAME.`,
	Good: `sh_type = SHT_GNU_SFRAME (6ffffff4)`,
	Bad:  `sh_type = SHT_NOBITS (8)`,
}, reader.SectionNoBits, func(c *rules.Context, f reader.Fault) {
	if c.Object.ELF != nil && !c.Object.ELF.Stripped() {
		c.File(f.Span, "sh_type of the SFrame section is SHT_NOBITS: it has no bytes in the file, and no consumer can read it")
	}
})

var RelocsDamaged = faultRule(rules.Rule{
	ID:    "SF5028",
	Title: "unreadable relocation section",
	Text: `In a relocatable file the relocations connect FDEs to functions. On all ABIs
of the format the relocation section of an SFrame section is SHT_RELA, with entries of
24 bytes against the file's symbol table. This one is not, so neither this tool nor a
linker can find the functions.`,
	Fix:  `Assemble again.`,
	Good: `.rela.sframe: sh_type = SHT_RELA, sh_entsize = 24, sh_link to .symtab`,
	Bad:  `.rel.sframe: sh_type = SHT_REL`,
}, reader.RelocsDamaged, func(c *rules.Context, f reader.Fault) {
	c.File(f.Span, "the relocations of the SFrame section cannot be read: %s; without them no FDE has a function", f.Detail)
})

var TooLarge = rules.New(rules.Rule{
	ID:       "SF5031",
	Title:    "section too large",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `The section exceeds the size limit, which is far more than any program needs
at some 35 bytes for each function. The section was not checked, and few readers can
process it.`,
	Fix:  `Find out what filled the section. If it is correct, raise the limit.`,
	Good: `sh_size of some MB`,
	Bad:  `sh_size of 3 GB`,
}, func(c *rules.Context) {
	const format = "the SFrame section has %d bytes, more than the limit of %d: it was not checked"
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

var Exceeded = faultRule(rules.Rule{
	ID:    "SF5033",
	Title: "budget exceeded",
	Text: `To read and check the file costs more memory, bytes read, work, bytes of names
or time than the run allows, and the rest was not checked. No real program comes
near the default budgets. A small file can claim any size: most likely this one is
damaged, or was made to exhaust its readers.`,
	Fix:  `Find out which part of the file is so large. If it is correct, raise the limit that the message names.`,
	Good: `30 section headers`,
	Bad:  `300,000,000 section headers in a sparse file`,
}, reader.BudgetExceeded, func(c *rules.Context, f reader.Fault) {
	c.WithoutBudget().File(f.Span, "not checked to the end: %s", f.Detail)
})
