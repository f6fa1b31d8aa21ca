package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// procMutant is a proc with one fault.
type procMutant struct {
	Change
	p       *proc
	kind    *directiveKind
	what    string // the directive before
	body    []line
	verdict string
	here    []Finding // that name the proc
	beyond  []Finding // that name others, if it is the only one in the file
}

// What a finding's advice leads to.
const (
	corrected   = "corrected"       // no finding is left
	uncorrected = "not corrected"   // a finding is left, or another one comes
	unadvised   = "without advice"  // there is no directive in the advice
	refused     = "rejected advice" // the assembler rejects it
)

// mutateSources makes mutants of the files, judges them, and prints the tables.
func mutateSources(o *flags, paths []string) error {
	t := newTable()
	byMachine := map[string][]*source{}
	for _, path := range paths {
		s, err := loadSource(path, o)
		if errors.Is(err, ErrUnfit) {
			fmt.Fprintln(os.Stderr, "mutants: skipped:", err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		byMachine[s.tools.Ld] = append(byMachine[s.tools.Ld], s)
	}
	for _, machine := range slices.Sorted(maps.Keys(byMachine)) {
		if err := rounds(t, byMachine[machine], o); err != nil {
			return err
		}
	}
	intro := fmt.Sprintf("Seed %d, %d mutants of each ABI, without those that are rejected, equivalent or true.", o.Seed, o.Count)
	_, err := os.Stdout.Write(t.Markdown(intro, "ABI", o.names()))
	return err
}

func newTable() *Table {
	of := func(name string) Column { return Of(name, name, Verdicts...) }
	return &Table{Columns: slices.Concat(Plain("mutants", "rejected", "equivalent", "true", Found),
		[]Column{of(Silent), of(Astray), Of(corrected, corrected, Found)}, Plain(uncorrected, unadvised, refused))}
}

// rounds makes mutants of the sources of an ABI until there are enough.
func rounds(t *Table, all []*source, o *flags) error {
	abi := all[0].abi.Name
	judged := func() (n int) {
		sum := t.Sum(abi, "")
		for _, v := range Verdicts {
			n += sum[v]
		}
		return n
	}
	t.Group(abi)
	for round, before := int64(0), -1; ; round++ {
		done := judged()
		if done >= o.Count || round > 3 && done == before {
			return nil
		}
		before = done
		for _, s := range all {
			if judged() >= o.Count {
				break
			}
			if err := s.round(round, t, o); err != nil {
				return fmt.Errorf("%s: %w", s.path, err)
			}
		}
	}
}

// machines are the names of the ABIs in the names of tools, by the folder of a source.
var machines = map[string]string{"amd64": "x86_64", "aarch64": "aarch64", "s390x": "s390x"}

// loadSource reads a source, and makes a library of it with the tools for a folder of its path.
func loadSource(path string, o *flags) (*source, error) {
	s, err := parse(path)
	if err != nil {
		return nil, err
	}
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if m := machines[part]; m != "" {
			s.tools, s.object = GNU(o.Tools, "sid", m), filepath.Join(o.Work, "mutant.o")
		}
	}
	if s.object == "" {
		return nil, errors.New("no folder of the path names an ABI")
	}
	if len(s.procs) < 3*rarely { // some must keep their FDEs
		return nil, fmt.Errorf("%s: %w", path, ErrUnfit)
	}
	data, err := s.tools.Library(strings.Join(s.lines, "\n"), s.object)
	if err != nil {
		return nil, err
	}
	if s.base, err = Load(path, data, nil); err != nil {
		return nil, err
	}
	s.abi = s.base.ABI
	if err := s.place(); err != nil {
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
	if s.found, err = s.base.Lint(Linter, data, s.base.Base); err != nil {
		return nil, err
	}
	s.procs = slices.DeleteFunc(s.procs, func(p *proc) bool { return p.start == 0 })
	return s, nil
}

func (p *proc) span() Ranges { return Ranges{Span(p.start, uint32(p.size))} }

// rarely is the number of procs of a file of which one has a fault at a time.
const rarely = 2

// round makes a fault in some procs of the source, and judges all of them.
func (s *source) round(round int64, t *Table, o *flags) error {
	rnd := Random(o.Seed^round<<32, filepath.Base(s.path))
	var all []*procMutant
	for _, p := range s.procs {
		clean := !slices.ContainsFunc(slices.Collect(maps.Keys(s.found)), func(f Finding) bool { return f.Placed && p.span().Overlaps(f.Named) })
		if !clean || rnd.Intn(rarely) > 0 && len(s.procs) > 1 {
			continue
		}
		k := o.Kinds[rnd.Intn(len(o.Kinds))].(*directiveKind)
		if body, what := s.mutate(p, k, rnd); body != nil {
			all = append(all, &procMutant{p: p, kind: k, what: what, body: body})
		}
	}
	all, err := s.judge(all, t)
	if err != nil {
		return err
	}
	return s.advise(all, t, o)
}

// build makes a library of the source with other bodies, without those that the assembler rejects, which
// are returned.
func (s *source) build(bodies map[*proc][]line) (data []byte, bad []*proc, err error) {
	for {
		text, starts := s.with(bodies)
		data, err = s.tools.Library(text, s.object)
		var r *Refused
		if !errors.As(err, &r) {
			return data, bad, err
		}
		var drop []*proc
		for _, n := range r.Lines {
			i, ok := slices.BinarySearch(starts, n)
			if !ok {
				i--
			}
			if i >= 0 && bodies[s.procs[i]] != nil {
				drop = append(drop, s.procs[i])
			}
		}
		if len(r.Lines) == 0 && len(bodies) > 0 {
			var failed error
			if drop, failed = s.crashing(bodies); failed != nil {
				return nil, bad, failed
			}
		}
		if len(drop) == 0 {
			return nil, bad, err
		}
		for _, p := range drop {
			delete(bodies, p)
		}
		bad = append(bad, drop...)
	}
}

// crashing returns the procs with whose bodies the assembler crashes or rejects the source.
func (s *source) crashing(bodies map[*proc][]line) (bad []*proc, err error) {
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
		_, more, err := s.build(some)
		if err != nil {
			return nil, err
		}
		bad = append(bad, more...)
	}
	return bad, nil
}

// lint builds the source with other bodies. It returns the section of the library, new findings that name addresses, and
// the procs whose bodies the assembler rejects.
func (s *source) lint(bodies map[*proc][]line) (*model.Section, []Finding, []*proc, error) {
	data, bad, err := s.build(bodies)
	if err != nil {
		return nil, nil, nil, err
	}
	f, err := Load(s.path, data, nil)
	if err != nil {
		return nil, nil, nil, err
	}
	now, err := f.Lint(Linter, data, f.Base)
	found := slices.DeleteFunc(New(now, s.found), func(f Finding) bool { return !f.Placed })
	return f.Base, found, bad, err
}

func bodiesOf(all []*procMutant) map[*proc][]line {
	out := map[*proc][]line{}
	for _, m := range all {
		out[m.p] = m.body
	}
	return out
}

// judge assembles mutants together and counts the verdicts. It returns those that count.
func (s *source) judge(all []*procMutant, t *Table) ([]*procMutant, error) {
	section, found, bad, err := s.lint(bodiesOf(all))
	if err != nil {
		return nil, err
	}
	var changes []*Change
	all = slices.DeleteFunc(all, func(m *procMutant) bool {
		c := t.Cell(s.abi.Name, m.kind.name)
		c["mutants"]++
		if slices.Contains(bad, m.p) {
			c["rejected"]++
			return true
		}
		m.Change = Change{Section: section, Touched: m.p.span()}
		changes = append(changes, &m.Change)
		return false
	})
	if err := s.base.Prove(changes); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(m *procMutant) bool { return !m.Count(t.Cell(s.abi.Name, m.kind.name)) })
	for _, m := range all {
		// Other faults may hide what proves this one, such as calls or neighbours.
		if m.verdict, m.here = Judge(found, m.Touched); m.verdict != Found {
			if _, m.beyond, _, err = s.lint(bodiesOf([]*procMutant{m})); err != nil {
				return nil, err
			}
			m.verdict, m.here = Judge(m.beyond, m.Touched)
		}
		t.Cell(s.abi.Name, m.kind.name)[m.verdict]++
	}
	return all, nil
}

