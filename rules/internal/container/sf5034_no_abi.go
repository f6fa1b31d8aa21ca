package container

import (
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// NoABI finds files with SFrame data for which the format has no ABI.
var NoABI = rules.New(rules.Rule{
	ID:       "SF5034",
	Title:    "file without an SFrame ABI",
	Severity: rules.Error,
	Scope:    rules.PerObject,
	Text: `The format has ABIs for 64-bit ELF files of a few machines and byte orders.
This file is another one, so no sfh_abi_arch is right for it. Linkers and unwinders of
its machine do not support the section; objdump and llvm-readobj print it by its own
sfh_abi_arch. The section was checked in the same way, as a raw section: relocations,
symbols and machine code were not read.`,
	Fix:  `Build the file for a machine that has an ABI, or leave the section out.`,
	Good: `ELFCLASS64, e_machine = 62 (x86-64), sfh_abi_arch = 3`,
	Bad:  `ELFCLASS64, e_machine = 243 (RISC-V), sfh_abi_arch = 3`,
}, func(c *rules.Context) {
	faults(c, reader.OtherMachine, func(f reader.Fault) {
		c.File(f.Span, "the file is %s, for which the format has no ABI: its SFrame data were checked by their own sfh_abi_arch, without relocations, symbols and code", f.Detail)
	})
})
