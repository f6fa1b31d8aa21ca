package fuzz_test

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/fuzz"
	"github.com/sframe-lint/sframe-lint/generator"
)

// Damage a section. The same seed makes the same changes.
func ExampleMutator() {
	plan, err := generator.Generate(generator.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	section, err := generator.Encode(plan)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := fuzz.New(10)
	damaged := m.Section(section, 1)
	fmt.Println(len(section), len(damaged), m.Log())
	// Output: 282 318 [double FDE 0 as FDE 1]
}
