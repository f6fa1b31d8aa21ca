package examples_test

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/evidence/examples"
)

// Print the command and the output that the page of a rule shows.
func ExampleExampleOf() {
	example := examples.ExampleOf("SF1003")
	fmt.Println("$", example.Command)
	fmt.Println(example.Output)
	// Output:
	// $ sframe-lint --select SF1003 --address 0x2000 corpus/files/hand/v3-amd64-bad-version.sframe
	// corpus/files/hand/v3-amd64-bad-version.sframe: .sframe+0x2 (file 0x2): error: sfp_version is 4, but only versions 1, 2 and 3 have been published: consumers reject the section; help: ... [SF1003]
}
