package crosscheck

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/proof"
)

// isPLT reports whether a section contains a linker's stubs.
func isPLT(s *reader.Section) bool {
	return isCode(s) && proof.Stubs(s.Name)
}

// plts lists the sections of a linked file that contain stubs.
func plts(c *rules.Context) []*reader.Section {
	var all []*reader.Section
	for i := range c.Object.ELF.Sections {
		if s := &c.Object.ELF.Sections[i]; isPLT(s) {
			all = append(all, s)
		}
	}
	return all
}

// pltAlone reports whether all functions of a linked file's section are stubs.
func pltAlone(c *rules.Context) bool {
	if !c.Linked() || c.Section.NumFDEs() == 0 {
		return false
	}
	var all reader.AddrRanges
	for _, s := range plts(c) {
		all = all.With(s.Addr, s.Size)
	}
	all = all.Normal()
	// A PLT has few FDEs, so the first that is not in it comes soon.
	for i := range c.Section.NumFDEs() {
		if _, ok := all.At(c.Section.FDE(i).Start()); !ok {
			return false
		}
	}
	return true
}

// covered returns the addresses that the functions of a section cover.
func covered(s *model.Section) reader.AddrRanges {
	var all reader.AddrRanges
	for i := range s.NumFDEs() {
		if f := s.FDE(i); f.Resolved() {
			all = all.With(f.Start(), uint64(f.Size()))
		}
	}
	return all.Normal()
}
