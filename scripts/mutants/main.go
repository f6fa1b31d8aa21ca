// Command mutants makes faults in SFrame data, one at a time, and counts which of them are found. It has three sources:
//
//	go run -C scripts ./mutants sections                       # the corpus's linked files
//	go run -C scripts ./mutants -count 20 sections lua zstd
//	go run -C scripts ./mutants -run 'cfa|plt' -v sections lua
//	scripts/mutants/build OUT
//	go run -C scripts ./mutants -tools TOOLDIR -count 5000 directives OUT/amd64/*/*.s
//	go run -C scripts ./mutants -tools TOOLDIR random          # 300 programs for each assembler
//	go run -C scripts ./mutants -tools TOOLDIR -count 560 -alone -most 0 random # every function, every fault
//	go run -C scripts ./mutants -tools TOOLDIR -run 'gas 2.47' random a.s       # these programs
//	go run -C scripts ./mutants -list SOURCE
//
// The source sections puts the faults of producers into real linked files, and reports which of them draw a finding that
// names the function. The section is decoded, changed and encoded again in its place, so that it stays well-formed. The
// linter runs on four variants of the file: with .eh_frame and a symbol table, with one of them, and with neither.
//
// The source directives puts faults into the CFI directives of compilers' assembly. GNU as assembles them, so that the FREs
// and the CFI have the same fault; many functions of a file have one at a time. The linter runs on a shared library of the
// object. Then the advice of each finding is applied as a person would, and all is done again: the finding must be gone, and
// no other one may be there.
//
// An independent stack tracer decides whether a fault changes what is recovered at any instruction; if not, the mutant is
// equivalent and does not count. Nor does it if the code proves what it states.
//
// The source random looks for faults of assemblers: each translates random CFI. Where its .sframe and its .eh_frame disagree,
// or where it crashes, lines are removed from the program while it still does. What is left names the fault: faults of the
// same kind with the same directives are counted as one, and those that docs/found.md has are named. What sframe-lint expect
// makes of the CFI is compared with .eh_frame as well. For each function that an assembler leaves out of .sframe, what it
// says must be the reason that sframe-lint gives, and it must give none for the others.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand"
	"os"
	"regexp"
	"runtime"

	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

// kind is what -list and -run name: a kind of fault, or an assembler.
type kind interface {
	Describe() (name, about string)
}

// flags are those of the command line.
type flags struct {
	Kinds   []kind // those that -run chooses
	Seed    int64
	Count   int
	Verbose bool
	Keep    string // directory for the mutants
	Tools   string // directory of the assemblers and linkers
	Work    string // directory for temporary files
	most    int
	alone   bool
	jobs    int
}

// sources make mutants, or random programs.
var sources = map[string]struct {
	count int
	kinds func(*flags) []kind
	run   func(*flags, []string) error
}{
	"sections":   {10, func(*flags) []kind { return kindsOf(sectionKinds()) }, mutateFiles},
	"directives": {500, func(*flags) []kind { return kindsOf(directiveKinds) }, mutateSources},
	"random":     {300, func(o *flags) []kind { return kindsOf(assemblers(o.Tools, o.Work)) }, assembleAll},
}

func kindsOf[K kind](all []K) (out []kind) {
	for _, k := range all {
		out = append(out, k)
	}
	return out
}

func main() {
	root.Enter()
	o := &flags{}
	list := flag.Bool("list", false, "list the kinds")
	only := flag.String("run", "", "use the kinds whose names match this `REGEXP`")
	flag.Int64Var(&o.Seed, "seed", 1, "`SEED` of the random choices")
	flag.IntVar(&o.Count, "count", 0, "`NUMBER` of mutants or programs to make (default: 10 of each kind and file, 500 of each ABI, 300 for each assembler)")
	flag.BoolVar(&o.Verbose, "v", false, "print each of which something is to be said")
	flag.StringVar(&o.Keep, "keep", "", "write the mutants that draw nothing to files in this `DIRECTORY`")
	flag.StringVar(&o.Tools, "tools", os.Getenv("SFRAME_TOOLS"), "`DIRECTORY` that scripts/toolchains has unpacked tools into")
	flag.IntVar(&o.most, "most", 12, "minimize at most this `NUMBER` of random programs with differences that look alike; 0: all")
	flag.BoolVar(&o.alone, "alone", false, "give each random function a program of its own")
	flag.IntVar(&o.jobs, "j", runtime.GOMAXPROCS(0), "`NUMBER` of random programs to run at a time")
	flag.Parse()
	if err := o.main(flag.Args(), *list, *only); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func (o *flags) main(args []string, list bool, only string) (err error) {
	from, ok := sources[append(args, "")[0]]
	if !ok {
		return fmt.Errorf("no source is given: sections, directives or random")
	}
	o.Count = cmp.Or(o.Count, from.count)
	which, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if o.Work, err = os.MkdirTemp("", "mutants"); err != nil {
		return err
	}
	defer os.RemoveAll(o.Work)
	for _, k := range from.kinds(o) {
		name, about := k.Describe()
		if list {
			fmt.Printf("| %s | %s |\n", name, about)
		}
		if which.MatchString(name) {
			o.Kinds = append(o.Kinds, k)
		}
	}
	if o.Keep != "" {
		err = os.MkdirAll(o.Keep, 0o777)
	}
	if list || err != nil {
		return err
	}
	return from.run(o, args[1:])
}

// names returns the names of the chosen kinds.
func (o *flags) names() (all []string) {
	for _, k := range o.Kinds {
		name, _ := k.Describe()
		all = append(all, name)
	}
	return all
}

// Random returns the random numbers of a seed for what has these names.
func Random(seed int64, names ...any) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, names...)
	return rand.New(rand.NewSource(seed ^ int64(h.Sum64())))
}
