package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

// Misread finds start fields whose flag says the opposite of what they hold.
var Misread = sound.Rule(rules.Rule{
	ID:       "SF2015",
	Title:    "start fields contradict the PCREL flag",
	Clause:   "SFrame Flags",
	Severity: rules.Error,
	Text: `A start field counts from itself where SFRAME_F_FDE_FUNC_START_PCREL is set, from
the start of the section where it is clear. Here functions land outside of all code and
overlap when the fields are read as the flag says, and fit when they are read the other
way: the flag is wrong. A consumer that goes by the flag finds no function or wrong ones.
Producers that only learned of the flag halfway, and linkers that copy it from their
first input, write such sections.`,
	Fix:  `Set or clear the flag; better, assemble and link all parts with tools of one version.`,
	Good: `PCREL set, sfdi_func_start_offset = function - address of the field`,
	Bad:  `PCREL set, sfdi_func_start_offset = function - address of the section`,
}, func(c *rules.Context) {
	if !misread(c) {
		return
	}
	is, from, other := "clear", "the section's start", "the field itself"
	if pcrel(c.Section) {
		is, from, other = "set", other, from
	}
	c.Header(model.HdrFlags, "SFRAME_F_FDE_FUNC_START_PCREL is %s, so the start fields count from %s; read so, functions lie outside executable sections or overlap, but not where the fields count from %s: the flag is wrong, and consumers find wrong functions or none",
		is, from, other)
})

func pcrel(s *model.Section) bool {
	return s.Header().Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0
}

// misread tells whether the start fields of a linked file make sense only
// when read against the PCREL flag. Rules on starts then have nothing to say.
func misread(c *rules.Context) bool {
	s := c.Section
	text := codeOf(c)
	if len(text) == 0 || distinct(s) && !strays(s, text) {
		return false
	}
	flagged, other := reading{text: text}, reading{text: text}
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		flagged.add(s, f, f.Start())
		field := uint64(f.FieldSpan(model.FDEStart).Off)
		if pcrel(s) {
			field = -field
		}
		other.add(s, f, f.Start()+field)
	}
	// A section of some thousand functions can have a fault or two of its
	// own; in a small one that is wrong as flagged a single one must do.
	// Functions must leave the code as flagged: that some overlap has other
	// causes, and may end where the other way spreads them.
	return flagged.outside > 0 && 20*flagged.faults >= s.NumFDEs() && flagged.faults > 10*other.faults
}

// strays tells whether a function of a section, which are disjoint and in
// order, leaves the code.
func strays(s *model.Section, text code) bool {
	found := false
	suspects(s, text, func(f model.FDE) {
		found = found || !text.holds(f.Start(), f.Size())
	})
	return found
}

// reading counts what is wrong with the functions when their starts are read
// in one way. That some lie outside of the code is not all: the distance
// between two functions changes by the size of an FDE from one way to the
// other, so that most functions of a large section stay in the code but come
// to overlap.
type reading struct {
	text            code
	any             bool
	start           uint64
	size            uint32
	faults, outside int
}

func (r *reading) add(s *model.Section, f model.FDE, start uint64) {
	inside := r.text.holds(start, f.Size())
	descends := start < r.start
	overlaps := !descends && f.Size() > 0 && uint64(r.size) > start-r.start
	if !inside || r.any && (descends && sorted(s) || overlaps) {
		r.faults++
	}
	if !inside {
		r.outside++
	}
	r.any, r.start, r.size = true, start, f.Size()
}
