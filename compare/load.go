package compare

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Unit is the part of an ELF file, archive member or raw section that is
// compared. It keeps no bytes of the file.
type Unit struct {
	Path, Member string
	Status       reader.Status
	Detail       string
	Linked       bool // ET_EXEC or ET_DYN
	Raw          bool // not an ELF file
	ABI          model.ABIInfo
	Sections     []Header // of the .sframe sections that have one
	Functions    []Function
	Unknown      int // functions whose start is unknown
	Faults       int // faults in decoding the sections
	// Symbols has the places of the defined function symbols, by name.
	Symbols map[string][]Place
}

// Place is the place of a symbol: in a section of a relocatable file, or at an
// address (section -1).
type Place struct {
	Section int
	Value   uint64
}

// Header is the part of a section that the census needs.
type Header struct {
	model.Header
	BigEndian bool
	Type      uint32 // sh_type, 0 for a raw section
	FDEs      int
	FREs      int
	Bytes     int64
	// Unmerged is the number of sections after the first, which a linker without
	// SFrame support has concatenated. No consumer reads them.
	Unmerged int
}

// Name returns the unit's path and member as findings write them.
func (u *Unit) Name() string {
	if u.Member == "" {
		return u.Path
	}
	return u.Path + "(" + u.Member + ")"
}

// Whole reports whether the unit has SFrame data and all of it was decoded.
func (u *Unit) Whole() bool {
	return u.Status == reader.StatusOK && len(u.Sections) > 0 && u.Faults == 0 && u.Unknown == 0
}

// Load reads a file for comparison. Archives have a unit for each member.
// Errors: I/O.
func Load(path string, opts reader.Options) ([]*Unit, error) {
	var units []*Unit
	err := reader.Scan(path, opts, func(o *reader.Object) error {
		units = append(units, UnitOf(o))
		return nil
	})
	return units, err
}

// UnitOf reads an object for comparison, while it is visited.
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

// headersOf reads everything but the functions.
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

// unmerged counts the sections after the first one in its bytes. Zeros for
// alignment may precede each.
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
