package coverage_test

import (
	"fmt"
	"os"

	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/reader"
)

func Example() {
	r := coverage.NewReport()
	err := reader.Scan("../../../corpus/files/mixed/v3-and-v2-by-ld-2.47.elf", reader.Options{}, func(o *reader.Object) error {
		f, err := coverage.Measure(o, 1)
		if err == nil {
			r.Add(f)
		}
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Total.Below(99))
	if err := coverage.WriteText(os.Stdout, r); err != nil {
		fmt.Println(err)
	}
	// Output:
	// true
	// ../../../corpus/files/mixed/v3-and-v2-by-ld-2.47.elf: 5 of 7 functions (71.4%), 98 of 112 bytes (87.5%)
	//     CFI, but no FDE: 1 function, 13 bytes
	//     no CFI: 1 function, 1 byte
	//     worst gaps:
	//           13 of 13 bytes  0x4000e8 in .text  "main": CFI, but no FDE
}
