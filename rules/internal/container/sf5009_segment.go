package container

import (
	"debug/elf"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// segment returns the first PT_GNU_SFRAME segment, which loaders use. SF5012
// reports further ones.
func segment(o *reader.Object) (*reader.Segment, bool) {
	if !linked(o) || hasFault(o, reader.ELFDamaged) {
		return nil, false
	}
	i := o.ELF.SFrameSegments()
	if len(i) == 0 {
		return nil, false
	}
	return &o.ELF.Segments[i[0]], true
}

// segmentSection returns the segment and its section: the section at its
// address, otherwise the first.
func segmentSection(o *reader.Object) (*reader.Segment, *reader.Section, bool) {
	p, ok := segment(o)
	all := mappedSections(o)
	if !ok || len(all) == 0 {
		return nil, nil, false
	}
	for _, s := range all {
		if s.Addr == p.Vaddr {
			return p, s, true
		}
	}
	return p, all[0], true
}

// NoSegment reports linked files without a PT_GNU_SFRAME segment, at e_phnum, the number of program headers.
var NoSegment = rules.New(rules.Rule{
	ID:      "SF5009",
	Needs:   rules.SymbolsReadable,
	Scope:   rules.PerObject,
	Follows: []string{"SF1019"},
}, func(c *rules.Context) {
	all := mappedSections(c.Object)
	if _, ok := segment(c.Object); ok || len(all) == 0 || c.Object.ELF.KernelImage() || !c.Has(rules.SymbolsReadable) || c.Object.Kernel() {
		return
	}
	c.File(elf64.EhdrPhnum, "none of the %d program headers is PT_GNU_SFRAME: profilers and the C library cannot find %s (%d bytes) at run time", len(c.Object.ELF.Segments), all[0].Name, all[0].Size)
})

var SegmentLarger = rules.New(rules.Rule{ID: "SF5010", Scope: rules.PerObject}, func(c *rules.Context) {
	p, s, ok := segmentSection(c.Object)
	if !ok || p.Vaddr != s.Addr || p.Offset != s.Offset {
		return
	}
	f, name, size := pFilesz, "p_filesz", p.Filesz
	if size <= s.Size {
		f, name, size = pMemsz, "p_memsz", p.Memsz
	}
	if size > s.Size {
		c = c.With(rules.Fix{Message: "set p_filesz and p_memsz to sh_size", Safe: true,
			Edits: []rules.Edit{rules.SetELF(c.Object.ELF, pFilesz.in(p.Header), s.Size), rules.SetELF(c.Object.ELF, pMemsz.in(p.Header), s.Size)}})
		c.File(f.in(p.Header), "%s of PT_GNU_SFRAME is %d, but sh_size of %s is %d: readers at run time interpret %s after the section as SFrame data", name, size, s.Name, s.Size, rules.Count(size-s.Size, "byte"))
	}
})

var SegmentElsewhere = rules.New(rules.Rule{ID: "SF5011", Scope: rules.PerObject}, func(c *rules.Context) {
	p, s, ok := segmentSection(c.Object)
	switch {
	case !ok:
	case p.Vaddr != s.Addr:
		c.File(pVaddr.in(p.Header), "p_vaddr of PT_GNU_SFRAME is 0x%x, but %s is at address 0x%x: a reader at run time looks for the SFrame header in the wrong place", p.Vaddr, s.Name, s.Addr)
	case p.Offset != s.Offset:
		c.File(pOffset.in(p.Header), "p_offset of PT_GNU_SFRAME is 0x%x, but %s is at offset 0x%x: readers that use the segment look for the header in the wrong place", p.Offset, s.Name, s.Offset)
	case p.Filesz < s.Size:
		c.File(pFilesz.in(p.Header), "p_filesz of PT_GNU_SFRAME is %d, but sh_size of %s is %d: readers that use the segment miss the end of the section", p.Filesz, s.Name, s.Size)
	case p.Memsz < s.Size:
		c.File(pMemsz.in(p.Header), "p_memsz of PT_GNU_SFRAME is %d, but sh_size of %s is %d: readers at run time miss the end of the section", p.Memsz, s.Name, s.Size)
	}
})

var SegmentTwice = rules.New(rules.Rule{ID: "SF5012", Scope: rules.PerObject}, func(c *rules.Context) {
	if !linked(c.Object) || hasFault(c.Object, reader.ELFDamaged) {
		return
	}
	all := c.Object.ELF.SFrameSegments()
	for _, i := range all[min(1, len(all)):] {
		c.File(pType.in(c.Object.ELF.Segments[i].Header), "program headers %d and %d are both PT_GNU_SFRAME: readers at run time use one segment and miss the functions of the other", all[0], i)
	}
})

var NotLoaded = rules.New(rules.Rule{ID: "SF5013", Scope: rules.PerObject}, func(c *rules.Context) {
	if segmentOnly(c) || len(mappedSections(c.Object)) == 0 || len(c.Object.ELF.Segments) == 0 {
		return
	}
	for _, s := range mappedSections(c.Object) {
		p, ok := load(c.Object.ELF, s.Addr, s.Size)
		switch {
		case !ok:
			c.File(shAddr.in(s.Header), "no PT_LOAD segment contains %s (0x%x to 0x%x): the section is not in memory at run time", s.Name, s.Addr, s.Addr+s.Size)
		case s.Offset-p.Offset != s.Addr-p.Vaddr:
			c.File(shOffset.in(s.Header), "%s (address 0x%x) is at file offset 0x%x, but its PT_LOAD segment (0x%x) loads offset 0x%x there: readers at run time find other bytes", s.Name, s.Addr, s.Offset, p.Vaddr, p.Offset+(s.Addr-p.Vaddr))
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
		c.File(pVaddr.in(p.Header), "no PT_LOAD segment loads the bytes of PT_GNU_SFRAME at 0x%x (p_vaddr): readers at run time do not find the SFrame data", p.Vaddr)
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

// noInput says what to do where no input of a link has an FDE.
const noInput = "check the object files: SF6014 says why an assembler left out their functions; or link with --discard-sframe (GNU ld 2.46 and later)"

var SegmentAlone = rules.New(rules.Rule{ID: "SF5014", Scope: rules.PerObject}, func(c *rules.Context) {
	p, ok := segment(c.Object)
	if !ok || len(c.Object.ELF.Sections) == 0 {
		return
	}
	for i := range c.Object.ELF.Sections {
		s := &c.Object.ELF.Sections[i]
		switch {
		case !s.IsSFrame():
		case s.Size > 0 || p.Filesz == 0:
			return
		case p.Filesz == uint64(model.SFRAME_VERSION_3.Info().HeaderSize):
			c.With(rules.Help(noInput)).File(pType.in(p.Header), "PT_GNU_SFRAME has %d bytes at 0x%x, but %s is empty, as GNU ld writes it if no input has FDEs: readers at run time interpret other bytes as SFrame data",
				p.Filesz, p.Vaddr, s.Name)
			return
		}
	}
	c.File(pType.in(p.Header), "PT_GNU_SFRAME has %d bytes at 0x%x, but no .sframe section has bytes: readers at run time interpret other bytes as SFrame data", p.Filesz, p.Vaddr)
})

var SectionTwice = rules.New(rules.Rule{
	ID:       "SF5015",
	Requires: []*analysis.Analyzer{prereq.Located},
	Scope:    rules.PerObject,
}, func(c *rules.Context) {
	all := mappedSections(c.Object)
	if len(all) < 2 {
		return
	}
	at, _ := c.Object.ELF.SectionOf(prereq.Get[*reader.SFrame](c.Pass, prereq.Located))
	if at == nil || !filled(at) {
		at = all[0]
	}
	for _, s := range all {
		if s != at && !(s.Name == ".init.sframe" && c.Object.ELF.KernelImage()) {
			c.File(s.Header, "%s at 0x%x is an SFrame section in addition to that at 0x%x, which readers use: readers miss the functions in %s", s.Name, s.Addr, at.Addr, s.Name)
		}
	}
})
