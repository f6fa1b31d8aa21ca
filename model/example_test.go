package model_test

import (
	"fmt"
	"log"
	"os"

	"github.com/sframe-lint/sframe-lint/reader"
)

// Print how a stack tracer finds the CFA and the caller's RA in a function.
func ExampleSection_FDEs() {
	data, err := os.ReadFile("../corpus/files/hand/v3-amd64.sframe")
	if err != nil {
		log.Fatal(err)
	}
	section, _ := reader.DecodeSection(data, reader.SectionOptions{})
	for f := range section.FDEs() {
		for r := range f.FREs() {
			row := r.Row()
			fmt.Printf("0x%x: CFA %s, RA %s\n", r.Start(), row.CFA.Format(section.ABI()), row.RA.Format(section.ABI()))
		}
		break
	}
	// Output:
	// 0x0: CFA rsp+8, RA *(CFA-8)
	// 0x1: CFA rsp+16, RA *(CFA-8)
	// 0x4: CFA rbp+16, RA *(CFA-8)
}

func ExampleSection_At() {
	data, err := os.ReadFile("../corpus/files/hand/v3-amd64.sframe")
	if err != nil {
		log.Fatal(err)
	}
	section, _ := reader.DecodeSection(data, reader.SectionOptions{Addr: 0x10000})
	first := section.FDE(0)
	if _, r, ok := section.At(first.Start() + 4); ok {
		fmt.Println("FDE", r.FDEIndex(), "FRE", r.Index(), "CFA", r.Row().CFA.Format(section.ABI()))
	}
	// Output: FDE 0 FRE 2 CFA rbp+16
}
