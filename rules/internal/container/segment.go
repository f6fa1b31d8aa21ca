package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
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
	all := mapped(o)
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
