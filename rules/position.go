package rules

import (
	"fmt"
	"go/token"
)

// Positions of diagnostics count bytes. Two ranges of token.Pos are used:
// one for the section's bytes, one for the object's. They are computed, not
// asked of a token.File, which would cut them to its size.
const (
	sectionBase = token.Pos(1)
	fileBase    = token.Pos(1 << 40)
)

func sectionPos(off int64) token.Pos { return sectionBase + token.Pos(off) }

func filePos(off int64) token.Pos { return fileBase + token.Pos(off) }

// SectionPos returns the position of a byte of the section, for rules that
// build their own diagnostics.
func SectionPos(off int64) token.Pos { return sectionPos(off) }

// FilePos returns the position of a byte of the object.
func FilePos(off int64) token.Pos { return filePos(off) }

// offsetOf splits a position.
func offsetOf(p token.Pos) (off int64, inSection bool) {
	if p >= fileBase {
		return int64(p - fileBase), false
	}
	return int64(p - sectionBase), true
}

// Place says which FDE and FRE a finding is about, -1 for none. It travels
// in a diagnostic's category.
type Place struct{ FDE, FRE int }

func (p Place) category() string {
	switch {
	case p.FDE < 0:
		return ""
	case p.FRE < 0:
		return fmt.Sprintf("FDE %d", p.FDE)
	}
	return fmt.Sprintf("FDE %d FRE %d", p.FDE, p.FRE)
}

// Category returns the category of a diagnostic about the place, for rules
// that build their own diagnostics.
func (p Place) Category() string { return p.category() }

func parsePlace(category string) Place {
	p := Place{-1, -1}
	if n, _ := fmt.Sscanf(category, "FDE %d FRE %d", &p.FDE, &p.FRE); n == 0 {
		return Place{-1, -1}
	}
	return p
}
