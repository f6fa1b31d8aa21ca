package compare_test

import (
	"log"
	"os"

	"github.com/sframe-lint/sframe-lint/internal/tool/compare"
	"github.com/sframe-lint/sframe-lint/reader"
)

// loader reads all files that are compared.
var loader compare.Loader

// units reads a file of the corpus.
func units(file string) []*compare.Unit {
	var all []*compare.Unit
	err := reader.Scan("../../../corpus/files/"+file, reader.Options{}, func(o *reader.Object) error {
		unit, err := loader.UnitOf(o)
		all = append(all, unit)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	return all
}

// Compare the SFrame data that two linkers have written for one program.
func ExampleFiles() {
	report := compare.Files(
		compare.Side{Name: "ld-2.44", Units: units("binutils-2.44/amd64/start.elf")},
		compare.Side{Name: "ld-2.47", Units: units("binutils-2.47/amd64/start.elf")},
		"")
	if err := compare.WriteDiff(os.Stdout, report); err != nil {
		log.Fatal(err)
	}
	// Output:
	// _start from +0x0 to +0x14:
	//     ld-2.44: CFA = rsp+8, RA *(CFA-8), FP unchanged
	//     ld-2.47: outermost frame
}

// Find out whether the linker kept the SFrame data of its inputs.
func ExampleLink() {
	inputs := append(units("binutils-2.47/amd64/main.o"), units("binutils-2.47/amd64/frames.o")...)
	output := units("lld-23/concatenated-v3.elf")[0]
	if err := compare.WriteLink(os.Stdout, compare.Link(inputs, output), 10); err != nil {
		log.Fatal(err)
	}
	// Output:
	// ../../../corpus/files/lld-23/concatenated-v3.elf: 1 of 6 functions of the inputs are described in the same way
	// ../../../corpus/files/lld-23/concatenated-v3.elf: the linker has concatenated the inputs' sections: consumers read the first and miss the 1 after it [not-merged]
	//     ../../../corpus/files/binutils-2.47/amd64/frames.o: 5 of 5 functions lost or changed: "leaf", "framed", "pushes" and 2 more
}

// List the sections of several files and those that differ from the others.
func ExampleCensus() {
	census := compare.NewStat().Census
	for _, file := range []string{"2.44/amd64/one.elf", "2.47/amd64/one.elf", "2.47/amd64/program.elf"} {
		if err := reader.Scan("../../../corpus/files/binutils-"+file, reader.Options{}, func(o *reader.Object) error {
			o.Path = file
			census.Add(o)
			return nil
		}); err != nil {
			log.Fatal(err)
		}
	}
	census.Finish()
	if err := compare.WriteCensus(os.Stdout, census); err != nil {
		log.Fatal(err)
	}
	// Output:
	// FILE                    KIND    VERSION  ABI           FLAGS         TYPE        FDES  FRES  BYTES  LOOKS LIKE
	// 2.44/amd64/one.elf      linked  V2       AMD64 little  SORTED        PROGBITS    5     22    201    binutils 2.41 to 2.44
	// 2.47/amd64/one.elf      linked  V3       AMD64 little  SORTED,PCREL  GNU_SFRAME  5     22    206    binutils 2.46 to 2.47 or mold 3
	// 2.47/amd64/program.elf  linked  V3       AMD64 little  SORTED,PCREL  GNU_SFRAME  16    64    592    binutils 2.46 to 2.47 or mold 3
	// 2 linked: V3 AMD64 little-endian PCREL GNU_SFRAME
	// 1 linked: V2 AMD64 little-endian PROGBITS
	// odd one out: 2.44/amd64/one.elf: V2 AMD64 little-endian PROGBITS, where 2 of 3 linked files are V3 AMD64 little-endian PCREL GNU_SFRAME
}
