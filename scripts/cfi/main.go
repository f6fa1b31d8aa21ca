// Command cfi looks for faults of assemblers in what they make of CFI directives.
//
//	go run -C scripts ./cfi TOOLDIR                       # 300 programs for each assembler
//	go run -C scripts ./cfi -count 5000 -run 'gas 2.47' TOOLDIR
//	go run -C scripts ./cfi -seed 17 -count 1 -v TOOLDIR
//	go run -C scripts ./cfi -count 560 -alone -most 0 TOOLDIR # every function, every fault
//	go run -C scripts ./cfi TOOLDIR a.s ...               # these programs, for the assemblers that take them
//
// TOOLDIR is a directory that scripts/toolchains has unpacked tools into. Each
// assembler translates random programs of package scripts/internal/randcfi.
// Where its .sframe and its .eh_frame of an object disagree, or where it
// crashes, lines are removed from the program while it still does. What is left names
// the fault: faults of the same kind with the same directives are counted as one, and
// those that docs/found.md has are named.
//
// The section that sframe-lint expect makes of the object's CFI is compared with .eh_frame as well. A function
// that it has and that an assembler leaves out of .sframe is a fault unless the assembler gives a reason.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"sync"

	"github.com/sframe-lint/sframe-lint/scripts/internal/randcfi"
	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

// options are the flags.
type options struct {
	seed, most int64
	count      int
	verbose    bool
	alone      bool
	jobs       int
}

func main() {
	root.Enter()
	var o options
	flag.Int64Var(&o.seed, "seed", 1, "`SEED` of the first program")
	flag.IntVar(&o.count, "count", 300, "`NUMBER` of programs for each assembler")
	flag.Int64Var(&o.most, "most", 12, "minimize at most this `NUMBER` of programs with differences that look alike; 0: all")
	flag.BoolVar(&o.alone, "alone", false, "give each function a program of its own")
	flag.BoolVar(&o.verbose, "v", false, "print the program of each fault")
	flag.IntVar(&o.jobs, "j", runtime.GOMAXPROCS(0), "`NUMBER` of programs to run at a time")
	run := flag.String("run", "", "use the assemblers whose names match this `REGEXP`")
	flag.Parse()
	if err := start(&o, *run, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "cfi:", err)
		os.Exit(1)
	}
}

func start(o *options, run string, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("usage: cfi [flags] TOOLDIR [PROGRAM...]")
	}
	which, err := regexp.Compile(run)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "cfi")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, a := range assemblers(args[0], dir) {
		if !which.MatchString(a.name) {
			continue
		}
		if len(args) > 1 {
			err = judge(a, args[1:])
		} else {
			err = campaign(a, o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// judge prints what an assembler makes of programs in files.
func judge(a *assembler, files []string) error {
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		r, err := a.assemble(string(b))
		if err != nil {
			return err
		}
		fmt.Printf("%s: %s: %s\n", a.name, file, r.outcome())
		for _, f := range r.faults {
			fmt.Printf("  %s\n", f)
		}
	}
	return nil
}

// tally is what an assembler made of all programs.
type tally struct {
	outcomes map[string]int
	reasons  map[string]int    // of FDEs that were left out
	alike    map[string]int64  // faults that look alike
	found    map[string]*found // by their names after minimizing

	programs, expected, omitted int
}

// found is a fault.
type found struct {
	programs int
	seed     int64
	fault    fault
	program  string // the smallest one
	cause    string // the name of a known fault, or ""
}

// campaign runs an assembler on random programs and prints the faults.
func campaign(a *assembler, o *options) error {
	t := tally{outcomes: map[string]int{}, reasons: map[string]int{}, alike: map[string]int64{}, found: map[string]*found{}}
	var mu sync.Mutex
	var wg sync.WaitGroup
	var first error
	seeds := make(chan int64)
	for range o.jobs {
		wg.Go(func() {
			for seed := range seeds {
				if err := t.one(a, o, seed, &mu); err != nil {
					mu.Lock()
					first = cmp.Or(first, err)
					mu.Unlock()
				}
			}
		})
	}
	for i := range o.count {
		seeds <- o.seed + int64(i)
	}
	close(seeds)
	wg.Wait()
	t.print(a, o)
	return first
}

// one runs an assembler on the program of a seed.
func (t *tally) one(a *assembler, o *options, seed int64, mu *sync.Mutex) error {
	p := randcfi.Generate(a.abi, seed)
	if !o.alone {
		return t.program(a, o, seed, p, mu)
	}
	for _, f := range p.Funcs {
		if err := t.program(a, o, seed, &randcfi.Program{ABI: p.ABI, Funcs: []randcfi.Func{f}}, mu); err != nil {
			return err
		}
	}
	return nil
}

func (t *tally) program(a *assembler, o *options, seed int64, p *randcfi.Program, mu *sync.Mutex) error {
	r, err := a.assemble(p.String())
	if err != nil {
		return err
	}
	mu.Lock()
	t.add(r)
	mu.Unlock()
	seen := map[string]bool{}
	for _, f := range r.faults {
		alike := f.alike()
		mu.Lock()
		enough := o.most > 0 && t.alike[alike] >= o.most || seen[alike]
		t.alike[alike]++
		mu.Unlock()
		if seen[alike] = true; enough {
			continue
		}
		small, f, err := a.minimize(p, f)
		if err != nil {
			return err
		}
		mu.Lock()
		name := f.kind + ": " + directives(small)
		x := t.found[name]
		if x == nil {
			x = &found{seed: seed, fault: f, program: small.String(), cause: causeOf(a.name, name)}
			t.found[name] = x
		}
		x.programs++
		mu.Unlock()
	}
	return nil
}

// add counts the result of a program.
func (t *tally) add(r *result) {
	t.programs++
	t.outcomes[r.outcome()]++
	t.expected += r.expected
	t.omitted += r.omitted
	if r.omitted > 0 {
		for _, why := range r.reasons {
			t.reasons[digits.ReplaceAllString(why, "N")]++
		}
	}
}

var digits = regexp.MustCompile(`\b(0x)?[0-9a-f]*[0-9][0-9a-f]*\b`)

func (t *tally) print(a *assembler, o *options) {
	fmt.Printf("%s: %d programs", a.name, t.programs)
	for _, k := range slices.Sorted(maps.Keys(t.outcomes)) {
		fmt.Printf(", %s: %d", k, t.outcomes[k])
	}
	unknown := 0
	for _, x := range t.found {
		if x.cause == "" {
			unknown += x.programs
		}
	}
	fmt.Printf("; %d FDEs expected, %d left out; %d faults not known\n", t.expected, t.omitted, unknown)
	for _, why := range slices.Sorted(maps.Keys(t.reasons)) {
		fmt.Printf("%5d  left out: %s\n", t.reasons[why], why)
	}
	names := slices.SortedFunc(maps.Keys(t.found), func(x, y string) int {
		return cmp.Or(t.found[y].programs-t.found[x].programs, cmp.Compare(x, y))
	})
	for _, name := range names {
		x := t.found[name]
		fmt.Printf("%5d  %s (seed %d): %s\n       %s\n", x.programs, name, x.seed, cmp.Or(x.cause, "not known"), x.fault)
		if o.verbose {
			fmt.Println(x.program)
		}
	}
}
