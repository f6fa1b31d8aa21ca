package container

import "github.com/sframe-lint/sframe-lint/rules"

// SegmentElsewhere finds segments that do not cover their section.
var SegmentElsewhere = rules.New(rules.Rule{
	ID:       "SF5011",
	Title:    "PT_GNU_SFRAME does not cover the section",
	Clause:   "Overview",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `A reader at run time expects the SFrame header at the start of the segment and
the data to have the size of the segment. If the segment does not start with the
section, the reader finds no magic number. If it ends too early, the reader misses
FDEs or FREs, or reads beyond the segment.`,
	Fix:  `Give the segment the address, the offset and the size of the section.`,
	Good: `sh_addr = p_vaddr = 0x2000, sh_size = p_filesz = p_memsz = 200`,
	Bad:  `sh_addr = 0x2000, p_vaddr = 0x1000`,
}, func(c *rules.Context) {
	p, s, ok := segmentSection(c.Object)
	switch {
	case !ok:
	case p.Vaddr != s.Addr:
		c.File(pVaddr.in(p.Header), "p_vaddr of PT_GNU_SFRAME is 0x%x, but %s is at address 0x%x: a reader at run time looks for the SFrame header in the wrong place", p.Vaddr, s.Name, s.Addr)
	case p.Offset != s.Offset:
		c.File(pOffset.in(p.Header), "p_offset of PT_GNU_SFRAME is 0x%x, but %s is at offset 0x%x: a reader that uses the segments of the file looks for the SFrame header in the wrong place", p.Offset, s.Name, s.Offset)
	case p.Filesz < s.Size:
		c.File(pFilesz.in(p.Header), "p_filesz of PT_GNU_SFRAME is %d, but sh_size of %s is %d: readers that use the segment miss the end of the section", p.Filesz, s.Name, s.Size)
	case p.Memsz < s.Size:
		c.File(pMemsz.in(p.Header), "p_memsz of PT_GNU_SFRAME is %d, but sh_size of %s is %d: readers at run time miss the end of the section", p.Memsz, s.Name, s.Size)
	}
})
