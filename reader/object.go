package reader

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/model"
)

// Status is the outcome of reading an input.
type Status string

// Outcomes of reading an input. Reports describe each in other words.
const (
	StatusOK           Status = "ok"            // it has SFrame data, which was read
	StatusNoSFrame     Status = "no-sframe"     // an ELF file of a known machine without a .sframe section
	StatusEmpty        Status = "empty"         // a .sframe section of size 0
	StatusOtherClass   Status = "other-class"   // an ELF32 file, for which the format has no ABI, without SFrame data
	StatusOtherMachine Status = "other-machine" // an ELF64 file of a machine without an SFrame ABI, without SFrame data
	StatusIntermediate Status = "intermediate"  // a relocatable file with a compiler's intermediate code instead of machine code
	StatusNotELF       Status = "not-elf"       // neither ELF, archive nor SFrame
	StatusRepeated     Status = "repeated"      // a thin archive's member that was visited before
	StatusDamaged      Status = "damaged"       // its structure or its SFrame data cannot be read
)

// Object is one ELF file, archive member or raw section.
type Object struct {
	Path   string // as given
	Member string // name in the archive, "" for none
	File   string // path of the file of a member of a thin archive, "" if equal to Path
	// Package is the path of the package that contains the file, "" for none. Path is then a name like
	// "p.deb!/usr/bin/x", and offsets count from the start of the unpacked file.
	Package string
	Base    int64 // offset of the object in its file
	Size    int64 // bytes of the object

	Status Status
	Detail string // a phrase with the reason if Status is not StatusOK

	// Context ends when work on the object must stop: at a limit, or when the caller of Scan cancels it.
	Context context.Context

	ELF     *ELF   // nil for a raw section, for a file without an ELF structure, and if Foreign is set
	Foreign string // class and machine of an ELF file that has SFrame data but no ABI
	// ForeignCFI says that a file of another class has .eh_frame. The reader does not read it.
	ForeignCFI bool
	SFrames    []*SFrame // the .sframe sections that can be read, in section header order
	Faults     []Fault   // faults of the container; spans count from the object's start

	look    sync.Once // for what follows
	located *SFrame   // see Located
	kernel  bool      // see Kernel

	src source // nil reader for an archive that is damaged
}

// Linked reports whether the object is a linked ELF file.
func (o *Object) Linked() bool { return o.ELF != nil && !o.ELF.Relocatable() }

// Relocatable reports whether the object is a relocatable ELF file, whose functions have no addresses yet.
func (o *Object) Relocatable() bool { return o.ELF != nil && o.ELF.Relocatable() }

// HasSection reports whether the object is an ELF file with a section of this name.
func (o *Object) HasSection(name string) bool {
	return o.ELF != nil && slices.ContainsFunc(o.ELF.Sections, func(s Section) bool { return s.Name == name })
}

// Bolted reports whether BOLT has rewritten a linked file. BOLT changes code and .eh_frame but not .sframe.
func (o *Object) Bolted() bool { return o.Linked() && len(o.ELF.BoltSections()) > 0 }

// Address formats a PC. In a relocatable file, place is the index of its section, and the PC is an offset there.
func (o *Object) Address(place uint32, pc uint64) string {
	if !o.Relocatable() || int(place) >= len(o.ELF.Sections) {
		return fmt.Sprintf("0x%x", pc)
	}
	return fmt.Sprintf("%s+0x%x", o.ELF.Sections[place].Name, pc)
}

// Hold reserves n bytes of the memory budget for a user of the object, until the visit ends. It returns an error if
// the budget is exceeded.
func (o *Object) Hold(n int64) error {
	if o.src.account == nil {
		return nil
	}
	return o.src.hold(n)
}

// Drop releases n bytes that Hold has reserved.
func (o *Object) Drop(n int64) {
	if o.src.account != nil {
		o.src.drop(n)
	}
}

// Step adds n entries, FDEs, FREs or instructions to the work on the object. It returns an error if the budget is
// exceeded.
func (o *Object) Step(n int64) error { return budget.Of(o.Context).Step(n) }

// Err returns the reason why work on the object must stop, or nil. Only objects from a scan have limits.
func (o *Object) Err() error { return budget.Of(o.Context).Err() }

// Reader returns a reader of the object's bytes, without bytes beyond the object. Use it only while the object is
// visited. Bytes of a .sframe section are as they were decoded; others are read from the file again.
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

