package container

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// OtherMachine finds sections for another machine than the file's.
var OtherMachine = rules.New(rules.Rule{
	ID:       "SF5007",
	Title:    "ABI contradicts the ELF machine",
	Clause:   "SFrame ABI/arch Identifier",
	Severity: rules.Error,
	Text: `sfh_abi_arch names the machine whose registers and conventions the rows are
written in; e_machine names the machine that the code is for. Where they differ, an
unwinder takes the rows for what they are not. Few readers compare the two, and a linker
that takes the identifier from its first input can bring them apart.`,
	Fix:  `Find the input that was built for another target, or the tool that wrote the identifier.`,
	Good: `e_machine = EM_X86_64, sfh_abi_arch = 3 (AMD64)`,
	Bad:  `e_machine = EM_X86_64, sfh_abi_arch = 2 (AArch64)`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	if c.Object.ELF != nil && otherMachine(c) {
		c.Header(model.HdrABI, "sfh_abi_arch is %d (%s), e_machine is %v: an unwinder reads the rows by the conventions of another machine", uint8(abi.ID), abi.Spec, c.Object.ELF.Machine)
	}
})

// otherMachine tells whether the section names a machine, and not the ELF
// file's.
func otherMachine(c *rules.Context) bool {
	abi := c.Section.ABI()
	return abi.Known() && abi.Machine != c.Object.ELF.Machine
}
