package container

import (
	"debug/elf"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// NotLoaded finds sections that no PT_LOAD segment maps.
var NotLoaded = rules.New(rules.Rule{
	ID:       "SF5013",
	Title:    "section is not in a PT_LOAD segment",
	Clause:   "Overview",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `A loader maps only PT_LOAD segments; PT_GNU_SFRAME gives the place of the
SFrame data in them. If no PT_LOAD segment maps the bytes of the section to its
address, an unwinder that follows PT_GNU_SFRAME reads other bytes or crashes.`,
	Fix:  `Let the linker place the section among the read-only data. Check the linker script.`,
	Good: `LOAD 0x2000 to 0x3000, .sframe at 0x2100`,
	Bad:  `LOAD 0x2000 to 0x3000, .sframe at 0x5000`,
}, func(c *rules.Context) {
	if segmentOnly(c) || len(mapped(c.Object)) == 0 || len(c.Object.ELF.Segments) == 0 {
		return
	}
	for _, s := range mapped(c.Object) {
		p, ok := load(c.Object.ELF, s.Addr, s.Size)
		switch {
		case !ok:
			c.File(shAddr.in(s.Header), "no PT_LOAD segment maps the addresses 0x%x to 0x%x of %s: the section is not in memory at run time", s.Addr, s.Addr+s.Size, s.Name)
		case s.Offset-p.Offset != s.Addr-p.Vaddr:
			c.File(shOffset.in(s.Header), "%s is at offset 0x%x of the file, but the PT_LOAD segment at 0x%x maps offset 0x%x to its address: other bytes are there at run time", s.Name, s.Offset, p.Vaddr, p.Offset+(s.Addr-p.Vaddr))
		}
	}
})

// segmentOnly checks the segment of a file that has no section headers.
func segmentOnly(c *rules.Context) bool {
	p, ok := segment(c.Object)
	if !ok || len(c.Object.ELF.Sections) > 0 {
		return false
	}
	if l, ok := load(c.Object.ELF, p.Vaddr, p.Filesz); !ok || p.Offset-l.Offset != p.Vaddr-l.Vaddr {
		c.File(pVaddr.in(p.Header), "no PT_LOAD segment maps the bytes of PT_GNU_SFRAME to its p_vaddr 0x%x: they are not there at run time", p.Vaddr)
	}
	return true
}

// load returns the PT_LOAD segment that maps size bytes of the file at addr.
func load(e *reader.ELF, addr, size uint64) (*reader.Segment, bool) {
	for i := range e.Segments {
		p := &e.Segments[i]
		if at := addr - p.Vaddr; p.Type == elf.PT_LOAD && addr >= p.Vaddr && at <= p.Filesz && size <= p.Filesz-at {
			return p, true
		}
	}
	return nil, false
}
