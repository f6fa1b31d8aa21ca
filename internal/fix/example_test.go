package fix_test

import (
	"bytes"
	"fmt"
	"log"
	"os"

	"github.com/sframe-lint/sframe-lint/internal/fix"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// Apply the safe fixes of a file's findings in memory, and check it again.
func Example() {
	const path = "../../corpus/files/binutils-2.47/amd64/program.elf"
	data, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	check := func(data []byte) (warnings []rules.Finding) {
		driver := rules.Driver{Rules: catalogue.Default()}
		err := reader.ScanReader(path, bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
			for _, f := range driver.Run(o).Findings {
				if f.Severity > rules.Note {
					warnings = append(warnings, f)
				}
			}
			return nil
		})
		if err != nil {
			log.Fatal(err)
		}
		return warnings
	}
	found := check(data)
	fixed, err := fix.Choose(path, found, false).Bytes(data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(found), found[0].Rule.ID, len(check(fixed)))
	// Output:
	// 1 SF5010 0
}
