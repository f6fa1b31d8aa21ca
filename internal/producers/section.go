package producers

import (
	"bytes"
	"debug/elf"

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

// gotStubs is how the stubs of .plt.got begin: they jump by an entry of the GOT and push nothing.
var gotStubs = [][]byte{{0xff, 0x25}, {0xf2, 0xff, 0x25}, {0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25}, {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25}}

// sectionByCode returns the name of the section that a function has come from, by its code, where the file has no
// section headers; "" if the code does not show it.
func sectionByCode(e *reader.ELF, f model.FDE) string {
	if e.Machine != elf.EM_X86_64 || f.PCType() != model.SFRAME_FDE_PCTYPE_MASK {
		return ""
	}
	const stub = 16 // bytes, at most
	code, err := e.Part(0, f.Start(), min(uint64(f.Size()), stub), nil)
	if err != nil {
		return ""
	}
	for _, s := range gotStubs {
		rest, ok := bytes.CutPrefix(code, s)
		const target, push = 4, 0x68
		if ok && (len(rest) <= target || rest[target] != push) {
			return ".plt.got"
		}
	}
	return ""
}
