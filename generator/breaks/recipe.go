package breaks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
)

// Recipe describes how a file is made: the knobs of its section, the container,
// and the breaks in order. It is written as JSON. The same recipe always gives
// the same bytes.
type Recipe struct {
	// Config holds the knobs; in JSON by their names, without those that
	// have their defaults.
	Config    generator.Config
	Container Container
	Breaks    []Step
}

// Step is a break and the seed of its choices.
type Step struct {
	Name string `json:"name"`
	Seed uint64 `json:"seed"`
}

// NewSeed returns a random seed for a step. It has at most 53 bits, so that programs that
// decode numbers of JSON as floating-point numbers do not change it.
func NewSeed(rnd *rand.Rand) uint64 { return rnd.Uint64() >> 11 }

// Subject makes the valid section that the recipe begins with.
func (r Recipe) Subject() (*Subject, error) {
	p, err := generator.Generate(r.Config)
	if err != nil {
		return nil, err
	}
	return subject(p, r.Container)
}

// Replay makes the section and applies all breaks. It is an error if there
// is no break of a name, or it is not applicable.
func (r Recipe) Replay() (*Subject, error) {
	s, err := r.Subject()
	if err != nil {
		return nil, err
	}
	return r.Break(s)
}

// Break applies the recipe's breaks to a subject, usually its own.
func (r Recipe) Break(s *Subject) (*Subject, error) {
	var err error
	for _, step := range r.Breaks {
		if err != nil {
			return nil, err
		}
		b := Lookup(step.Name)
		if b == nil {
			return nil, fmt.Errorf("unknown break %q", step.Name)
		}
		s, _, err = b.Apply(s, step.Seed)
	}
	return s, err
}

// Compose applies up to n random breaks to a subject, one after the other, and
// returns the broken subject with the steps that replay them. There are fewer
// steps if no other break is applicable.
func Compose(s *Subject, n int, rnd *rand.Rand) (*Subject, []Step) {
	var steps []Step
	order := rnd.Perm(len(registry))
	for _, k := range order {
		if len(steps) == n {
			break
		}
		step := Step{registry[k].Name, NewSeed(rnd)}
		if broken, _, err := registry[k].Apply(s, step.Seed); err == nil {
			s, steps = broken, append(steps, step)
		}
	}
	return s, steps
}

// recipeJSON is a recipe as JSON has it.
type recipeJSON struct {
	Knobs     map[string]string `json:"knobs"`
	Container Container         `json:"container"`
	Breaks    []Step            `json:"breaks"`
}

// MarshalJSON writes the recipe.
func (r Recipe) MarshalJSON() ([]byte, error) {
	out := recipeJSON{Knobs: map[string]string{}, Container: r.Container, Breaks: r.Breaks}
	def := generator.Default()
	for _, k := range generator.Knobs() {
		if v := k.Get(&r.Config); v != k.Get(&def) {
			out.Knobs[k.Name] = k.Format(v)
		}
	}
	if out.Breaks == nil {
		out.Breaks = []Step{}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads the recipe. Unknown fields, knobs and containers are
// errors; so are unknown breaks when the recipe is replayed.
func (r *Recipe) UnmarshalJSON(b []byte) error {
	var in recipeJSON
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields() // a misspelt one would be ignored
	if err := dec.Decode(&in); err != nil {
		return err
	}
	out := Recipe{Config: generator.Default(), Container: in.Container, Breaks: in.Breaks}
	for name, text := range in.Knobs {
		if _, err := out.Config.Set(name + "=" + text); err != nil {
			return err
		}
	}
	if !slices.Contains(Containers(), in.Container) {
		return fmt.Errorf("unknown container %q: expected one of %q", in.Container, Containers())
	}
	*r = out
	return nil
}