// advise applies the advice of the findings, and counts what it leads to.
func (s *source) advise(all []*procMutant, t *Table, o *flags) error {
	bodies, followed := map[*proc][]line{}, map[*procMutant]bool{}
	for _, m := range all {
		bodies[m.p], followed[m] = apply(&s.abi, m.body, m.here)
	}
	_, left, bad, err := s.lint(bodies)
	if err != nil {
		return err
	}
	for _, m := range all {
		_, still := Judge(left, m.Touched)
		got := corrected
		switch {
		case m.verdict != Found:
			if err := s.report(o, m, Silent, nil); err != nil {
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
		t.Cell(s.abi.Name, m.kind.name)[got]++
		if got != corrected {
			if err := s.report(o, m, got, still); err != nil {
				return err
			}
		}
	}
	return nil
}

// report prints a mutant, and keeps its assembly.
func (s *source) report(o *flags, m *procMutant, what string, left []Finding) error {
	if o.Verbose {
		m.print(what, s.path, left)
	}
	if o.Keep == "" {
		return nil
	}
	text, _ := s.with(bodiesOf([]*procMutant{m}))
	name := strings.ReplaceAll(strings.Join([]string{what, s.abi.Name, m.p.name, m.kind.name}, "-"), " ", "-") + ".s"
	return os.WriteFile(filepath.Join(o.Keep, name), []byte(text), 0o666)
}

func (m *procMutant) print(what, path string, left []Finding) {
	fmt.Printf("%s: %s: %s: %s: %s\n", what, path, m.p.name, m.kind.name, m.what)
	for _, l := range m.body {
		if !slices.Contains(m.p.body, l) {
			fmt.Printf("    now %s at +0x%x\n", strings.TrimSpace(l.text), l.off)
		}
	}
	said := m.here
	if len(said) == 0 {
		said = m.beyond
	}
	for _, f := range said {
		fmt.Printf("    %s: %s\n      help: %s\n", f.Rule, f.Message, f.Help)
	}
	for _, f := range left {
		fmt.Printf("    left: %s: %s\n      help: %s\n", f.Rule, f.Message, f.Help)
	}
}
