package container

import "github.com/sframe-lint/sframe-lint/rules"

// SegmentLarger finds segments that run on behind their section.
var SegmentLarger = rules.New(rules.Rule{
	ID:       "SF5010",
	Title:    "PT_GNU_SFRAME larger than the section",
	Clause:   "Overview",
	Severity: rules.Warning,
	Scope:    rules.PerObject,
	Text: `The segment ends behind the section and takes in bytes of what follows it. A
reader at run time knows the segment alone: it takes the bytes for part of the SFrame
data. One that goes by the header's counts does not notice, one that has the FREs end
where the data ends does. GNU ld makes such segments when it shrinks the section after
the segments have been laid out.`,
	Fix:  `None is needed for readers that go by the header; else set p_filesz and p_memsz to sh_size.`,
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
		c.File(f.in(p.Header), "%s of PT_GNU_SFRAME is %d, sh_size of %s is %d: the segment takes in %s of what follows, which a reader at run time takes for SFrame data", name, size, s.Name, s.Size, rules.Count(size-s.Size, "byte"))
	}
})
