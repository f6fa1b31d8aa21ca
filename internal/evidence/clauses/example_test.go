package clauses_test

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
)

// Print the statements of the manual that a rule checks.
func ExampleOf() {
	for _, c := range clauses.Of("SF1006") {
		fmt.Printf("%s (version %s, %q): %s\n", c.ID, c.Scope, c.Chapter, c.Text)
	}
	// Output:
	// C-V12-OVR-05 (version 1, 2, "Overview"): The ABIs of the format are AMD64 and AArch64 (AAPCS64).
	// C-V2E1-OVR-06 (version 2 (errata 1), 3, "Overview"): The ABIs of the format are AMD64, AArch64 (AAPCS64) and s390x.
	// C-ALL-HDR-08 (version 1, 2, 3, "SFrame Header"): sfh_abi_arch, at 0x04, identifies the ABI.
	// C-ALL-ABI-02 (version 1, 2, 3, "SFrame ABI/arch Identifier"): 1 is AArch64 big-endian, 2 is AArch64 little-endian, 3 is AMD64 little-endian.
	// C-V2E1-ABI-03 (version 2 (errata 1), 3, "SFrame ABI/arch Identifier"): 4 is s390x big-endian.
	// C-V2E1-FRE-06 (version 2 (errata 1), 3, "SFrame FRE"): The ABI defines how the words are read (version 3: the ABI or the FDE type).
}

// Print the command and the output that the page of a rule shows.
func ExampleExampleOf() {
	example := clauses.ExampleOf("SF1003")
	fmt.Println("$", example.Command)
	fmt.Println(example.Output)
	// Output:
	// $ sframe-lint --select SF1003 --address 0x2000 corpus/files/hand/v3-amd64-bad-version.sframe
	// corpus/files/hand/v3-amd64-bad-version.sframe: .sframe+0x2 (file 0x2): error: sfp_version is 4, but only versions 1, 2 and 3 have been published: consumers reject the section; help: ... [SF1003]
}
