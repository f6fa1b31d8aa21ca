package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/testkit/corpus"
)

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

// mutateFiles makes mutants of the files and prints the tables.
func mutateFiles(o *flags, files []string) (err error) {
	if len(files) == 0 {
		if files, err = corpusFiles("corpus"); err != nil {
			return err
		}
	}
	t := &Table{Columns: columns()}
	for _, path := range files {
		in, err := loadInput(path)
		if errors.Is(err, ErrUnfit) {
			fmt.Fprintln(os.Stderr, "mutants: skipped:", err)
			continue
		}
		if err == nil {
			err = in.vary()
		}
		if err == nil {
			t.Group(in.ABI.Short())
			err = in.checkAll(t, o)
		}
		if err != nil {
			return err
		}
	}
	intro := fmt.Sprintf("Seed %d, up to %d mutants of each kind for each file.", o.Seed, o.Count)
	_, err = os.Stdout.Write(t.Markdown(intro, "ABI", o.names()))
	return err
}

// columns returns those of the tables: the verdicts on a variant are in one.
func columns() []Column {
	out := Plain("mutants", "equivalent", "true")
	for _, v := range variantNames {
		title := strings.ReplaceAll(v, ".eh_frame", "`.eh_frame`")
		out = append(out, Column{Name: title, Text: func(c Counts) string {
			found, silent, astray := c[v+Found], c[v+Silent], c[v+Astray]
			share := fmt.Sprintf(" (%.1f%%)", 100*float64(silent)/float64(found+silent+astray))
			switch {
			case astray > 0:
				return fmt.Sprintf("%d / %d / %d%s", found, silent, astray, share)
			case silent > 0:
				return fmt.Sprintf("%d / %d%s", found, silent, share)
			case found > 0:
				return fmt.Sprint(found)
			}
			return ""
		}})
	}
	return out
}

// checkAll makes the mutants of a file and judges them.
func (in *input) checkAll(t *Table, o *flags) error {
	var all []*mutant
	err := in.each(o, func(m *mutant) error {
		all = append(all, m)
		return nil
	})
	if err == nil {
		changes := make([]*Change, len(all))
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
func (in *input) each(o *flags, visit func(*mutant) error) error {
	for _, k := range o.Kinds {
		k := k.(*sectionKind)
		rnd := Random(o.Seed, k.name, filepath.Base(in.Path))
		seen := map[string]bool{}
		for try := 0; try < 3*o.Count && len(seen) < o.Count; try++ {
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
func (in *input) check(m *mutant, t *Table, o *flags) error {
	c := t.Cell(in.ABI.Short(), m.kind.name)
	c["mutants"]++
	if !m.Count(c) {
		return nil
	}
	for v := range in.variants {
		x := &in.variants[v]
		if !x.has {
			continue
		}
		got, said, err := in.try(x, m)
		if err != nil {
			return err
		}
		c[variantNames[v]+got]++
		if got != Found && o.Verbose {
			in.report(m, v, got, said)
		}
		if got != Found && o.Keep != "" {
			if err := in.write(m, v, o.Keep); err != nil {
				return err
			}
		}
	}
	return nil
}

// try lints a variant of the file with the mutant's section. It returns the verdict, and what is new.
func (in *input) try(x *variant, m *mutant) (string, []Finding, error) {
	in.put(x.data, m.bytes)
	defer in.restore(x.data)
	now, err := in.Lint(Linter, x.data, m.Section)
	said := New(now, x.base)
	got, _ := Judge(said, m.Touched)
	return got, said, err
}

// report prints a mutant, and what is new.
func (in *input) report(m *mutant, v int, got string, said []Finding) {
	where := ""
	for _, r := range m.Touched {
		where += fmt.Sprintf(" %s 0x%x-0x%x", in.Name(r.First), r.First, r.Last+1)
	}
	fmt.Printf("%s: %s: %s: %s:%s\n", got, in.Path, variantNames[v], m.kind.name, where)
	for _, f := range said {
		fmt.Printf("    %s: %.160s\n", f.Rule, f.Message)
	}
}

// write writes a variant of the file with the mutant's section.
func (in *input) write(m *mutant, v int, dir string) error {
	x := &in.variants[v]
	in.put(x.data, m.bytes)
	defer in.restore(x.data)
	name := fmt.Sprintf("%s-%s-%s-%x", m.kind.name, strings.TrimPrefix(variantNames[v], "."), filepath.Base(in.Path), m.Touched[0].First)
	return os.WriteFile(filepath.Join(dir, name), x.data, 0o666)
}
