package main

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/scripts/internal/page"
	"github.com/sframe-lint/sframe-lint/scripts/internal/subject"
)

var linter = subject.NewLinter()

// mutant is a proc with one fault.
type mutant struct {
	subject.Change
	p      *proc
	kind   *kind
	what   string // the directive before
	body   []line
	here   []subject.Finding // that name the proc
	beyond []subject.Finding // that name others, if it is the only one in the file
}

// mutateAll makes mutants of the files, judges them, and prints the tables.
func mutateAll(paths []string, o *options) error {
	t := table{}
	byABI := map[string][]string{}
	for _, path := range paths {
		tools, err := toolsFor(path, o)
		if err != nil {
			return err
		}
		byABI[tools.as] = append(byABI[tools.as], path)
	}
	for _, as := range slices.Sorted(maps.Keys(byABI)) {
		var all []*source
		for _, path := range byABI[as] {
			tools, _ := toolsFor(path, o)
			s, err := load(path, tools)
			if errors.Is(err, subject.ErrUnfit) {
				fmt.Fprintln(os.Stderr, "directives: skipped:", err)
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			all = append(all, s)
			t.file(s)
			s.reportBase(o)
		}
		if err := t.rounds(all, o); err != nil {
			return err
		}
	}
	return page.Write(o.page, results, t.markdown(o))
}

// rounds makes mutants of the sources of an ABI until there are enough.
func (t *table) rounds(all []*source, o *options) error {
	for round, before := int64(0), -1; len(all) > 0; round++ {
		done := t.sum(all[0].abi.Name).judged()
		if done >= o.count || round > 3 && done == before {
			return nil
		}
		before = done
		for _, s := range all {
			if t.sum(s.abi.Name).judged() >= o.count {
				break
			}
			tools, _ := toolsFor(s.path, o)
			if err := s.round(tools, round, t, o); err != nil {
				return fmt.Errorf("%s: %w", s.path, err)
			}
		}
	}
	return nil
}

// load reads a source, and makes a library of it.
func load(path string, t *tools) (*source, error) {
	s, err := parse(path)
	if err != nil {
		return nil, err
	}
	if len(s.procs) < 3*rarely { // some must keep their FDEs
		return nil, fmt.Errorf("%s: %w", path, subject.ErrUnfit)
	}
	data, err := t.make(s.lines)
	if err != nil {
		return nil, err
	}
	if s.base, err = subject.Load(path, data, nil); err != nil {
		return nil, err
	}
	s.abi = s.base.ABI
	if err := s.place(t); err != nil {
		return nil, err
	}
	starts := map[string]uint64{}
	for i := range s.base.Base.NumFDEs() {
		start := s.base.Base.FDE(i).Start()
		starts[s.base.Name(start)] = start
	}
	for _, p := range s.procs {
		p.start = starts[p.name]
	}
	if s.found, err = s.base.Lint(linter, data, s.base.Base); err != nil {
		return nil, err
	}
	s.procs = slices.DeleteFunc(s.procs, func(p *proc) bool { return p.start == 0 })
	return s, nil
}

// make makes a shared library.
func (t *tools) make(lines []string) ([]byte, error) {
	object, err := t.assemble("mutant", lines)
	if err != nil {
		return nil, err
	}
	return t.link(object)
}

func (p *proc) span() subject.Ranges { return subject.Ranges{subject.Span(p.start, uint32(p.size))} }

// rarely is the number of procs of a file of which one has a fault at a time.
const rarely = 2

// round makes a fault in some procs of the source, and judges all of them.
func (s *source) round(t *tools, round int64, sheet *table, o *options) error {
	h := fnv.New64a()
	fmt.Fprint(h, filepath.Base(s.path))
	rnd := rand.New(rand.NewSource(o.seed ^ int64(h.Sum64()) ^ round<<32))
	var all []*mutant
	for _, p := range s.procs {
		clean := !slices.ContainsFunc(slices.Collect(maps.Keys(s.found)), func(f subject.Finding) bool { return f.Placed && p.span().Overlaps(f.Named) })
		if !clean || rnd.Intn(rarely) > 0 && len(s.procs) > 1 {
			continue
		}
		k := &o.kinds[rnd.Intn(len(o.kinds))]
		if body, what := s.mutate(p, k, rnd); body != nil {
			all = append(all, &mutant{p: p, kind: k, what: what, body: body})
		}
	}
	all, err := s.judge(t, all, sheet)
	if err != nil {
		return err
	}
	return s.advise(t, all, sheet, o)
}

// build makes a library of the source with other bodies, without those that the assembler rejects, which
// are returned.
func (s *source) build(t *tools, bodies map[*proc][]line) (data []byte, bad []*proc, err error) {
	for {
		lines, starts := s.with(bodies)
		data, err = t.make(lines)
		var r rejected
		if errors.Is(err, errCrash) && len(bodies) > 0 {
			more, err := s.crashing(t, bodies)
			if err != nil {
				return nil, bad, err
			}
			for _, p := range more {
				delete(bodies, p)
			}
			bad = append(bad, more...)
			continue
		}
		if !errors.As(err, &r) {
			return data, bad, err
		}
		dropped := false
		for _, n := range r {
			i, ok := slices.BinarySearch(starts, n)
			if !ok {
				i--
			}
			if i >= 0 && bodies[s.procs[i]] != nil {
				delete(bodies, s.procs[i])
				bad, dropped = append(bad, s.procs[i]), true
			}
		}
		if !dropped {
			return nil, bad, err
		}
	}
}

// crashing returns the procs with whose bodies the assembler crashes or rejects the source.
func (s *source) crashing(t *tools, bodies map[*proc][]line) (bad []*proc, err error) {
	if len(bodies) == 1 {
		return slices.Collect(maps.Keys(bodies)), nil
	}
	for half := range 2 {
		some, i := map[*proc][]line{}, 0
		for _, p := range s.procs {
			if bodies[p] != nil {
				if i++; i%2 == half {
					some[p] = bodies[p]
				}
			}
		}
		_, more, err := s.build(t, some)
		if err != nil {
			return nil, err
		}
		bad = append(bad, more...)
	}
	return bad, nil
}

// lint returns the section of a library of the source, and what is new in it.
func (s *source) lint(data []byte) (*model.Section, []subject.Finding, error) {
	f, err := subject.Load(s.path, data, nil)
	if err != nil {
		return nil, nil, err
	}
	now, err := f.Lint(linter, data, f.Base)
	if err != nil {
		return nil, nil, err
	}
	var out []subject.Finding
	for x, n := range now {
		if n > s.found[x] {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b subject.Finding) int {
		return cmp.Or(cmp.Compare(a.Named.First, b.Named.First), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	return f.Base, out, nil
}

func bodiesOf(all []*mutant) map[*proc][]line {
	out := map[*proc][]line{}
	for _, m := range all {
		out[m.p] = m.body
	}
	return out
}

// judge assembles mutants together and counts the verdicts. It returns those that count.
func (s *source) judge(t *tools, all []*mutant, sheet *table) ([]*mutant, error) {
	bodies := bodiesOf(all)
	data, bad, err := s.build(t, bodies)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(m *mutant) bool {
		c := sheet.cell(s.abi.Name, m.kind.name)
		c.mutants++
		if slices.Contains(bad, m.p) {
			c.rejected++
			return true
		}
		return false
	})
	section, found, err := s.lint(data)
	if err != nil {
		return nil, err
	}
	changes := make([]*subject.Change, len(all))
	for i, m := range all {
		m.Change = subject.Change{Section: section, Touched: m.p.span()}
		changes[i] = &m.Change
	}
	if err := s.base.Prove(changes); err != nil {
		return nil, err
	}
	for _, m := range all {
		m.take(found)
	}
	for _, m := range all {
		if len(m.here) == 0 && !m.Equivalent && !m.Proven {
			if err := s.single(t, m); err != nil {
				return nil, err
			}
		}
	}
	return slices.DeleteFunc(all, func(m *mutant) bool { return !sheet.count(s.abi.Name, m) }), nil
}

// take keeps the findings that name the proc of a mutant, and returns whether there are others.
func (m *mutant) take(found []subject.Finding) (beyond []subject.Finding) {
	for _, f := range found {
		switch {
		case f.Placed && m.Touched.Overlaps(f.Named):
			m.here = append(m.here, f)
		case f.Placed:
			beyond = append(beyond, f)
		}
	}
	return beyond
}

// single judges a mutant as the only one: other faults may hide what proves it, such as calls or neighbours.
func (s *source) single(t *tools, m *mutant) error {
	data, _, err := s.build(t, bodiesOf([]*mutant{m}))
	if err != nil {
		return err
	}
	_, found, err := s.lint(data)
	m.beyond = m.take(found)
	return err
}

// advise applies the advice of the findings, and counts what it leads to.
func (s *source) advise(t *tools, all []*mutant, sheet *table, o *options) error {
	bodies, followed := map[*proc][]line{}, map[*mutant]bool{}
	for _, m := range all {
		bodies[m.p], followed[m] = apply(&s.abi, m.body, m.here)
	}
	wanted := maps.Clone(bodies)
	data, bad, err := s.build(t, bodies)
	if err != nil {
		return err
	}
	_, left, err := s.lint(data)
	if err != nil {
		return err
	}
	for _, m := range all {
		c := sheet.cell(s.abi.Name, m.kind.name)
		var still []subject.Finding
		for _, f := range left {
			if f.Placed && m.p.span().Overlaps(f.Named) {
				still = append(still, f)
			}
		}
		got := corrected
		switch {
		case len(m.here) == 0:
			if err := s.report(o, m, "silent", nil, nil); err != nil {
				return err
			}
			continue
		case !followed[m]:
			got = unadvised
		case slices.Contains(bad, m.p):
			got = refused
		case len(still) > 0:
			got = uncorrected
		}
		c.advice[got]++
		if got != corrected {
			if err := s.report(o, m, adviceNames[got], wanted[m.p], still); err != nil {
				return err
			}
		}
	}
	return nil
}

// reportBase prints what is found in the source without a fault.
func (s *source) reportBase(o *options) {
	for f := range s.found {
		if o.verbose && f.Placed {
			fmt.Printf("base: %s: %s: %s; help: %s\n", s.path, f.Rule, f.Message, f.Help)
		}
	}
}

// report prints a mutant, and keeps its assembly.
func (s *source) report(o *options, m *mutant, what string, body []line, left []subject.Finding) error {
	if !o.verbose {
		return nil
	}
	fmt.Printf("%s: %s: %s: %s: %s\n", what, s.path, m.p.name, m.kind.name, m.what)
	for _, l := range m.body {
		if !slices.Contains(m.p.body, l) {
			fmt.Printf("    now %s at +0x%x\n", strings.TrimSpace(l.text), l.off)
		}
	}
	for _, f := range append(m.here, m.beyond...) {
		fmt.Printf("    %s: %s\n      help: %s\n", f.Rule, f.Message, f.Help)
	}
	for _, f := range left {
		fmt.Printf("    left: %s: %s\n      help: %s\n", f.Rule, f.Message, f.Help)
	}
	if o.keep == "" {
		return nil
	}
	lines, _ := s.with(bodiesOf([]*mutant{m}))
	name := strings.ReplaceAll(strings.Join([]string{what, s.abi.Name, m.p.name, m.kind.name}, "-"), " ", "-") + ".s"
	return os.WriteFile(filepath.Join(o.keep, name), []byte(strings.Join(lines, "\n")), 0o666)
}
