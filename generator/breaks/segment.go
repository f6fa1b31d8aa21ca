package breaks

import (
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// inSegment makes breaks that overwrite a field of the section's program
// header.
func inSegment(field model.Span, value func(d *draft, old uint64) uint64) func(*Subject) []site {
	return inFile((*Subject).linked, func(d *draft) anchor {
		at := in(d.elf.segment(ptGNUSFrame, nil).at, field)
		d.setObject(at, value(d, d.getObject(at)))
		return ofObject(at)
	}, "segment", "size")
}

var segmentBreaks = []Break{
	fault("no-segment", "SF5009", "Turns the section's segment into PT_NULL.", file|mapped, 0,
		inFile((*Subject).linked, func(d *draft) anchor {
			d.setObject(in(d.elf.segment(ptGNUSFrame, nil).at, pType), uint64(elf.PT_NULL))
			return ofObject(ehPhnum)
		}, "segment")),
	fault("segment-larger", "SF5010", "Makes the section's segment larger than the section.", file|mapped, 0,
		inFile((*Subject).linked, func(d *draft) anchor {
			at := d.elf.segment(ptGNUSFrame, nil).at
			size := uint64(d.size + d.upTo(1, 1000))
			d.setObject(in(at, pMemsz), size)
			if d.rnd.IntN(2) == 0 {
				return ofObject(in(at, pMemsz))
			}
			d.setObject(in(at, pFilesz), size)
			return ofObject(in(at, pFilesz))
		}, "segment", "size")),
	fault("segment-smaller", "SF5011", "Makes the section's segment smaller than the section in the file.", file|mapped, 0,
		inSegment(pFilesz, func(d *draft, old uint64) uint64 { return uint64(d.upTo(0, int64(old)-1)) })),
	fault("segment-memory", "SF5011", "Makes the section's segment smaller than the section in memory.", file|mapped, 0,
		inSegment(pMemsz, func(d *draft, old uint64) uint64 { return uint64(d.upTo(0, int64(old)-1)) })),
	fault("segment-address", "SF5011", "Moves the section's segment in memory.", file|mapped, 0,
		inSegment(pVaddr, func(d *draft, old uint64) uint64 { return old + 8*uint64(d.upTo(1, 1000)) })),
	fault("segment-offset", "SF5011", "Moves the section's segment in the file.", file|mapped, 0,
		inSegment(pOffset, func(d *draft, old uint64) uint64 { return old + 8*uint64(d.upTo(1, 1000)) })),
	fault("two-segments", "SF5012", "Turns another segment into one for SFrame data.", file|mapped, 0,
		inFile((*Subject).linked, func(d *draft) anchor {
			from, to := d.elf.segment(ptGNUSFrame, nil).at, d.elf.segment(elf.PT_GNU_STACK, nil).at
			copy(d.object[to:to+phdrSize], slices.Clone(d.object[from:from+phdrSize]))
			d.sealed = true
			return ofObject(in(to, pType))
		}, "segment", "stack")),
	fault("not-loaded", "SF5013", "Removes the segment that loads the section.", file|mapped, 0,
		inFile((*Subject).linked, func(d *draft) anchor {
			sec := d.elf.sframe()
			d.setObject(in(d.elf.loadOf(sec).at, pType), uint64(elf.PT_NULL))
			return ofHeaderOf(sec.name, shAddr)
		}, "load")),
	fault("loaded-elsewhere", "SF5013", "Loads other bytes of the file at the section's address.", file|mapped, 0,
		inFile((*Subject).linked, func(d *draft) anchor {
			sec := d.elf.sframe()
			at := in(d.elf.loadOf(sec).at, pOffset)
			d.setObject(at, d.getObject(at)+0x1000*uint64(d.upTo(1, 10)))
			return ofHeaderOf(sec.name, shOffset)
		}, "load")),
	fault("segment-alone", "SF5014 SF5001", "Turns the section into plain data and keeps its segment.", file|mapped, header|mapped,
		inFile((*Subject).linked, func(d *draft) anchor {
			d.orphan()
			return ofObject(in(d.elf.segment(ptGNUSFrame, nil).at, pType))
		}, "segment")),
}
