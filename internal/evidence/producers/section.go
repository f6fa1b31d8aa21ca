package producers

import (
	"debug/elf"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/machinecode"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// FunctionSection returns the name of the section that a function is in, "" if it is not known.
func FunctionSection(e *reader.ELF, f model.FDE) string {
	if len(e.Sections) == 0 {
		return sectionByCode(e, f)
	}
	if section, _, _ := e.Within(f.Place(), f.Start()); section > 0 && section < len(e.Sections) {
		return e.Sections[section].Name
	}
	return ""
}

// sectionByCode returns .plt.got for stubs that push nothing, where the file has no section headers; "" for other code.
func sectionByCode(e *reader.ELF, f model.FDE) string {
	s := stubAt(e, f.Start())
	if s == nil || e.Machine != elf.EM_X86_64 || f.PCType() != model.SFRAME_FDE_PCTYPE_MASK || slices.ContainsFunc(s.Insns, func(i machinecode.StubInsn) bool { return i.CFA != s.Insns[0].CFA }) {
		return ""
	}
	return ".plt.got"
}

// stubAt returns the stub of a PLT that loaded code begins with, nil if there is none.
func stubAt(e *reader.ELF, start uint64) *machinecode.Stub {
	const largest = 32 // bytes of a stub
	code, err := e.Part(0, start, largest, nil)
	if err != nil {
		return nil
	}
	return machinecode.StubAt(e.Machine, code, true)
}

// LikeStubs reports whether a function of a file without section headers has the code and the size of stubs of a PLT.
func LikeStubs(e *reader.ELF, start, size uint64) bool {
	if len(e.Sections) > 0 {
		return false
	}
	s := stubAt(e, start)
	return s != nil && size%s.Size() == 0
}
