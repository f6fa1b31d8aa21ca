package gen_test

import (
	"fmt"
	"math/rand"
	randv2 "math/rand/v2"
	"reflect"
	"testing/quick"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/gen"
)

// Find the smallest plan for which a property does not hold.
func ExamplePlans() {
	atMostOne := func(p *generator.Plan) bool { return len(p.Funcs) <= 1 }
	result := prop.ForAll(atMostOne, gen.Plans()).Check(gopter.DefaultTestParametersWithSeed(1))
	smallest := result.Args[0].Arg.(*generator.Plan)
	fmt.Println(len(smallest.Funcs), "functions with", smallest.NumFREs(), "FREs")
	// Output: 2 functions with 0 FREs
}

// Draw sections with testing/quick.
func ExamplePlan() {
	err := quick.Check(func(p plan) bool { return len(p.Funcs) < 1<<20 }, nil)
	fmt.Println(err)
	// Output: <nil>
}

// plan is what testing/quick generates.
type plan struct{ *generator.Plan }

func (plan) Generate(r *rand.Rand, _ int) reflect.Value {
	return reflect.ValueOf(plan{gen.Plan(randv2.New(gen.Source(r.Uint64)))})
}