// SFrame is one .sframe section of an object, or the PT_GNU_SFRAME segment of a file without section headers.
type SFrame struct {
	Name   string // section name, "" for a raw section and a segment
	Index  int    // section header index, 0 for a raw section and a segment
	Offset int64  // bytes from the start of the object to the data
	Data   []byte // the section's bytes; must not be modified

	Section *model.Section // nil if the section is empty or its header could not be decoded
	Faults  []Fault        // faults of the section
	Relocs  []Reloc        // in a relocatable file, the relocations of this section, in file order
	// RelocIndex is the section header index of the relocation section, 0 for
	// none.
	RelocIndex int

	survey *model.Survey
}

// Survey returns a summary of the FDEs and FREs for rules. It is nil if Section is nil. If a caller has set Section
// itself, every call decodes the section again: use [DecodeSFrame] instead.
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

// FaultsOf returns the section's faults with a code.
func (f *SFrame) FaultsOf(code FaultCode) iter.Seq[Fault] {
	return func(yield func(Fault) bool) {
		for _, x := range f.Faults {
			if x.Code == code && !yield(x) {
				return
			}
		}
	}
}

// Reloc is a RELA relocation that applies to a .sframe section.
type Reloc struct {
	Offset int64      // of the field in the .sframe section, bytes
	Entry  model.Span // the entry's bytes in the object
	Type   uint32
	Symbol uint32 // index into the symbol table
	Addend int64
}

// ELF is the structure of an ELF64 file, as far as rules need it.
type ELF struct {
	Type     elf.Type
	Machine  elf.Machine
	Flags    uint32
	Entry    uint64 // address at which a program starts, 0 if the file has none
	Order    binary.ByteOrder
	Sections []Section // in section header order, index 0 included
	Segments []Segment
	Symbols  *Symbols // .symtab, otherwise .dynsym with .gnu_debugdata, otherwise empty

	src    source
	atOnce sync.Once
	at     intervals // sections of a linked file by address
	found  parts     // see parts
}

// Section is a section header. Sizes and offsets are those of the header and may be beyond the file.
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

	nameOff  uint32 // sh_name
	prefixed bool   // see IsSFrame
	foreign  bool   // the type means something else: see isForeign
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

// Constants that debug/elf does not define.
const (
	PT_GNU_SFRAME  elf.ProgType    = 0x6474e554
	SHT_GNU_SFRAME elf.SectionType = 0x6ffffff4
)

// Options control reading and limit its cost.
type Options struct {
	// Section names sections that contain SFrame data, in addition to those for which IsSFrame reports true. "" names
	// none.
	Section string
	// RawAddress is the address of a raw section's first byte.
	RawAddress uint64
	// Raw says that the input is a raw section, regardless of its first bytes.
	Raw bool
	// ThinRoots are directories. A member of a thin archive is read only if its file is below one of them or below
	// the archive's directory, after symbolic links are resolved. Other members have the fault MemberUnreadable.
	ThinRoots []string
	// Skip, unless nil, reports whether to skip a file in a package. Its path begins with that of the package.
	Skip func(path string) bool
	// OneBudget applies the limits to all files of a package together instead of to each.
	OneBudget bool
	// NoSurvey omits the survey. Decoding then needs less memory; rules and consumers give the same results but are
	// slower.
	NoSurvey bool
	// Context, unless nil, stops reading when it is done.
	Context context.Context
	// Limits bound the cost of reading.
	Limits Limits

	inside *enclosing // what the file is in, nil for nothing
	inMini bool       // the file was in the .gnu_debugdata of another
}

// Limits bound the cost of reading a file, for example Limits{MaxMemory: 64 << 20}. 0 means the default (see
// docs/limits.md), a negative number no limit. The fault BudgetExceeded or SectionTooLarge says what was not read.
type Limits = [budget.NumKinds]int64

// Indices of [Limits].
const (
	MaxSection = int(budget.Section) // bytes of a .sframe section, at most 2 GiB
	MaxMemory  = int(budget.Memory)  // bytes held at once
	MaxRead    = int(budget.Read)    // bytes read
	MaxWork    = int(budget.Work)    // entries of tables, FDEs and FREs visited
	MaxNames   = int(budget.Names)   // bytes of names held
)
