// Package container holds the rules on what a .sframe section stands in: the
// ELF file's headers and segments, the relocations of an object file, and
// archives: family SF5.
package container

import "github.com/sframe-lint/sframe-lint/rules"

// Rules are the rules of the family, by ID.
var Rules = []*rules.Rule{
	Absent, Placeholder, SectionType, NotAllocated, SectionFlags, Misaligned,
	OtherMachine, OtherByteOrder,
	NoSegment, SegmentLarger, SegmentElsewhere, SegmentTwice, NotLoaded, SegmentAlone, SectionTwice,
	Unrelocated, SpareReloc, MisplacedReloc, NoneReloc, RelocType, RelocOrder, DoubleReloc, UndefinedSymbol,
	ELFDamaged, SectionBeyondFile, Compressed, NoBits, RelocsDamaged, ArchiveDamaged, MemberUnreadable, TooLarge,
	InGroup,
}
