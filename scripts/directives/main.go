// Command directives puts faults into the CFI directives of compilers' assembly, and reports which of
// them draw a finding, and whether the finding's advice corrects them.
//
//	scripts/directives/build OUT
//	go run -C scripts ./directives -tools TOOLDIR -count 5000 OUT/amd64/*/*.s
//	go run -C scripts ./directives -tools TOOLDIR -run 'drop|offset' -v OUT/s390x/gcc-O2/lapi.s
//	go run -C scripts ./directives -list
//
// GNU as assembles the directives, so that the FREs and the CFI have the same fault. Many functions of
// a file have a fault at a time. The linker makes a shared library of the object, and the linter runs
// on that. Then the advice of each finding is applied to the source as a person would, and all is done
// again: the finding must be gone, and no other one may be there.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"

	"github.com/sframe-lint/sframe-lint/scripts/internal/page"
	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

type options struct {
	kinds   []kind
	tools   string
	work    string // directory for temporary files
	seed    int64
	count   int
	verbose bool
	keep    string // directory for the assembly of what -v prints
	page    string
}

func main() {
	root.Enter()
	var (
		list = flag.Bool("list", false, "list the kinds of fault")
		only = flag.String("run", "", "make the kinds whose names match this `REGEXP`")
		o    options
	)
	flag.StringVar(&o.tools, "tools", os.Getenv("SFRAME_TOOLS"), "`DIRECTORY` of the assemblers and linkers")
	flag.Int64Var(&o.seed, "seed", 1, "`SEED` of the random choices")
	flag.IntVar(&o.count, "count", 500, "`NUMBER` of mutants for each ABI, without equivalent ones")
	flag.BoolVar(&o.verbose, "v", false, "print each mutant that is silent, and each advice that does not correct one")
	flag.StringVar(&o.keep, "keep", "", "with -v, write the assembly of each mutant that is printed into this `DIRECTORY`")
	flag.StringVar(&o.page, "write", "", "write the results into this `PAGE`, docs/studies/directives.md")
	flag.Parse()
	err := func() (err error) {
		if *list {
			return page.Write(o.page, kindList, describeKinds())
		}
		which, err := regexp.Compile(*only)
		if err != nil {
			return err
		}
		for _, k := range kinds {
			if which.MatchString(k.name) {
				o.kinds = append(o.kinds, k)
			}
		}
		if o.work, err = os.MkdirTemp("", "directives"); err != nil {
			return err
		}
		defer os.RemoveAll(o.work)
		if o.keep != "" {
			if err := os.MkdirAll(o.keep, 0o777); err != nil {
				return err
			}
		}
		return mutateAll(flag.Args(), &o)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "directives:", err)
		os.Exit(1)
	}
}
