// Package compare compares SFrame sections: the output of two producers for the same source, or a linker's inputs
// with its output. It compares meaning by function and PC, not bytes. The version and the encoding do not matter.
package compare

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Unit is one compared part: an ELF file, archive member or raw section. It keeps no bytes of the file, but some
// dozen bytes for each function, FRE and symbol. The budget of the file pays for them.
type Unit struct {
	Path, Member string
	Status       reader.Status
	Detail       string
	Linked       bool // ET_EXEC or ET_DYN
	Raw          bool // not an ELF file
	ABI          model.ABI
	lto          bool     // has GCC's code for link-time optimization
	Sections     []Header // of the .sframe sections that have a header
	Unknown      int      // functions whose start is unknown
	Faults       int      // faults in decoding the sections

	budget *budget.Budget
	near   int // after the function that at returned last
	*contents
}

// contents are the functions of a unit, and what describes them.
type contents struct {
	funcs    []function // by place
	rows     *rowTable
	rules    *ruleTable
	names    *nameTable
	symbols  symbols
	sections []section // that contain functions, by index
}

// empty are the contents of all units without any: archives may have very many.
var empty contents

// Header is the part of a section that the census needs.
type Header struct {
	model.Header
	BigEndian bool
	Type      uint32 // sh_type, 0 for a raw section
	FDEs      int
	FREs      int
	Bytes     int64
	// Unmerged is the number of sections after the first, concatenated by a linker without SFrame support. Consumers
	// do not read them.
	Unmerged int
}

// section is an ELF section that contains functions.
type section struct {
	index int32
	name  string
	addr  uint64 // 0 in a relocatable file
}

// Name returns the unit's path and member in the form of findings.
func (u *Unit) Name() string {
	if u.Member == "" {
		return u.Path
	}
	return u.Path + "(" + u.Member + ")"
}

// Loader reads files for a comparison. Its units share rules and names, so only units of the same loader can be
// compared. The zero value is ready to use.
type Loader struct {
	rules ruleTable
	rows  rowTable
	names nameTable
}

// ruleTable has all rules once.
type ruleTable struct {
	all []Rule
	ids map[Rule]uint32
}

func (t *ruleTable) id(r Rule) uint32 {
	id, ok := t.ids[r]
	if !ok {
		if t.ids == nil {
			t.ids = map[Rule]uint32{}
		}
		id = uint32(len(t.all))
		t.all = append(t.all, r)
		t.ids[r] = id
	}
	return id
}

// rowTable has the rows of functions, once for all whose FDEs say the same of them: of two builds
// of a program, most functions have what others have.
type rowTable struct {
	all  []row
	said nameTable // what FDEs say: see functionReader.said
	at   []rowSpan // where the rows are, by the numbers of said
}

type rowSpan struct{ first, n uint32 }

// of returns the rows of a function, those of one stub for PC type MASK.
func (t *rowTable) of(f *function) []row { return t.all[f.row:][:f.rows] }

// UnitOf reads an object during its visit. Errors: the budget; the unit then lacks functions.
func (l *Loader) UnitOf(o *reader.Object) (*Unit, error) {
	u := headersOf(o)
	u.contents = &empty
	if err := u.budget.Spend(budget.Memory, unitCost+headerCost*int64(len(u.Sections))+int64(len(u.Detail))); err != nil || o.ELF == nil && len(o.SFrames) == 0 {
		return u, err
	}
	u.contents = &contents{rules: &l.rules, rows: &l.rows, names: &l.names}
	if err := u.budget.Spend(budget.Memory, contentsCost); err != nil {
		return u, err
	}
	if err := u.readSymbols(o); err != nil {
		return u, err
	}
	if err := u.readFunctions(o); err != nil {
		return u, err
	}
	byPlace := func(f, g function) int {
		return cmp.Or(cmp.Compare(u.space(&f), u.space(&g)), cmp.Compare(f.start, g.start))
	}
	if !slices.IsSortedFunc(u.funcs, byPlace) {
		slices.SortStableFunc(u.funcs, byPlace)
	}
	return u, nil
}

// Bytes of what a unit has many of.
var (
	unitCost     = int64(reflect.TypeFor[Unit]().Size()) + 100 // in the indices of a comparison
	contentsCost = int64(reflect.TypeFor[contents]().Size())
	headerCost   = int64(reflect.TypeFor[Header]().Size())
	sectionCost  = int64(reflect.TypeFor[section]().Size())
)

// headersOf reads everything but the functions.
func headersOf(o *reader.Object) *Unit {
	u := &Unit{Path: o.Path, Member: o.Member, Status: o.Status, Detail: o.Detail, budget: budget.Of(o.Context)}
	u.Raw = o.ELF == nil && len(o.SFrames) > 0
	if o.ELF != nil {
		u.Linked = !o.ELF.Relocatable()
		u.lto = slices.ContainsFunc(o.ELF.Sections, func(s reader.Section) bool { return strings.HasPrefix(s.Name, ".gnu.lto_") })
		u.ABI = o.ELF.ABI().ID
	}
	for _, sf := range o.SFrames {
		u.Faults += len(sf.Faults)
		s := sf.Section
		if s == nil {
			continue
		}
		h := Header{Header: s.Header(), BigEndian: s.BigEndian(), FDEs: s.NumFDEs(), FREs: s.NumFREs(),
			Bytes: s.Size()}
		for range reader.Following(s, sf.Data) {
			h.Unmerged++
		}
		if o.ELF != nil && sf.Index > 0 && sf.Index < len(o.ELF.Sections) {
			h.Type = uint32(o.ELF.Sections[sf.Index].Type)
		}
		u.Sections = append(u.Sections, h)
		u.ABI = s.ABI().ID
	}
	return u
}

// abi returns the facts of the unit's ABI.
func (u *Unit) abi() model.ABIInfo { return model.LookupABI(u.ABI) }
