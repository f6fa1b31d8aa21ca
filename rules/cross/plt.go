package cross

import (
	"strings"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// isPLT tells whether a section holds a linker's stubs.
func isPLT(s *reader.Section) bool {
	return isCode(s) && (s.Name == ".iplt" || s.Name == ".plt" || strings.HasPrefix(s.Name, ".plt."))
}

// plts lists the sections of a linked file that hold stubs.
func plts(c *rules.Context) []*reader.Section {
	var all []*reader.Section
	for i := range c.Object.ELF.Sections {
		if s := &c.Object.ELF.Sections[i]; isPLT(s) {
			all = append(all, s)
		}
	}
	return all
}

// pltAlone tells whether all functions of a linked file's section are stubs.
func pltAlone(c *rules.Context) bool {
	if !c.Linked() || c.Section.NumFDEs() == 0 {
		return false
	}
	all := plts(c)
	// A PLT has few FDEs, so the first that is not in it comes soon.
	for i := range c.Section.NumFDEs() {
		if !inside(all, c.Section.FDE(i).Start()) {
			return false
		}
	}
	return true
}

func inside(all []*reader.Section, addr uint64) bool {
	for _, s := range all {
		if addr-s.Addr < s.Size {
			return true
		}
	}
	return false
}
