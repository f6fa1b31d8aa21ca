// Package build makes the cases of the conformance suite: from files of the corpus, from the generator and its
// breaks, and by hand. The files are in package conformance of the module. Three programs must agree about each case.
package build

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	suite "github.com/sframe-lint/sframe-lint/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/model"
)

// builder collects cases.
type builder struct {
	cases []conformance.Case
	seen  map[string]bool // sections that there are already
	err   error           // the first one: no case follows it
}

// all makes the cases once: to make them takes seconds.
var all = sync.OnceValues(func() ([]conformance.Case, error) { return cases("") })

// Cases returns the cases whose names match a pattern of conformance.Select.
func Cases(pattern string) ([]conformance.Case, error) {
	if pattern == "" {
		c, err := all()
		return slices.Clone(c), err
	}
	return cases(pattern)
}

func cases(pattern string) ([]conformance.Case, error) {
	b := &builder{seen: map[string]bool{}}
	top, _, _ := strings.Cut(pattern, "/")
	for _, from := range []struct {
		kind string // what nothing else depends on, and takes long
		add  func()
	}{{"", b.files}, {"", b.knobs}, {"", b.breaks}, {"", b.limits}, {"", b.fields}, {"corner", b.corners}, {"large", b.large}} {
		if wanted, err := path.Match(top, from.kind); err == nil && !wanted && from.kind != "" && pattern != "" {
			continue
		}
		from.add()
	}
	if b.err != nil {
		return nil, b.err
	}
	slices.SortStableFunc(b.cases, func(x, y conformance.Case) int { return strings.Compare(x.Kind(), y.Kind()) })
	return conformance.Select(b.cases, pattern, func(c *conformance.Case) string { return c.Name })
}

// files adds the cases of the corpus' files.
func (b *builder) files() {
	names, err := fs.Glob(suite.Files, "cases/*.jsonl")
	b.note("cases", err)
	for _, name := range names {
		text, err := suite.Files.ReadFile(name)
		b.note(name, err)
		for line := range bytes.Lines(text) {
			var c conformance.Case
			b.note(name, json.Unmarshal(line, &c))
			b.cases = append(b.cases, c)
			b.seen[c.Address+" "+c.Section] = true
		}
	}
}

// note keeps the first error, and reports whether there is one by now.
func (b *builder) note(name string, err error) bool {
	if b.err == nil && err != nil {
		b.err = fmt.Errorf("%s: %w", name, err)
	}
	return b.err != nil
}

// maxSection limits the bytes of a section of the suite.
const maxSection = 1500

// add adds a section under a name, with the clauses that it is about. It is not added
// twice, nor if it is large.
func (b *builder) add(name string, data []byte, addr uint64, about []string) {
	key := fmt.Sprintf("0x%x %x", addr, data)
	if b.err != nil || b.seen[key] || len(data) > maxSection {
		return
	}
	b.seen[key] = true
	c, err := judge(data, addr)
	if b.note(fmt.Sprintf("%s: %x at 0x%x", name, data, addr), err) {
		return
	}
	c.Name = name
	for _, id := range append(about, c.Clauses...) {
		if !slices.Contains(about, id) {
			about = append(about, id)
		}
	}
	if len(about) == 0 { // rules that rest on practice, and on no clause of the manual
		about = []string{"C-ALL-SEC-01"}
	}
	c.Clauses = about
	b.cases = append(b.cases, *c)
}

// judge returns the case of a section, with the answer.
func judge(data []byte, addr uint64) (*conformance.Case, error) {
	x, err := conformance.Read(data, addr)
	if err == nil {
		err = x.Answer()
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(x.Rules)
	if x.Duty == conformance.Accept {
		x.Clauses = ofContent(x.Read)
	} else {
		version := model.Version(0)
		if len(data) > 2 {
			version = model.Version(data[2])
		}
		x.Clauses = ofRules(version, x.Rules)
	}
	return &x.Case, nil
}

// lookUps adds look-ups in a section that was added.
func (b *builder) lookUps(name string, data []byte, addr uint64) {
	x, err := conformance.Read(data, addr)
	if b.note(name, err) {
		return
	}
	x.Duty = conformance.Accept
	seen := map[uint64]bool{}
	for _, p := range points(x.Read) {
		if seen[p.pc] {
			continue
		}
		seen[p.pc] = true
		b.lookUp(x, "lookup/"+name+"/"+p.name, p.pc, p.about...)
	}
}

// lookUp adds the look-up of a PC, which is about the clauses with the given ends.
func (b *builder) lookUp(x *conformance.Reading, name string, pc uint64, about ...string) {
	x.Name, x.Clauses = name, named(x.Read.Version(), about...)
	b.note(name, x.LookUp(pc))
	b.cases = append(b.cases, x.Case)
}

type point struct {
	name  string
	pc    uint64
	about []string // the end of the clause of each version
}

// points lists PCs of interest: around the ends of functions, at and before the starts of
// FREs, and for stubs in a later repetition.
func points(s *model.Section) (all []point) {
	stubs := s.Version().Info().Stubs // version 1 does not state the size of stubs
	if s.NumFDEs() == 0 || isRepeated(s.FDE(0)) && !stubs {
		return nil
	}
	f := s.FDE(0)
	add := func(what string, offset uint64, about ...string) {
		all = append(all, point{fmt.Sprintf("fde%d-%s", f.Index(), what), f.Start() + offset, about})
	}
	rows := []string{"PCT-06", "PCT-02"}
	if isRepeated(f) {
		rows = []string{"PCT-07", "PCT-03"}
	}
	size := uint64(f.Size())
	add("before", ^uint64(0), "FDE-07", "IDX-06")
	add("end", size, "FDE-09", "IDX-07")
	if size > 0 {
		add("last", size-1, "FDE-09", "IDX-07")
	}
	for r := range f.FREs() {
		add(fmt.Sprintf("fre%d", r.Index()), uint64(r.Start()), rows...)
		if r.Start() > 0 {
			add(fmt.Sprintf("before-fre%d", r.Index()), uint64(r.Start())-1, "FRE-10")
		}
		for n, at := range campaign.Repetitions(f) {
			if at += uint64(r.Start()); at < size {
				add(fmt.Sprintf("%s-stub-fre%d", []string{"second", "last"}[n], r.Index()), at, "PCT-08", "PCT-04")
			}
		}
	}
	// Of the other functions, the last one is enough: a reader finds it after all others.
	if f = s.FDE(s.NumFDEs() - 1); f.Index() > 0 && f.Size() > 0 && (stubs || !isRepeated(f)) {
		add("start", 0, rows...)
		add("last", uint64(f.Size())-1, "FDE-09", "IDX-07")
	}
	return all
}

func isRepeated(f model.FDE) bool { return f.Mask() }
