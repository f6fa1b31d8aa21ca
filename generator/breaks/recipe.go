package breaks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator"
)

// Recipe describes how to make a file: the knobs of its section, the container, and the breaks in order. It is
// written as JSON. A recipe always gives the same bytes.
type Recipe struct {
	// Config holds the knobs. In JSON, they have their names, and those with default values are omitted.
	Config    generator.Config
	Container Container
	Breaks    []Step
}

// Step is a break and the seed for its choices.
type Step struct {
	Name string `json:"name"`
	Seed uint64 `json:"seed"`
}

// NewSeed returns a random seed for a step. It has at most 53 bits, so programs that read JSON numbers as
// floating-point numbers keep it intact.
func NewSeed(rnd *rand.Rand) uint64 { return rnd.Uint64() >> 11 }

// Subject returns the valid section that the recipe changes.
func (r Recipe) Subject() (*Subject, error) {
	p, err := generator.Generate(r.Config)
	if err != nil {
		return nil, err
	}
	return subject(p, r.Container)
}

// Replay makes the section and applies all breaks. It returns an error if a break is unknown or not applicable.
func (r Recipe) Replay() (*Subject, error) {
	s, err := r.Subject()
	if err != nil {
		return nil, err
	}
	return r.Break(s)
}

// Break applies the recipe's breaks to a subject, usually the recipe's own.
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

// Compose applies up to n random breaks to a subject, one after another. It returns the broken subject and the steps
// that replay them. It makes fewer steps if no other break is applicable.
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

// MarshalJSON implements json.Marshaler.
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

// UnmarshalJSON implements json.Unmarshaler. It returns an error for unknown fields, knobs and containers;
// [Recipe.Replay] does so for unknown breaks.
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
