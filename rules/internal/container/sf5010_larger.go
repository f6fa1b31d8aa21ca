package container

import "github.com/sframe-lint/sframe-lint/rules"

// SegmentLarger finds segments that extend beyond their section.
var SegmentLarger = rules.New(rules.Rule{
	ID:       "SF5010",
	Title:    "PT_GNU_SFRAME larger than the section",
	Clause:   "Overview",
	Severity: rules.Warning,
	Scope:    rules.PerObject,
	Text: `The segment ends after the section and covers bytes that follow it. A reader
at run time has only the segment, so it treats these bytes as SFrame data. One that
uses the counts in the header is not affected; one that assumes that the FREs extend
to the end of the data is. GNU ld writes such segments when it shrinks the section
after the segments are laid out.`,
	Fix:  `Readers that use the counts in the header need no fix. For others, set p_filesz and p_memsz to sh_size.`,
	Good: `sh_size = 40763, p_filesz = p_memsz = 40763`,
	Bad:  `sh_size = 40763, p_filesz = p_memsz = 41780`,
}, func(c *rules.Context) {
	p, s, ok := segmentSection(c.Object)
	if !ok || p.Vaddr != s.Addr || p.Offset != s.Offset {
		return
	}
	f, name, size := pFilesz, "p_filesz", p.Filesz
	if size <= s.Size {
		f, name, size = pMemsz, "p_memsz", p.Memsz
	}
	if size > s.Size {
		c = c.WithFix(rules.Fix{Message: "set p_filesz and p_memsz to sh_size", Safe: true,
			Edits: []rules.Edit{pFilesz.set(c, p.Header, s.Size), pMemsz.set(c, p.Header, s.Size)}})
		c.File(f.in(p.Header), "%s of PT_GNU_SFRAME is %d, but sh_size of %s is %d: the segment covers %s after the section, which a reader at run time treats as SFrame data", name, size, s.Name, s.Size, rules.Count(size-s.Size, "byte"))
	}
})
