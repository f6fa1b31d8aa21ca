package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// assembleAll runs the assemblers on programs in files, or on random ones.
func assembleAll(o *flags, files []string) (err error) {
	t := &Table{Columns: Plain("programs", agrees, disagrees, rejected, crashed, "functions", "left out", "faults not known")}
	for _, k := range o.Kinds {
		a := k.(*assembler)
		t.Group(a.name)
		if len(files) > 0 {
			err = judgeFiles(a, files, t.Cell(a.name, ""))
		} else {
			err = campaign(a, o, t.Cell(a.name, ""))
		}
		if err != nil {
			return err
		}
	}
	var b bytes.Buffer
	t.Sums(&b, "assembler")
	_, err = b.WriteTo(os.Stdout)
	return err
}

// judgeFiles prints what an assembler makes of programs in files.
func judgeFiles(a *assembler, files []string, counts Counts) error {
	t := tally{Counts: counts, reasons: Counts{}}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		r, err := a.assemble(string(b))
		if err != nil {
			return err
		}
		fmt.Printf("%s: %s: %s %s\n", a.name, file, r.outcome(), r.message)
		t.add(r)
		for _, f := range r.faults {
			fmt.Printf("  %s\n", f)
			if f.kind == reason {
				t.Counts["faults not known"]++
			}
		}
	}
	return nil
}

// tally is what an assembler made of all programs.
type tally struct {
	sync.Mutex
	Counts
	reasons Counts            // of FDEs that were left out, and of programs that were rejected
	alike   Counts            // faults that look alike
	found   map[string]*found // by their names after minimizing
}

// found is a fault.
type found struct {
	programs int
	seed     int64
	fault    fault
	program  string // the smallest one
	cause    string // the name of a known fault, or ""
}

// campaign runs an assembler on random programs, counts, and prints the faults.
func campaign(a *assembler, o *flags, counts Counts) error {
	t := tally{Counts: counts, reasons: Counts{}, alike: Counts{}, found: map[string]*found{}}
	var g errgroup.Group
	g.SetLimit(o.jobs)
	for i := range o.Count {
		g.Go(func() error { return t.one(a, o, o.Seed+int64(i)) })
	}
	err := g.Wait()
	t.print(a, o)
	return err
}

// one runs an assembler on the program of a seed.
func (t *tally) one(a *assembler, o *flags, seed int64) error {
	p := generate(a.abi, seed)
	if !o.alone {
		return t.program(a, o, seed, p)
	}
	for _, f := range p.Funcs {
		if err := t.program(a, o, seed, &asmProgram{ABI: p.ABI, Funcs: []asmFunc{f}}); err != nil {
			return err
		}
	}
	return nil
}

func (t *tally) program(a *assembler, o *flags, seed int64, p *asmProgram) error {
	r, err := a.assemble(p.String())
	if err != nil {
		return err
	}
	t.Lock()
	t.add(r)
	t.Unlock()
	seen := map[string]bool{}
	for _, f := range r.faults {
		alike := f.alike()
		t.Lock()
		enough := o.most > 0 && t.alike[alike] >= o.most || seen[alike]
		t.alike[alike]++
		t.Unlock()
		if seen[alike] = true; enough {
			continue
		}
		small, f, err := a.minimize(p, f)
		if err != nil {
			return err
		}
		t.Lock()
		name := f.kind + ": " + directivesOf(small)
		x := t.found[name]
		if x == nil {
			x = &found{seed: seed, fault: f, program: small.String(), cause: causeOf(a.name, name)}
			t.found[name] = x
		}
		x.programs++
		t.Unlock()
	}
	return nil
}

// add counts the result of a program.
func (t *tally) add(r *result) {
	t.Counts["programs"]++
	t.Counts[r.outcome()]++
	t.Counts["functions"] += r.functions
	t.Counts["left out"] += r.omitted
	if r.outcome() == rejected {
		t.reasons["rejected: "+r.message]++
	}
	if r.omitted > 0 {
		for _, why := range r.reasons {
			t.reasons["left out: "+digits.ReplaceAllString(why, "N")]++
		}
	}
}

var digits = regexp.MustCompile(`\b(0x)?[0-9a-f]*[0-9][0-9a-f]*\b`)

func (t *tally) print(a *assembler, o *flags) {
	fmt.Printf("%s:\n", a.name)
	for _, why := range slices.Sorted(maps.Keys(t.reasons)) {
		fmt.Printf("%5d  %s\n", t.reasons[why], why)
	}
	names := slices.SortedFunc(maps.Keys(t.found), func(x, y string) int {
		return cmp.Or(t.found[y].programs-t.found[x].programs, cmp.Compare(x, y))
	})
	for _, name := range names {
		x := t.found[name]
		if x.cause == "" {
			t.Counts["faults not known"] += x.programs
		}
		fmt.Printf("%5d  %s (seed %d): %s\n       %s\n", x.programs, name, x.seed, cmp.Or(x.cause, "not known"), x.fault)
		if o.Verbose {
			fmt.Println(x.program)
		}
	}
}
