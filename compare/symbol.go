package compare

import (
	"debug/elf"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/reader"
)

// maxAliases limits the names of a place.
const maxAliases = 64

// namesOf returns the names of the function symbols that an object defines,
// by place. A place with aliases has several.
func namesOf(o *reader.Object) map[Place][]string {
	names := map[Place][]string{}
	if o.ELF == nil {
		return names
	}
	for i := range o.ELF.Symbols.Len() {
		y, ok := o.ELF.Symbols.Symbol(i)
		if !ok {
			break // the rest can't be read, or the budget is exceeded
		}
		if !isFunc(o.ELF, y) {
			continue
		}
		at := Place{-1, y.Value}
		if o.ELF.Relocatable() {
			at.Section = y.Section
		}
		if len(names[at]) < maxAliases && !slices.Contains(names[at], y.Name) {
			names[at] = append(names[at], y.Name)
		}
	}
	return names
}

// isFunc reports whether a symbol defines a function, by its type or, as
// hand-written assembly often lacks it, by its section. Mapping symbols ($x,
// $d.3) and local labels define none.
func isFunc(e *reader.ELF, y reader.Symbol) bool {
	if y.Section <= 0 || y.Section >= len(e.Sections) || y.Name == "" {
		return false
	}
	switch y.Type {
	case elf.STT_FUNC, elf.STT_GNU_IFUNC:
		return true
	case elf.STT_NOTYPE:
		return e.Sections[y.Section].Flags&elf.SHF_EXECINSTR != 0 &&
			!strings.HasPrefix(y.Name, "$") && !strings.HasPrefix(y.Name, ".L")
	}
	return false
}
