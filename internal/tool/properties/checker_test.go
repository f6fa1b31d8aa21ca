// Package properties lists what holds for every valid section, and checks it with gopter on drawn sections:
// what the generator, the reader and the rules say of a section must agree. It consists of tests only.
package properties

import (
	"fmt"
	"hash/fnv"
	"runtime/debug"
	"slices"

	"github.com/sframe-lint/sframe-lint/fuzz"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// Failure is a property that does not hold for a section.
type Failure struct {
	Check  string // the property's name
	Detail string
	Recipe breaks.Recipe // of the section, and of the breaks if the property makes any
	Input  []byte        // the file or section; nil if there is none
}

// Stats counts what was checked.
type Stats struct{ Breaks, Damaged, Findings int64 }

// Add adds another count.
func (s *Stats) Add(t Stats) {
	s.Breaks += t.Breaks
	s.Damaged += t.Damaged
	s.Findings += t.Findings
}

// Checker checks sections. Several goroutines may use it at once.
type Checker struct {
	// Dir is a directory for temporary files; without one, thin archives
	// and files read by their names are not checked.
	Dir string
	// Thorough looks up every address of small functions and puts each section
	// into every kind of file, instead of drawing some.
	Thorough bool

	driver *rules.Driver
	// consumers has the rules of family 8; nil for none.
	consumers *rules.Driver
}

// New returns a checker with all rules. The rules on single consumers run on
// damaged inputs only.
func New() *Checker {
	consumers, _ := catalogue.Consumers("all") // the name is known
	all := slices.DeleteFunc(catalogue.Rules(), func(r *rules.Rule) bool { return r.Family() == '8' })
	return &Checker{
		driver:    &rules.Driver{Rules: all},
		consumers: &rules.Driver{Rules: consumers},
	}
}

// Check checks the given properties of a plan that was generated from a
// configuration. All draws start from the configuration's seed. A panic is
// reported as a failure.
func (c *Checker) Check(conf generator.Config, p *generator.Plan, list []Property) (Stats, []Failure) {
	r := &run{Checker: c, conf: conf, p: p}
	for _, x := range list {
		// Each property has draws of its own and does not depend on the others.
		h := fnv.New64a()
		h.Write([]byte(x.Name))
		r.m = fuzz.New(uint64(conf.Seed) ^ h.Sum64())
		r.name, r.input = x.Name, nil
		r.recipe = breaks.Recipe{Config: conf, Container: breaks.Raw}
		r.guard(func() { x.check(r) })
	}
	return r.stats, r.failures
}

// Replay makes a recipe's file and checks that its breaks are found, and that
// nothing else is found that the file without them does not have.
func (c *Checker) Replay(recipe breaks.Recipe) (Stats, []Failure) {
	r := &run{Checker: c, name: "breaks", recipe: recipe}
	r.guard(func() {
		s, err := recipe.Subject()
		if err != nil {
			r.fail("%v", err)
			return
		}
		broken, err := recipe.Break(s)
		if err != nil {
			r.fail("%v", err)
			return
		}
		r.stats.Breaks += int64(len(recipe.Breaks))
		r.compare(s, broken)
	})
	return r.stats, r.failures
}

// run is the check of one section.
type run struct {
	*Checker
	conf     generator.Config
	p        *generator.Plan
	m        *fuzz.Mutator
	name     string
	recipe   breaks.Recipe
	input    []byte
	stats    Stats
	failures []Failure

	// What several properties use is made once.
	encoded  []byte
	decoded  *model.Section
	files    [len(wraps)]*generator.File
	found    []rules.Finding
	isLinted bool
}

func (r *run) fail(format string, args ...any) {
	r.failures = append(r.failures, Failure{r.name, fmt.Sprintf(format, args...), r.recipe, r.input})
}

func (r *run) guard(do func()) {
	defer func() {
		if v := recover(); v != nil {
			r.fail("panic: %v\n%s", v, debug.Stack())
		}
	}()
	do()
}

// section returns the plan's bytes and the section decoded from them, nil if
// there is none. If the bytes cannot be written or read without faults, that is
// a failure of the first property, the round trip.
func (r *run) section() ([]byte, *model.Section) {
	if r.encoded == nil {
		var err error
		if r.encoded, err = generator.Encode(r.p); err == nil {
			r.decoded, _ = decode(r.p, r.encoded)
		}
	}
	r.input = r.encoded
	return r.encoded, r.decoded
}

// rawFindings returns what the rules find in the plan's raw section.
func (r *run) rawFindings() []rules.Finding {
	if b, _ := r.section(); b != nil && !r.isLinted {
		r.found, r.isLinted = r.lint(b, r.p.Addr), true
	}
	return r.found
}

// wraps are the files that a section can be put in.
var wraps = [...]struct {
	name string
	wrap func(*generator.Plan) (*generator.File, error)
}{
	{"executable", generator.WrapExec},
	{"shared object", generator.WrapShared},
	{"object file", generator.WrapRel},
}

// The kinds of [wraps].
const (
	executable = iota
	sharedObject
	objectFile
)

// file returns the section in a file of the kind, which must not be changed.
func (r *run) file(kind int) (*generator.File, error) {
	if r.files[kind] == nil {
		f, err := wraps[kind].wrap(r.p)
		if err != nil {
			return nil, err
		}
		r.files[kind] = f
	}
	return r.files[kind], nil
}

// drawFile returns the section in a file of a drawn kind.
func (r *run) drawFile() (f *generator.File, name string, err error) {
	kind := r.m.Rand.IntN(len(wraps))
	f, err = r.file(kind)
	return f, wraps[kind].name, err
}
