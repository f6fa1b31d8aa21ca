package plausible

import (
	"debug/elf"
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// maxCode is the largest code section that is read to see how functions end.
const maxCode = 256 << 20

// ReturnState finds functions whose last instruction returns while their
// last row still describes a frame.
var ReturnState = rules.New(rules.Rule{
	ID:       "SF3109",
	Title:    "function returns with its frame still set up",
	Clause:   "ABI/arch-specific Definition",
	Severity: rules.Warning,
	Text: `When a function executes its return instruction, SP is back where the call
left it: the CFA is rsp+8 on AMD64, sp+0 on AArch64, r15+160 on s390x. Where the
function's last instruction is a return and the last row says otherwise, a tracer that
stops there, in a profile say, takes the wrong words for RA.`,
	Fix:  `Correct the last row, or the CFI of the function's epilogue.`,
	Good: `AMD64: the row that covers "ret": CFA = rsp+8`,
	Bad:  `AMD64: the row that covers "ret": CFA = rsp+16`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	bad := func(r model.FRE) bool {
		row := r.Row()
		return sound(r, row, abi) && !entryCFA(row, abi) && !returnsByRegister(row)
	}
	if c.Object.ELF == nil || !c.Section.Survey().AnyLastRow(bad) {
		return
	}
	code := codeReader{c: c, sections: map[int][]byte{}}
	c.EachFDE(func(f model.FDE) {
		if f.PCType() != model.SFRAME_FDE_PCTYPE_INC || f.Size() == 0 {
			return
		}
		last, ok := lastRow(f)
		if !ok || !bad(last) || last.Start() >= f.Size() || !returns(code.tail(f), abi) {
			return
		}
		c.FRE(last, last.Span(), "the function's last instruction is a return, but the last row says CFA = %s; at a return it is %s+%d on %s",
			last.Row().CFA.Format(abi), abi.SPName, abi.EntryCFA, abi.Name)
	})
})

func lastRow(f model.FDE) (last model.FRE, ok bool) {
	for r := range f.FREs() {
		last, ok = r, true
	}
	return last, ok && f.NumFREs() == int(f.ClaimedFREs())
}

// returns tells whether code ends with a return instruction.
func returns(code []byte, abi *model.ABIInfo) bool {
	n := len(code)
	switch abi.Machine {
	case elf.EM_X86_64:
		// Three bytes in front keep an immediate operand from passing for
		// a return: what ends in one is longer.
		return n >= 1 && code[n-1] == 0xc3 && !operand(code)
	case elf.EM_AARCH64:
		if n < 4 {
			return false
		}
		// Instructions are little-endian whatever the data are.
		switch binary.LittleEndian.Uint32(code[n-4:]) {
		case 0xd65f03c0, 0xd65f0bff, 0xd65f0fff: // ret, retaa, retab
			return true
		}
	case elf.EM_S390:
		return n >= 2 && binary.BigEndian.Uint16(code[n-2:]) == 0x07fe // br %r14
	}
	return false
}

// operand tells whether the last byte of AMD64 code looks like the end of a
// call's or a jump's operand.
func operand(code []byte) bool {
	n := len(code)
	return n >= 5 && (code[n-5] == 0xe8 || code[n-5] == 0xe9) || n >= 2 && code[n-2] == 0xeb
}

// codeReader reads the sections that functions stand in, each once.
type codeReader struct {
	c        *rules.Context
	sections map[int][]byte
}

// tail returns the last bytes of the function's code, none where they can't
// be had.
func (r *codeReader) tail(f model.FDE) []byte {
	e := r.c.Object.ELF
	i, off := f.Place(), f.Start()
	if !r.c.Relocatable() {
		var ok bool
		if i, ok = e.SectionAt(f.Start()); !ok {
			return nil
		}
		off -= e.Sections[i].Addr
	}
	data, seen := r.sections[i]
	if !seen {
		data, _ = e.SectionData(i, maxCode)
		r.sections[i] = data
	}
	end := off + uint64(f.Size())
	if end < off || end > uint64(len(data)) {
		return nil
	}
	return data[max(off, end-min(end, 8)):end]
}
