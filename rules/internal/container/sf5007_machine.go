package container

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// OtherMachine finds sections for a machine other than the file's.
var OtherMachine = rules.New(rules.Rule{
	ID:       "SF5007",
	Title:    "ABI contradicts the ELF machine",
	Clause:   "SFrame ABI/arch Identifier",
	Severity: rules.Error,
	Text: `sfh_abi_arch is the machine by whose registers and conventions the FREs are
encoded; e_machine is the machine for which the code is built. If they differ, an
unwinder misinterprets the FREs. Few readers compare the two. The cause may be a
linker that takes the identifier from its first input.`,
	Fix:  `Find the input that was built for another target, or the tool that wrote the identifier.`,
	Good: `e_machine = EM_X86_64, sfh_abi_arch = 3 (AMD64)`,
	Bad:  `e_machine = EM_X86_64, sfh_abi_arch = 2 (AArch64)`,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	if c.Object.ELF != nil && otherMachine(c) {
		c.Header(model.HdrABI, "sfh_abi_arch is %d (%s), but e_machine is %v: an unwinder reads the FREs by the conventions of another machine", uint8(abi.ID), abi.Spec, c.Object.ELF.Machine)
	}
})

// otherMachine reports whether the section's machine is known and differs from
// the ELF file's.
func otherMachine(c *rules.Context) bool {
	abi := c.Section.ABI()
	return abi.Known() && abi.Machine != c.Object.ELF.Machine
}
