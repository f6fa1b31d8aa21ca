package compare

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Unit is an ELF file, archive member or raw section, as far as it is
// compared. It holds no bytes of the file.
type Unit struct {
	Path, Member string
	Status       reader.Status
	Detail       string
	Linked       bool // ET_EXEC or ET_DYN
	Raw          bool // no ELF file
	ABI          model.ABIInfo
	Sections     []Header // of the .sframe sections that have one
	Functions    []Function
	Unknown      int // functions whose start no relocation tells
	Faults       int // what of the sections can't be decoded
	// Symbols are the places of the function symbols that it defines, by
	// name.
	Symbols map[string][]Place
}

// Place is where a symbol is: in a section of a relocatable file, or at an
// address (section -1).
type Place struct {
	Section int
	Value   uint64
}

// Header is what the census tells of a section.
type Header struct {
	model.Header
	BigEndian bool
	Type      uint32 // sh_type, 0 for a raw section
	FDEs      int
	FREs      int
	Bytes     int64
	// Unmerged are further sections behind the first, which a linker that
	// does not know the format has left there; no consumer gets to see them.
	Unmerged int
}

// Name returns the unit's path and member as findings write them.
func (u *Unit) Name() string {
	if u.Member == "" {
		return u.Path
	}
	return u.Path + "(" + u.Member + ")"
}

// Whole tells whether the unit has SFrame data and all of it was understood.
func (u *Unit) Whole() bool {
	return u.Status == reader.StatusOK && len(u.Sections) > 0 && u.Faults == 0 && u.Unknown == 0
}

// Load reads what is compared of a file; archives give a unit a member.
// Errors: I/O.
func Load(path string, opts reader.Options) ([]*Unit, error) {
	var units []*Unit
	err := reader.Scan(path, opts, func(o *reader.Object) error {
		units = append(units, UnitOf(o))
		return nil
	})
	return units, err
}

// UnitOf reads what is compared of an object, while it is visited.
func UnitOf(o *reader.Object) *Unit {
	u := headersOf(o)
	names := namesOf(o)
	u.Symbols = map[string][]Place{}
	for at, all := range names {
		for _, name := range all {
			u.Symbols[name] = append(u.Symbols[name], at)
		}
	}
	for _, sf := range o.SFrames {
		funcs, unknown := functions(o, sf, names)
		u.Functions = append(u.Functions, funcs...)
		u.Unknown += unknown
	}
	slices.SortStableFunc(u.Functions, func(f, g Function) int {
		return cmp.Or(cmp.Compare(f.at.Section, g.at.Section), cmp.Compare(f.Start, g.Start))
	})
	return u
}

// headersOf reads what does not take a look at the functions.
func headersOf(o *reader.Object) *Unit {
	u := &Unit{Path: o.Path, Member: o.Member, Status: o.Status, Detail: o.Detail}
	u.Raw = o.ELF == nil && len(o.SFrames) > 0
	if o.ELF != nil {
		u.Linked = !o.ELF.Relocatable()
		u.ABI = o.ELF.ABI()
	}
	for _, sf := range o.SFrames {
		u.Faults += len(sf.Faults)
		s := sf.Section
		if s == nil {
			continue
		}
		h := Header{Header: s.Header(), BigEndian: s.BigEndian(), FDEs: s.NumFDEs(), FREs: s.NumFREs(),
			Bytes: s.Size(), Unmerged: unmerged(sf)}
		if o.ELF != nil && sf.Index > 0 && sf.Index < len(o.ELF.Sections) {
			h.Type = uint32(o.ELF.Sections[sf.Index].Type)
		}
		u.Sections = append(u.Sections, h)
		u.ABI = s.ABI()
	}
	return u
}

// unmerged counts the sections that stand behind the first one in its bytes,
// each perhaps behind zeros that align it.
func unmerged(sf *reader.SFrame) int {
	n := 0
	for s, data := sf.Section, sf.Data; ; n++ {
		end := max(s.HeaderEnd(), s.FDESubsection().End(), s.FRESubsection().End())
		if end <= 0 || end >= int64(len(data)) {
			return n
		}
		data = data[end:]
		for pad := 0; pad < 7 && len(data) > 0 && data[0] == 0; pad++ {
			data = data[1:]
		}
		if len(data) < 2 || binary.LittleEndian.Uint16(data) != model.SFRAME_MAGIC && binary.BigEndian.Uint16(data) != model.SFRAME_MAGIC {
			return n
		}
		if s, _ = reader.DecodeSection(data, reader.SectionOptions{}); s == nil || !s.Version().Known() {
			return n
		}
	}
}
