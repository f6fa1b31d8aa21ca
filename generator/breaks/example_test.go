package breaks_test

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
)

// Make a fault and print the finding that a linter must report for it.
func Example() {
	plan, err := generator.Generate(generator.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	valid, err := breaks.New(plan, breaks.Raw)
	if err != nil {
		fmt.Println(err)
		return
	}
	broken, want, err := breaks.Lookup("version").Apply(valid, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s at 0x%x, %d byte of %d\n", want.Rule, want.Off, want.Len, len(broken.File()))
	// Output: SF1003 at 0x2, 1 byte of 282
}

// Make the file of a recipe.
func ExampleRecipe() {
	recipe := breaks.Recipe{
		Config:    generator.Default(),
		Container: breaks.Exec,
		Breaks:    []breaks.Step{{Name: "flag", Seed: 1}, {Name: "no-segment", Seed: 2}},
	}
	broken, err := recipe.Replay()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, want := range broken.Expectations() {
		fmt.Println(want.Break, want.Rule)
	}
	// Output:
	// flag SF1005
	// no-segment SF5009
}
