package model

// FlexRole is the value that an entity of a flexible FRE recovers.
type FlexRole uint8

// Roles, in the order of the words.
const (
	FlexCFA FlexRole = iota
	FlexRA
	FlexFP
)

func (r FlexRole) String() string { return [...]string{"CFA", "RA", "FP"}[r] }

// FlexEntity is a control word and, where it is not padding, an offset word.
type FlexEntity struct {
	Role    FlexRole
	Word    int    // index of the control word in the row
	Control uint32 // the control word
	Whole   bool   // the offset word is there
	Offset  int32  // bytes; on s390x a CFA's offset is scaled
}

// Padding reports whether the entity is a single word 0.
func (e FlexEntity) Padding() bool { return e.Role != FlexCFA && e.Control == 0 }

// RegP reports whether the base is a register; otherwise it is the CFA.
func (e FlexEntity) RegP() bool { return e.Control&FlexRegP != 0 }

// DerefP reports whether the value is loaded from the address base+offset.
func (e FlexEntity) DerefP() bool { return e.Control&FlexDerefP != 0 }

// Reserved reports whether the reserved bit is set.
func (e FlexEntity) Reserved() bool { return e.Control&FlexReserved != 0 }

// Reg returns the DWARF number of the base register.
func (e FlexEntity) Reg() uint32 { return e.Control >> FlexRegShift }

// FlexEntity parses the entity of a role in a flexible FRE, whose control word
// is word k, 0 <= k < NumWords(). It returns the index of the word after it.
// The CFA always has a pair of words; RA and FP may have a padding word
// instead.
func (r FRE) FlexEntity(role FlexRole, k int) (FlexEntity, int) {
	e := FlexEntity{Role: role, Word: k, Control: r.Control(k)}
	if k++; !e.Padding() && k < r.NumWords() {
		e.Whole, e.Offset = true, r.Word(k)
		k++
	}
	return e, k
}
