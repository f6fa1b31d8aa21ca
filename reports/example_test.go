package reports_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// Render the findings of a file as text. The other renderers, here and in packages
// html and sarif, are used in the same way.
func ExampleNewText() {
	linter, err := lint.New(lint.Options{Select: []string{"SF2008"}, Profile: "toolchain"})
	if err != nil {
		log.Fatal(err)
	}
	run := linter.Run(context.Background(), "../corpus/files/binutils-2.44/amd64/pltgot.elf")
	text := reports.NewText(os.Stdout, false)
	for file := range run.Files() {
		if err := text.File(file); err != nil {
			log.Fatal(err)
		}
	}
	if err := text.Close(run.Summary()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// ../corpus/files/binutils-2.44/amd64/pltgot.elf: .sframe+0x2d (file 0x3b5): warning: FDE 0 (.plt+0x0, pc 0x2d0): sfde_func_rep_size is 16, but the FDE has PC type INC and thus no repeated block: if MASK was meant, a tracer uses the wrong FREs; help: set the field to 0, or the PC type to MASK [SF2008]
}

// List rules.
func ExampleRulesText() {
	if err := reports.RulesText(os.Stdout, catalogue.Rules()[:3], false); err != nil {
		log.Fatal(err)
	}
	// Output:
	// SF1001  error    wrong magic number
	// SF1002  error    section shorter than its header
	// SF1003  error    unknown version
}

// Names from files are escaped where a terminal could interpret them.
func ExampleEscape() {
	fmt.Println(reports.Escape("a\x1b[31mb\u202e"))
	// Output:
	// a\x1b[31mb\u202e
}
