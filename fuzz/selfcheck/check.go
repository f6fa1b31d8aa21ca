package selfcheck

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"runtime/debug"
	"slices"

	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/fuzz/mutate"
	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
	"github.com/sframe-lint/sframe-lint/rules/compat"
)

// Failure is something that should not be.
type Failure struct {
	Check  string // what was being checked
	Detail string
	Recipe breaks.Recipe // of the section, and of the breaks if they matter
	Input  []byte        // the file or section, nil where there is none yet
}

// Stats counts what was done.
type Stats struct {
	Sections, Files, Breaks, Damaged int64
	Findings                         int64
	Bytes                            int64 // of all inputs that were read
}

// Add adds another count.
func (s *Stats) Add(t Stats) {
	s.Sections += t.Sections
	s.Files += t.Files
	s.Breaks += t.Breaks
	s.Damaged += t.Damaged
	s.Findings += t.Findings
	s.Bytes += t.Bytes
}

// Checker checks sections. It may be used by several goroutines at once.
type Checker struct {
	// Dir is a directory for files; without one, archives that name files
	// are left out.
	Dir    string
	driver *rules.Driver
	// consumers has the rules of family 8; nil for none.
	consumers *rules.Driver
}

// New returns a checker with all rules. Those that judge a section by the
// habits of single programs look at damaged inputs alone.
func New() *Checker {
	all := slices.DeleteFunc(catalogue.Rules(), func(r *rules.Rule) bool { return r.Family() == '8' })
	return &Checker{
		driver:    &rules.Driver{Rules: all},
		consumers: &rules.Driver{Rules: compat.Rules(consumers.All())},
	}
}

// Check draws everything else from the seed of the configuration and checks
// the plan that was generated from it. It never panics: a panic of what it
// checks is a failure.
func (c *Checker) Check(conf generator.Config, p *generator.Plan) (st Stats, fs []Failure) {
	r := &run{Checker: c, p: p}
	raw := breaks.Recipe{Config: conf, Container: breaks.Raw}
	st.Sections++
	for _, check := range []struct {
		name string
		do   func()
	}{
		{"round trip", r.roundTrip},
		{"conversion", r.converted},
		{"look-up", r.lookup},
		{"findings", r.findings},
		{"container", r.container},
		{"without section headers", r.stripped},
		{"archive", r.archives},
		{"breaks", r.breaks},
		{"damage", r.damage},
		{"reading", r.reading},
		{"large", func() { r.large(conf) }},
	} {
		// Draws of its own, so that no check depends on those in front of it.
		h := fnv.New64a()
		h.Write([]byte(check.name))
		r.m = mutate.New(uint64(conf.Seed) ^ h.Sum64())
		r.name, r.recipe = check.name, raw
		r.guard(check.do)
	}
	st.Add(r.stats)
	return st, r.failures
}

// Replay makes a recipe's file and checks that its breaks are found, and
// nothing else is that is not in the section without them.
func (c *Checker) Replay(recipe breaks.Recipe) (st Stats, fs []Failure) {
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
		r.stats.Sections++
		r.stats.Breaks += int64(len(recipe.Breaks))
		r.compare(s, broken)
	})
	return r.stats, r.failures
}

// run is the check of one section.
type run struct {
	*Checker
	p        *generator.Plan
	m        *mutate.Mutator
	name     string
	recipe   breaks.Recipe
	input    []byte
	stats    Stats
	failures []Failure
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

// roundTrip writes and reads the section there and back.
func (r *run) roundTrip() {
	if err := generator.Valid(r.p); err != nil {
		r.fail("not valid: %v", err)
	}
	b, err := generator.Encode(r.p)
	if err != nil {
		r.fail("not written: %v", err)
		return
	}
	r.input = b
	s, faults := reader.DecodeSection(b, reader.SectionOptions{Addr: r.p.Addr})
	if s == nil || len(faults) > 0 {
		r.fail("not read: %v", faults)
		return
	}
	q, err := generator.FromModel(s)
	if err != nil {
		r.fail("not described: %v", err)
		return
	}
	if d := differ(r.p, q); d != "" {
		r.fail("read as something else: %s", d)
	}
	if again, err := generator.Encode(q); err != nil || !bytes.Equal(b, again) {
		r.fail("not written again as it was: %v", err)
	}
	r.tiled(s)
}

// tiled sees that every byte has one owner.
func (r *run) tiled(s *model.Section) {
	at := int64(0)
	for g := range s.Regions() {
		if g.Off != at || g.Len <= 0 {
			r.fail("region %v follows 0x%x", g, at)
			return
		}
		at = g.End()
	}
	if at != s.Size() {
		r.fail("regions end at 0x%x of 0x%x", at, s.Size())
	}
}
