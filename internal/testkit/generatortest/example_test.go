package generatortest_test

import (
	"fmt"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/internal/testkit/generatortest"
)

// Find the smallest plan for which a property does not hold.
func ExamplePlans() {
	atMostOne := func(p *generator.Plan) bool { return len(p.Funcs) <= 1 }
	result := prop.ForAll(atMostOne, generatortest.Plans()).Check(gopter.DefaultTestParametersWithSeed(1))
	smallest := result.Args[0].Arg.(*generator.Plan)
	fmt.Println(len(smallest.Funcs), "functions with", smallest.NumFREs(), "FREs")
	// Output: 2 functions with 0 FREs
}
