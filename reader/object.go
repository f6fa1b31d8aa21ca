package reader

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"io"
	"sync"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/model"
)

// Status is what became of an input.
type Status string

// Outcomes of reading an input; each has its own wording in reports.
const (
	StatusOK           Status = "ok"            // it has SFrame data, which was read
	StatusNoSFrame     Status = "no-sframe"     // an ELF file of a known machine without a .sframe section
	StatusEmpty        Status = "empty"         // a .sframe section of size 0
	StatusOtherClass   Status = "other-class"   // ELF32, for which the format has no ABI, without SFrame data
	StatusOtherMachine Status = "other-machine" // ELF64 of a machine without an SFrame ABI, without SFrame data
	StatusNotELF       Status = "not-elf"       // neither ELF, archive nor SFrame
	StatusRepeated     Status = "repeated"      // a thin archive's member that was passed on before
	StatusNotRead      Status = "not-read"      // an archive at a place where archives are not read
	StatusDamaged      Status = "damaged"       // its structure or its SFrame data cannot be read
)

// Object is one ELF file, archive member or raw section.
type Object struct {
	Path   string // as given
	Member string // name in the archive, "" outside of one
	File   string // the file that a thin archive names, "" where it is Path
	Base   int64  // offset of the object in its file
	Size   int64  // bytes of the object

	Status Status
	Detail string // why, for other states than StatusOK; one phrase

	// Budget is the account of the file, for those who use the object while it
	// is visited; nil has no limits.
	Budget *budget.Budget

	ELF     *ELF      // nil for a raw section, where there is none, and where Foreign is set
	Foreign string    // class and machine of an ELF file without an ABI that has SFrame data nevertheless
	SFrames []*SFrame // the .sframe sections that can be read, in section header order
	Faults  []Fault   // of the container; spans count from the object's start

	src source // nil reader for an archive that is damaged
}

// Hold counts n bytes of memory that a user of the object takes, until the object has
// been visited. Errors: the budget.
func (o *Object) Hold(n int64) error {
	if o.src.account == nil {
		return nil
	}
	return o.src.hold(n)
}

// Reader returns a reader of bytes of the object, while it is visited: of those of a
// .sframe section as they were decoded, and of others as they are in the file now.
// Bytes that the object does not have are left out.
func (o *Object) Reader(sp model.Span) io.Reader {
	for _, s := range o.SFrames {
		if from := sp.Off - s.Offset; from >= 0 && from+sp.Len <= int64(len(s.Data)) {
			return bytes.NewReader(s.Data[from : from+sp.Len])
		}
	}
	if o.src.r == nil {
		return bytes.NewReader(nil)
	}
	sp = sp.Clip(o.src.size)
	return io.NewSectionReader(o.src.r, o.src.base+sp.Off, sp.Len)
}

// SFrame is one .sframe section of an object. A file without section headers
// has its PT_GNU_SFRAME segment instead.
type SFrame struct {
	Name   string // section name, "" for a raw section and a segment
	Index  int    // in the section headers, 0 for a raw section and a segment
	Offset int64  // of the data in the object, bytes
	Data   []byte // the section's bytes, none for an empty one; not to be modified

	Section *model.Section // nil for an empty section and where not even the header could be decoded
	Faults  []Fault        // of the section
	Relocs  []Reloc        // ET_REL: what applies to this section, in file order
	// RelocIndex is the section header index of the relocation section, 0
	// where there is none.
	RelocIndex int

	survey *model.Survey
}

// Survey returns a summary of the FDEs and FREs, which rules query. It is nil
// where Section is nil. Where a caller has set Section, every call decodes it
// again: use [DecodeSFrame].
func (f *SFrame) Survey() *model.Survey {
	if s := f.Section; s != nil && !f.survey.Of(s) {
		first, size := s.FDESubsection().Off, int64(model.FDESize(s.Version()))
		start := func(off int64, _ int) model.Start {
			x := s.FDE(int((off - first) / size))
			return model.Start{Addr: x.Start(), Place: uint32(x.Place()), OK: x.Resolved()}
		}
		return DecodeSFrame(s.Bytes(model.Span{Len: s.Size()}), SectionOptions{Relocatable: true, Start: start}).survey
	}
	return f.survey
}

// Reloc is a RELA relocation that applies to a .sframe section.
type Reloc struct {
	Offset int64      // of the field, in the .sframe section
	Entry  model.Span // bytes of the entry in the object
	Type   uint32
	Symbol uint32 // index into the symbol table
	Addend int64
}

// ELF is the structure of an ELF64 file, as far as rules need it.
type ELF struct {
	Type     elf.Type
	Machine  elf.Machine
	Flags    uint32
	Order    binary.ByteOrder
	Sections []Section // in section header order, index 0 included
	Segments []Segment
	Symbols  *Symbols // .symtab, else .dynsym, else empty

	src    source
	atOnce sync.Once
	at     intervals // sections of a linked file by address
}

// Section is a section header. Sizes and offsets are as the header says,
// not checked against the file.
type Section struct {
	Name      string
	Type      elf.SectionType
	Flags     elf.SectionFlag
	Addr      uint64
	Offset    uint64
	Size      uint64
	Link      uint32
	Info      uint32
	AddrAlign uint64
	EntSize   uint64
	Header    model.Span // bytes of the section header in the object

	nameOff uint32 // sh_name
}

// Segment is a program header.
type Segment struct {
	Type   elf.ProgType
	Flags  elf.ProgFlag
	Offset uint64
	Vaddr  uint64
	Filesz uint64
	Memsz  uint64
	Align  uint64
	Header model.Span // bytes of the program header in the object
}

// PT_GNU_SFRAME and SHT_GNU_SFRAME, which debug/elf does not define.
const (
	PT_GNU_SFRAME  elf.ProgType    = 0x6474e554
	SHT_GNU_SFRAME elf.SectionType = 0x6ffffff4
)

// Options bound and steer reading.
type Options struct {
	// RawAddress is the address of a raw section's first byte.
	RawAddress uint64
	// Raw tells that the input is a section by itself, whatever its first
	// bytes look like.
	Raw bool
	// MaxSection is the largest .sframe section that is read, in bytes; 0
	// means DefaultMaxSection, and below 0 any up to 2 GiB, beyond which no
	// section is read.
	MaxSection int64
	// ThinRoots are directories. The members of a thin archive are read if their
	// files are, symbolic links resolved, below one of them or below the archive's
	// directory; others have the fault MemberUnreadable.
	ThinRoots []string
	// NoSurvey leaves out what only rules and consumers need, to whom such an object is
	// the same, but slower to check. Decoding then takes less memory.
	NoSurvey bool
	// Budget bounds what reading costs, and ends it when its context ends; nil
	// stands for one of the default limits, without such a context.
	Budget *budget.Budget
}

// DefaultMaxSection bounds a .sframe section: 1 GiB, far beyond any real one.
const DefaultMaxSection = budget.DefaultSection
