package generator_test

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Draw a section from a seed, write it, and read it again.
func Example() {
	knobs := generator.Default()
	knobs.Seed, knobs.Funcs = 7, 2
	plan, err := generator.Generate(knobs)
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := generator.Encode(plan)
	if err != nil {
		fmt.Println(err)
		return
	}
	section, faults := reader.DecodeSection(data, reader.SectionOptions{Addr: plan.Addr})
	fmt.Println(section.Version(), section.NumFDEs(), "FDEs,", len(faults), "faults")
	// Output: V3 2 FDEs, 0 faults
}

// Write a section with a given function, in an executable.
func ExampleWrapExec() {
	plan := &generator.Plan{
		Version: model.SFRAME_VERSION_2, ABI: model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, FixedRA: -8, Addr: 0x400000,
		Funcs: []generator.Func{{Name: "main", Start: 0x401000, Size: 32, Rows: []generator.Row{{Rules: model.Row{
			CFA: model.Recovery{Kind: model.InRegister, Reg: 7, Offset: 8},
			RA:  model.Recovery{Kind: model.FromCFA, Deref: true, Offset: -8},
			FP:  model.Recovery{Kind: model.Unchanged},
		}}}}},
	}
	file, err := generator.WrapExec(plan)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q, the section at 0x%x\n", file.Bytes[:4], file.Offset)
	// Output: "\x7fELF", the section at 0x1000
}
