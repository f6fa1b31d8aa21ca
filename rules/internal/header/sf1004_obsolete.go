package header

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Obsolete finds sections of version 1.
var Obsolete = rules.New(rules.Rule{
	ID:       "SF1004",
	Title:    "obsolete version 1",
	Clause:   "SFrame Version",
	Versions: []model.Version{model.SFRAME_VERSION_1},
	Severity: rules.Warning,
	Text: `Version 1 is obsolete. Its FDEs have 17 bytes and are therefore unaligned.
They lack sfde_func_rep_size, so a tracer has to guess the size of the stubs in a PLT.
The Linux kernel, glibc, LLVM and binutils 2.41 and later do not read version 1.`,
	Fix:  `Assemble and link with binutils 2.46 or later, which write version 3.`,
	Good: `sfp_version = 03`,
	Bad:  `sfp_version = 01`,
}, func(c *rules.Context) {
	c.Header(model.HdrVersion, "version 1 of the format is obsolete: its FDEs are unaligned and lack sfde_func_rep_size, and current consumers reject it")
})
