// Package flex parses the data words of flexible FREs ("Flexible FDE Type
// Interpretation") as they are on disk, faults included.
package flex

import "github.com/sframe-lint/sframe-lint/model"

// Entity is a control word and, where it is not padding, an offset word.
type Entity = model.FlexEntity

// Roles, in the order of the words.
const (
	CFA = model.FlexCFA
	RA  = model.FlexRA
	FP  = model.FlexFP
)

// Words is the parsed data words of an FRE.
type Words struct {
	Entities []Entity
	// Used is the number of words of the entities; the rest is left over.
	Used int
}

// Is reports whether the words of an FRE are entities.
func Is(r model.FRE) bool {
	return r.FDEType() == model.SFRAME_FDE_TYPE_FLEX && r.NumWords() > 0
}

// Function reports whether the words of an FDE's FREs are entities.
func Function(f model.FDE) bool { return f.Type() == model.SFRAME_FDE_TYPE_FLEX }

// Parse parses an FRE. The CFA always has a pair of words; RA and FP may have a
// padding word instead.
func Parse(r model.FRE) Words {
	var row Words
	n := r.NumWords()
	for role := CFA; role <= FP && row.Used < n; role++ {
		var e Entity
		e, row.Used = r.FlexEntity(role, row.Used)
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
