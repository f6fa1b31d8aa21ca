package consumers_test

import (
	"fmt"
	"log"
	"os"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/tool/asked"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Print which consumers can read a section.
func ExampleWriter() {
	profiles, err := consumers.Select("glibc,gnu-ld-2.43,llvm")
	if err != nil {
		log.Fatal(err)
	}
	w, err := consumers.NewWriter(os.Stdout, "text")
	if err != nil {
		log.Fatal(err)
	}
	err = reader.Scan("../../../corpus/files/binutils-2.44/amd64/program.o", reader.Options{}, func(o *reader.Object) error {
		o.Path = "program.o"
		for _, sheet := range consumers.Sheets(o, asked.Of(o), profiles...) {
			if err := w.Add(&sheet); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// program.o: .sframe
	//   gnu-ld-2.44  reads    meets all demands of gnu-ld-2.44
	//   llvm-23      reads    meets all demands of llvm-23
	//   glibc-2.42   n/a      it reads only linked files
}

// Ask one consumer about one section.
func ExampleProfile_Judge() {
	linux, err := consumers.Select("linux-user")
	if err != nil {
		log.Fatal(err)
	}
	err = reader.Scan("../../../corpus/files/binutils-2.44/amd64/program.elf", reader.Options{}, func(o *reader.Object) error {
		outcome := linux[0].Judge(o, o.SFrames[0], asked.Of(o))[0]
		fmt.Println(linux[0].Name, outcome.OutcomeText(), "the section:", outcome.Why)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// linux-user rejects the section: sfp_version is 2, expected 3: registration of the section fails
}
