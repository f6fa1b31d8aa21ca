package breaks

import (
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// inSegment makes breaks that overwrite a field of the section's program
// header.
func inSegment(field model.Span, value func(d *draft, old uint64) uint64) func(*Subject) []site {
	return inFile((*Subject).linked, func(d *draft) (anchor, error) {
		at := in(d.elf.segment(ptGNUSFrame, nil).at, field)
		d.setObject(at, value(d, d.getObject(at)))
		return ofObject(at), nil
	}, "segment", "size")
}

var segmentBreaks = []Break{
	{
		Name: "no-segment", Rule: "SF5009",
		Doc:   "Turns the section's segment into PT_NULL.",
		needs: file | mapped,
		sites: inFile((*Subject).linked, func(d *draft) (anchor, error) {
			d.setObject(in(d.elf.segment(ptGNUSFrame, nil).at, pType), uint64(elf.PT_NULL))
			return ofObject(ehPhnum), nil
		}, "segment"),
	},
	{
		Name: "segment-larger", Rule: "SF5010",
		Doc:   "Makes the section's segment larger than the section.",
		needs: file | mapped,
		sites: inFile((*Subject).linked, func(d *draft) (anchor, error) {
			at := d.elf.segment(ptGNUSFrame, nil).at
			size := uint64(d.size + d.upTo(1, 1000))
			d.setObject(in(at, pMemsz), size)
			if d.rnd.IntN(2) == 0 {
				return ofObject(in(at, pMemsz)), nil
			}
			d.setObject(in(at, pFilesz), size)
			return ofObject(in(at, pFilesz)), nil
		}, "segment", "size"),
	},
	{
		Name: "segment-smaller", Rule: "SF5011",
		Doc:   "Makes the section's segment smaller than the section in the file.",
		needs: file | mapped,
		sites: inSegment(pFilesz, func(d *draft, old uint64) uint64 { return uint64(d.upTo(0, int64(old)-1)) }),
	},
	{
		Name: "segment-memory", Rule: "SF5011",
		Doc:   "Makes the section's segment smaller than the section in memory.",
		needs: file | mapped,
		sites: inSegment(pMemsz, func(d *draft, old uint64) uint64 { return uint64(d.upTo(0, int64(old)-1)) }),
	},
	{
		Name: "segment-address", Rule: "SF5011",
		Doc:   "Moves the section's segment in memory.",
		needs: file | mapped,
		sites: inSegment(pVaddr, func(d *draft, old uint64) uint64 { return old + 8*uint64(d.upTo(1, 1000)) }),
	},
	{
		Name: "segment-offset", Rule: "SF5011",
		Doc:   "Moves the section's segment in the file.",
		needs: file | mapped,
		sites: inSegment(pOffset, func(d *draft, old uint64) uint64 { return old + 8*uint64(d.upTo(1, 1000)) }),
	},
	{
		Name: "two-segments", Rule: "SF5012",
		Doc:   "Turns another segment into one for SFrame data.",
		needs: file | mapped,
		sites: inFile((*Subject).linked, func(d *draft) (anchor, error) {
			from, to := d.elf.segment(ptGNUSFrame, nil).at, d.elf.segment(elf.PT_GNU_STACK, nil).at
			copy(d.object[to:to+phdrSize], slices.Clone(d.object[from:from+phdrSize]))
			d.sealed = true
			return ofObject(in(to, pType)), nil
		}, "segment", "stack"),
	},
	{
		Name: "not-loaded", Rule: "SF5013",
		Doc:   "Removes the segment that loads the section.",
		needs: file | mapped,
		sites: inFile((*Subject).linked, func(d *draft) (anchor, error) {
			sec := d.elf.sframe()
			d.setObject(in(d.elf.loadOf(sec).at, pType), uint64(elf.PT_NULL))
			return ofHeaderOf(sec.name, shAddr), nil
		}, "load"),
	},
	{
		Name: "loaded-elsewhere", Rule: "SF5013",
		Doc:   "Loads other bytes of the file at the section's address.",
		needs: file | mapped,
		sites: inFile((*Subject).linked, func(d *draft) (anchor, error) {
			sec := d.elf.sframe()
			at := in(d.elf.loadOf(sec).at, pOffset)
			d.setObject(at, d.getObject(at)+0x1000*uint64(d.upTo(1, 10)))
			return ofHeaderOf(sec.name, shOffset), nil
		}, "load"),
	},
	{
		Name: "segment-alone", Rule: "SF5014", Also: []string{"SF5001"},
		Doc:   "Turns the section into plain data and keeps its segment.",
		needs: file | mapped, spoils: header | mapped,
		sites: inFile((*Subject).linked, func(d *draft) (anchor, error) {
			d.orphan()
			return ofObject(in(d.elf.segment(ptGNUSFrame, nil).at, pType)), nil
		}, "segment"),
	},
}
