package compare

import (
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
	ABI          *model.ABIInfo
	Sections     []Header // of the .sframe sections
	Functions    []Function
	Unknown      int // functions whose start no relocation tells
	// Symbols are the names of the function symbols that it defines.
	Symbols map[string]bool
}

// Header is what the census tells of a section.
type Header struct {
	model.Header
	BigEndian bool
	Type      uint32 // sh_type, 0 for a raw section
	FDEs      int
	FREs      int
	Bytes     int64
}

// Name returns the unit's path and member as findings write them.
func (u *Unit) Name() string {
	if u.Member == "" {
		return u.Path
	}
	return u.Path + "(" + u.Member + ")"
}

// Load reads what is compared of a file; archives give a unit a member.
// Errors: I/O.
func Load(path string, opts reader.Options) ([]*Unit, error) {
	var units []*Unit
	err := reader.Scan(path, opts, func(o *reader.Object) error {
		units = append(units, unitOf(o))
		return nil
	})
	return units, err
}

func unitOf(o *reader.Object) *Unit {
	u := &Unit{Path: o.Path, Member: o.Member, Status: o.Status, Detail: o.Detail, Symbols: map[string]bool{}}
	if o.ELF != nil {
		u.Linked = !o.ELF.Relocatable()
		u.ABI = o.ELF.ABI()
		for i := range o.ELF.Symbols.Len() {
			if y, ok := o.ELF.Symbols.Symbol(i); ok && isFunc(y) {
				u.Symbols[y.Name] = true
			}
		}
	}
	for _, sf := range o.SFrames {
		s := sf.Section
		if s == nil {
			continue
		}
		h := Header{Header: s.Header(), BigEndian: s.BigEndian(), FDEs: s.NumFDEs(), FREs: s.NumFREs(), Bytes: s.Size()}
		if o.ELF != nil && sf.Index > 0 && sf.Index < len(o.ELF.Sections) {
			h.Type = uint32(o.ELF.Sections[sf.Index].Type)
		}
		u.Sections = append(u.Sections, h)
		u.ABI = s.ABI()
		funcs, unknown := Functions(o, sf)
		u.Functions = append(u.Functions, funcs...)
		u.Unknown += unknown
	}
	return u
}
