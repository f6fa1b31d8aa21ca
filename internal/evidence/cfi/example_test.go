package cfi_test

import (
	"fmt"
	"log"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Example prints the rows of a program's functions, up to the first one with
// more than two.
func Example() {
	const file = "../../../corpus/files/binutils-2.47/s390x/program.elf"
	err := reader.Scan(file, reader.Options{}, func(o *reader.Object) error {
		frames, err := cfi.Load(o, 0)
		if err != nil {
			return err
		}
		abi := o.ELF.ABI()
		var run cfi.Runner
		var row cfi.Row
		for _, s := range frames.Sections {
			for f := range s.FDEs() {
				n := 0
				for run.Reset(&f); run.Next(&row); n++ {
					r := f.Recover(&row, row.Start)
					fmt.Printf("%#x-%#x CFA %s, RA %s, FP %s\n", row.Start, row.End,
						r.CFA.Format(abi), r.RA.Format(abi), r.FP.Format(abi))
				}
				if n > 2 {
					return nil
				}
			}
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 0x1000158-0x100015c CFA r15+160, RA unchanged, FP unchanged
	// 0x10001d0-0x10001d6 CFA r15+160, RA unchanged, FP unchanged
	// 0x10001d6-0x10001dc CFA r15+160, RA *(CFA-48), FP *(CFA-72)
	// 0x10001dc-0x100025a CFA r15+320, RA *(CFA-48), FP *(CFA-72)
	// 0x100025a-0x100025c CFA r15+160, RA unchanged, FP unchanged
	// 0x100025c-0x10002d4 CFA r15+320, RA *(CFA-48), FP *(CFA-72)
	// 0x10002d4-0x10002d6 CFA r15+160, RA unchanged, FP unchanged
	// 0x10002d6-0x10002dc CFA r15+320, RA *(CFA-48), FP *(CFA-72)
}
