package fde

import "github.com/sframe-lint/sframe-lint/reader"

// sectionAt describes the place of an address in a linked file.
func sectionAt(e *reader.ELF, addr uint64) string {
	if i, ok := e.SectionAt(addr); ok && e.Sections[i].Name != "" {
		return "in " + e.Sections[i].Name
	}
	return "in no section"
}
