package compare

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// encodings returns the differences between the headers and sizes of two units' sections.
func encodings(a, b *Unit) (all []Difference) {
	add := func(x, y string) {
		if x != y {
			all = append(all, Difference{Kind: Encoding, A: x, B: y})
		}
	}
	if len(a.Sections) != len(b.Sections) {
		add(rules.Count(len(a.Sections), "section"), rules.Count(len(b.Sections), "section"))
	}
	for i := range min(len(a.Sections), len(b.Sections)) {
		x, y := a.Sections[i].encoding(), b.Sections[i].encoding()
		for k := range x {
			add(x[k], y[k])
		}
	}
	return all
}

// encoding returns what a section's header says, in words.
func (h *Header) encoding() []string {
	order := "little-endian"
	if h.BigEndian {
		order = "big-endian"
	}
	flags := strings.Join(h.Flags.Names(), ", ")
	if flags == "" {
		flags = "none"
	}
	return []string{
		fmt.Sprintf("version %d", h.Version),
		"flags " + flags,
		"ABI " + model.LookupABI(h.ABI).Name + " " + order,
		"sh_type " + typeName(h.Type),
		fmt.Sprintf("fixed FP offset %d, fixed RA offset %d", h.FixedFPOffset, h.FixedRAOffset),
		fmt.Sprintf("auxiliary header of %d bytes", h.AuxLen),
		rules.Count(h.FDEs, "FDE"),
		rules.Count(h.FREs, "FRE"),
		fmt.Sprintf("%d bytes", h.Bytes),
	}
}
