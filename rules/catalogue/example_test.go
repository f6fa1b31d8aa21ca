package catalogue_test

import (
	"fmt"
	"log"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// Check a file with the rules that run by default.
func ExampleDefault() {
	driver := rules.Driver{Rules: catalogue.Default()}
	err := reader.Scan("../../corpus/files/hand/v3-amd64-bad-version.sframe", reader.Options{}, func(o *reader.Object) error {
		for _, f := range driver.Run(o).Findings {
			fmt.Println(f.Rule.ID, f.Rule.Severity, f.Message)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// SF1003 error sfp_version is 4, but only versions 1, 2 and 3 have been published: consumers reject the section
}

// List the opt-in rules.
func ExampleRules() {
	for _, r := range catalogue.Rules() {
		if r.OptIn {
			fmt.Printf("%s: %s\n", r.ID, r.Title)
		}
	}
	// Output:
	// SF4008: AArch64 FRE with two data words
	// SF5001: code without SFrame data
	// SF5032: FDE for a function in a section group
	// SF6022: CFI contradicts the code
}
