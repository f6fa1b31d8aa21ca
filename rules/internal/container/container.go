// Package container has family SF5: rules on what contains a .sframe section. These are ELF headers and segments,
// relocations of an object file, and archives.
package container

import "github.com/sframe-lint/sframe-lint/rules"

// Rules are the rules of the family, sorted by ID.
var Rules = []*rules.Rule{
	Absent, Placeholder, SectionType, NotAllocated, SectionFlags, Misaligned,
	OtherMachine, OtherByteOrder,
	NoSegment, SegmentLarger, SegmentElsewhere, SegmentTwice, NotLoaded, SegmentAlone, SectionTwice,
	Unrelocated, SpareReloc, MisplacedReloc, NoneReloc, RelocType, RelocOrder, DoubleReloc, UndefinedSymbol,
	ELFDamaged, SectionBeyondFile, Compressed, NoBits, RelocsDamaged, ArchiveDamaged, MemberUnreadable, TooLarge,
	InGroup,
	Exceeded,
	NoABI, Ignored,
	Unbacked,
}
