// Package flex parses the data words of flexible FREs ("Flexible FDE Type
// Interpretation") as they are on disk, faults included.
package flex

import "github.com/sframe-lint/sframe-lint/model"

// Role is the value that an entity recovers.
type Role uint8

// Roles, in the order of the words.
const (
	CFA Role = iota
	RA
	FP
)

func (r Role) String() string { return [...]string{"CFA", "RA", "FP"}[r] }

// Entity is a control word and, where it is not padding, an offset word.
type Entity struct {
	Role    Role
	Word    int    // index of the control word in the row
	Control uint32 // the control word
	Whole   bool   // the offset word is there
	Offset  int32  // bytes; on s390x a CFA's offset is scaled
}

// Padding reports whether the entity is a single word 0.
func (e Entity) Padding() bool { return e.Role != CFA && e.Control == 0 }

// RegP reports whether the base is a register; otherwise it is the CFA.
func (e Entity) RegP() bool { return e.Control&model.FlexRegP != 0 }

// DerefP reports whether the value is loaded from the address base+offset.
func (e Entity) DerefP() bool { return e.Control&model.FlexDerefP != 0 }

// Reserved reports whether the reserved bit is set.
func (e Entity) Reserved() bool { return e.Control&model.FlexReserved != 0 }

// Reg returns the DWARF number of the base register.
func (e Entity) Reg() uint32 { return e.Control >> model.FlexRegShift }

// Row is the parsed data words of an FRE.
type Row struct {
	Entities []Entity
	// Used is the number of words of the entities; the rest is left over.
	Used int
}

// Is reports whether the words of an FRE are entities.
func Is(r model.FRE) bool {
	return r.FDEType() == model.SFRAME_FDE_TYPE_FLEX && r.NumWords() > 0
}

// Parse parses an FRE. The CFA always has a pair of words; RA and FP may have a
// padding word instead.
func Parse(r model.FRE) Row {
	var row Row
	n := r.NumWords()
	for role := CFA; role <= FP && row.Used < n; role++ {
		e := Entity{Role: role, Word: row.Used, Control: r.Control(row.Used)}
		row.Used++
		if !e.Padding() && row.Used < n {
			e.Whole, e.Offset = true, r.Word(row.Used)
			row.Used++
		}
		row.Entities = append(row.Entities, e)
	}
	return row
}

// Any reports whether an entity of the FRE satisfies bad.
func Any(r model.FRE, bad func(Entity) bool) bool {
	if !Is(r) {
		return false
	}
	for _, e := range Parse(r).Entities {
		if bad(e) {
			return true
		}
	}
	return false
}
