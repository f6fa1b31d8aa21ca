package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand"
	"os"
	"path/filepath"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/scripts/internal/page"
	"github.com/sframe-lint/sframe-lint/scripts/internal/subject"
)

type options struct {
	kinds   []kind
	seed    int64
	count   int
	verbose bool
	keep    string
	page    string
}

// corpusFiles returns the healthy linked files of the corpus.
func corpusFiles(dir string) (out []string, err error) {
	entries, err := corpus.Load(dir)
	for i := range entries {
		e := &entries[i]
		if e.Healthy && e.SFrameVersion > 0 && (strings.HasSuffix(e.File, ".elf") || strings.HasSuffix(e.File, ".so")) {
			out = append(out, filepath.Join(dir, filepath.FromSlash(e.File)))
		}
	}
	return out, err
}

// mutateAll makes mutants of the files and prints the tables.
func mutateAll(files []string, o *options) error {
	t := table{}
	for _, path := range files {
		in, err := load(path)
		if errors.Is(err, subject.ErrUnfit) {
			fmt.Fprintln(os.Stderr, "mutants: skipped:", err)
			continue
		}
		if err == nil {
			err = in.vary()
		}
		if err == nil {
			t.file(in, brief(in.Path))
			err = in.checkAll(&t, o)
		}
		if err != nil {
			return err
		}
	}
	if o.page != "" {
		if err := page.Write(o.page, kindList, describeKinds()); err != nil {
			return err
		}
	}
	return page.Write(o.page, results, t.markdown(o))
}

// checkAll makes the mutants of a file and judges them.
func (in *input) checkAll(t *table, o *options) error {
	var all []*mutant
	err := in.each(o, func(m *mutant) error {
		all = append(all, m)
		return nil
	})
	if err == nil {
		changes := make([]*subject.Change, len(all))
		for i, m := range all {
			changes[i] = &m.Change
		}
		err = in.Prove(changes)
	}
	for _, m := range all {
		if err == nil {
			err = in.check(m, t, o)
		}
	}
	return err
}

// each makes the mutants of a file. They depend on the seed, the kind and the file's name.
func (in *input) each(o *options, visit func(*mutant) error) error {
	for i := range o.kinds {
		k := &o.kinds[i]
		h := fnv.New64a()
		fmt.Fprint(h, k.name, filepath.Base(in.Path))
		rnd := rand.New(rand.NewSource(o.seed ^ int64(h.Sum64())))
		seen := map[string]bool{}
		for try := 0; try < 3*o.count && len(seen) < o.count; try++ {
			m, err := in.mutate(k, rnd)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", in.Path, k.name, err)
			}
			if m == nil {
				break
			}
			if seen[string(m.bytes)] {
				continue
			}
			seen[string(m.bytes)] = true
			if err := visit(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// check judges a mutant in all variants of the file.
func (in *input) check(m *mutant, t *table, o *options) error {
	c := t.cell(in.ABIName(), m.kind.name)
	c.mutants++
	switch {
	case m.Equivalent:
		c.equivalent++
		return nil
	case m.Proven:
		c.proven++
		return nil
	}
	for v := range in.variants {
		x := &in.variants[v]
		if !x.has || v == source && (hasStubs(in.Base, m.Touched) || hasStubs(m.Section, m.Touched)) {
			continue
		}
		got, said, err := in.try(x, m)
		if err != nil {
			return err
		}
		c.verdicts[v][got]++
		if got != found {
			if o.verbose {
				in.report(m, v, got, said)
			}
			if o.keep != "" {
				if err := in.write(m, v, o.keep); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// try lints a variant of the file with the mutant's section.
func (in *input) try(x *variant, m *mutant) (verdict, []subject.Finding, error) {
	file := in.put(x, m.bytes, m.Section)
	defer in.restore(x.data)
	now, err := in.Lint(linter, file, m.Section)
	if err != nil {
		return silent, nil, err
	}
	got, said := x.judge(now, m.Touched)
	return got, said, nil
}

var verdictNames = [...]string{"silent", "wrong function", "found"}

// report prints a mutant: its functions, and the bytes that differ.
func (in *input) report(m *mutant, v int, got verdict, said []subject.Finding) {
	where := ""
	for _, r := range m.Touched {
		where += fmt.Sprintf(" %s 0x%x-0x%x", in.Name(r.First), r.First, r.Last+1)
	}
	fmt.Printf("%s: %s: %s: %s:%s\n", verdictNames[got], in.Path, variantNames[v], m.kind.name, where)
	before, after := in.differ(m)
	fmt.Printf("    0x%x: %x -> %x\n", before.Off, in.Base.Bytes(before), m.bytes[after.Off:after.End()])
	for _, f := range said {
		fmt.Printf("    %s: %.160s\n", f.Rule, f.Message)
	}
}

// differ returns up to 24 bytes of the two sections from the first one that differs.
func (in *input) differ(m *mutant) (before, after model.Span) {
	old := in.Base.Bytes(model.Span{Len: in.Base.Size()})
	off := 0
	for off < min(len(old), len(m.bytes))-1 && old[off] == m.bytes[off] {
		off++
	}
	cut := func(n int) model.Span { return model.Span{Off: int64(off), Len: int64(min(24, n-off))} }
	return cut(len(old)), cut(len(m.bytes))
}

// write writes a variant of the file with the mutant's section.
func (in *input) write(m *mutant, v int, dir string) error {
	x := &in.variants[v]
	file := in.put(x, m.bytes, m.Section)
	defer in.restore(x.data)
	name := fmt.Sprintf("%s-%s-%s-%x", m.kind.name, strings.TrimPrefix(variantNames[v], "."), filepath.Base(in.Path), m.Touched[0].First)
	return os.WriteFile(filepath.Join(dir, name), file, 0o666)
}
