package container

import "github.com/sframe-lint/sframe-lint/rules"

// SegmentElsewhere finds segments that are not where their section is.
var SegmentElsewhere = rules.New(rules.Rule{
	ID:       "SF5011",
	Title:    "PT_GNU_SFRAME does not hold the section",
	Clause:   "Overview",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `A reader at run time takes the first bytes of the segment for the SFrame header
and the segment's size for that of the data. Where the segment does not begin with the
section, it finds no magic number; where it ends too early, the reader is cut off from
FDEs or FREs, or reads beyond what it was told to.`,
	Fix:  `Give the segment the address, the offset and the size of the section.`,
	Good: `sh_addr = p_vaddr = 0x2000, sh_size = p_filesz = p_memsz = 200`,
	Bad:  `sh_addr = 0x2000, p_vaddr = 0x1000`,
}, func(c *rules.Context) {
	p, s, ok := segmentSection(c.Object)
	switch {
	case !ok:
	case p.Vaddr != s.Addr:
		c.File(pVaddr.in(p.Header), "p_vaddr of PT_GNU_SFRAME is 0x%x, %s is at 0x%x: a reader at run time looks for the SFrame header in the wrong place", p.Vaddr, s.Name, s.Addr)
	case p.Offset != s.Offset:
		c.File(pOffset.in(p.Header), "p_offset of PT_GNU_SFRAME is 0x%x, %s is at 0x%x of the file: a reader of the file by its segments looks for the SFrame header in the wrong place", p.Offset, s.Name, s.Offset)
	case p.Filesz < s.Size:
		c.File(pFilesz.in(p.Header), "p_filesz of PT_GNU_SFRAME is %d, sh_size of %s is %d: readers that go by the segment are cut off from the section's end", p.Filesz, s.Name, s.Size)
	case p.Memsz < s.Size:
		c.File(pMemsz.in(p.Header), "p_memsz of PT_GNU_SFRAME is %d, sh_size of %s is %d: readers at run time are cut off from the section's end", p.Memsz, s.Name, s.Size)
	}
})
