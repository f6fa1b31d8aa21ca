package header

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// ABI finds an ABI identifier that the version does not define.
var ABI = rules.New(rules.Rule{
	ID:       "SF1006",
	Title:    "unknown ABI identifier",
	Clause:   "SFrame ABI/arch Identifier",
	Severity: rules.Error,
	Text: `sfh_abi_arch selects how the data words of an FRE are read. It is 1 or 2 for
AArch64 (big- or little-endian), 3 for AMD64 and 4 for s390x (since errata 1 of
version 2). With another value the words have no meaning. Readers in a running system
(the Linux kernel, glibc) ignore the field and read the words as those of their own
machine. objdump 2.47 aborts on an assertion when a flexible FRE of such a section
names a register.`,
	Fix:  `Set the identifier of the target for which the code is built.`,
	Good: `sfh_abi_arch = 03`,
	Bad:  `sfh_abi_arch = 13`,
}, func(c *rules.Context) {
	h := c.Section.Header()
	if !h.Version.Known() {
		return
	}
	switch abi := c.Section.ABI(); {
	case !abi.Known():
		var known []string
		for _, a := range model.ABIs() {
			known = append(known, fmt.Sprintf("%d: %s", a.ID, a.Short()))
		}
		c.Header(model.HdrABI, "sfh_abi_arch is %d, which no version of the format defines (%s): the data words cannot be interpreted", uint8(h.ABI), strings.Join(known, ", "))
	case !abi.InVersion(h.Version):
		c.Header(model.HdrABI, "sfh_abi_arch is %d (%s), which %v does not define: the data words cannot be interpreted", uint8(h.ABI), abi.Name, h.Version)
	}
})
