package corefile

import (
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/reader"
)

// File returns the file of a path of the program, which need not be mapped.
func (m *Modules) File(path string) *File { return m.open(m.path(path)) }

// Offset returns the offset in the file of the code at one of its addresses. It reports false
// if there is none.
func (f *File) Offset(addr uint64) (uint64, bool) {
	off, ok := f.offset(addr, 1)
	return uint64(off), ok
}

// Address returns the address of the code at an offset in the file. It reports false if no segment
// has code there.
func (f *File) Address(off uint64) (uint64, bool) {
	i := slices.IndexFunc(f.segments, func(s reader.Segment) bool {
		return code(&s) && off >= s.Offset && off-s.Offset < s.Filesz
	})
	if i < 0 {
		return 0, false
	}
	return off - f.segments[i].Offset + f.segments[i].Vaddr, true
}

// Functions returns the addresses of the functions in the file, by the names of their symbols. A
// name that symbols of several addresses have is left out. Errors: the budget.
func (f *File) Functions() (map[string]uint64, error) {
	all, twice := map[string]uint64{}, map[string]bool{}
	if f.symbols == nil {
		return all, nil
	}
	for i := range f.symbols.Len() {
		if typ, ok := f.symbols.Type(i); !ok || typ != elf.STT_FUNC && typ != elf.STT_GNU_IFUNC {
			continue
		}
		y, ok := f.symbols.Symbol(i)
		if !ok || y.Name == "" || y.Section == int(elf.SHN_UNDEF) {
			continue
		}
		if at, known := all[y.Name]; known {
			if at != y.Value {
				twice[y.Name] = true
			}
			continue
		}
		if err := f.budget.Spend(budget.Memory, functionBytes+int64(len(y.Name))); err != nil {
			return nil, err
		}
		all[y.Name] = y.Value
	}
	for name := range twice {
		delete(all, name)
	}
	return all, nil
}

// functionBytes is about what a function takes, besides its name.
const functionBytes = 64
