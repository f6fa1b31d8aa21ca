package catalogue_test

import (
	"fmt"
	"log"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// Report what selected consumers do with a file.
func ExampleConsumers() {
	onConsumers, err := catalogue.Consumers("linux-user", "glibc")
	if err != nil {
		log.Fatal(err)
	}
	driver := rules.Driver{Rules: onConsumers}
	err = reader.Scan("../../corpus/files/binutils-2.47/amd64/program.elf", reader.Options{}, func(o *reader.Object) error {
		for _, f := range driver.Run(o).Findings {
			fmt.Println(f.Rule.ID, f.Message)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// SF8001 glibc-2.42 rejects the section because sfp_version is 3, expected 2: glibc-2.42 falls back to DWARF
	// SF8001 linux-user rejects the section because the CFA of a flexible FRE is in memory at SP or FP: the kernel warns once, and the stack trace ends
}
