package reader_test

import (
	"context"
	"fmt"
	"log"

	"github.com/sframe-lint/sframe-lint/reader"
)

// Print how to find the caller at an address of a program.
func ExampleOpen() {
	const pc = 0x400164
	sections, err := reader.Open("../corpus/files/binutils-2.47/amd64/program.elf")
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range sections {
		if fde, fre, ok := s.Section.At(pc); ok {
			abi := s.Section.ABI()
			fmt.Printf("%#x is in FDE %d: CFA %s, RA %s\n", pc, fde.Index(), fre.Row().CFA.Format(abi), fre.Row().RA.Format(abi))
		}
	}
	// Output: 0x400164 is in FDE 1: CFA rsp+16, RA *(CFA-8)
}

func ExampleScan() {
	err := reader.Scan("../corpus/files/hand/object.o", reader.Options{}, func(o *reader.Object) error {
		for _, f := range o.SFrames {
			fmt.Println(f.Name, f.Section.Version(), f.Section.ABI().Name, "FDEs:", f.Section.NumFDEs(), "faults:", len(f.Faults))
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: .sframe V3 AMD64 FDEs: 1 faults: 0
}

// Read with limits, and see what exceeds one.
func ExampleScan_limits() {
	opts := reader.Options{Context: context.Background(), Limits: reader.Limits{reader.MaxSection: 16}}
	err := reader.Scan("../corpus/files/hand/object.o", opts, func(o *reader.Object) error {
		for _, f := range o.Faults {
			fmt.Printf("%v: a section of %d bytes, the limit is %d\n", f.Code == reader.SectionTooLarge, f.Got, f.Want)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: true: a section of 52 bytes, the limit is 16
}

func ExampleDecodeSection() {
	data := []byte{0xe2, 0xde, 3, 4, 3, 0, 0xf8, 0, 1, 0, 0, 0} // ends inside the header
	section, faults := reader.DecodeSection(data, reader.SectionOptions{})
	fmt.Println(section == nil, faults[0].Code == reader.TooShort, faults[0].Span)
	// Output: true true [0x0,0xc)
}
