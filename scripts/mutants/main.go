// Command mutants puts the faults of producers into real linked files, one at a
// time, and reports which of them draw a finding that names the function.
//
//	go run -C scripts ./mutants                     # the corpus's linked files
//	go run -C scripts ./mutants -count 20 lua zstd
//	go run -C scripts ./mutants -run 'cfa|plt' -v lua
//	go run -C scripts ./mutants -truth lua.json lua
//
// The section of a file is decoded, changed and encoded again in its place, so that
// it stays well-formed. Five variants of the file have the section: with .eh_frame
// and a symbol table, with one of them, with neither, and with an .eh_frame that has the
// same fault. The linter then runs on each variant. An independent stack tracer decides whether the fault changes what
// is recovered at any instruction; if not, the mutant is equivalent and does not count.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"

	"github.com/sframe-lint/sframe-lint/scripts/internal/page"
	"github.com/sframe-lint/sframe-lint/scripts/internal/root"
)

func main() {
	root.Enter()
	var (
		list  = flag.Bool("list", false, "list the kinds of fault")
		only  = flag.String("run", "", "make the kinds whose names match this `REGEXP`")
		truth = flag.String("truth", "", "judge by truth `FILES` of sframe-lint trace --record, with commas between them, instead of by the linter")
		o     options
	)
	flag.Int64Var(&o.seed, "seed", 1, "`SEED` of the random choices")
	flag.IntVar(&o.count, "count", 0, "`NUMBER` of mutants of each kind for each file (default 10)")
	flag.BoolVar(&o.verbose, "v", false, "print each mutant that draws no finding, or none that names the function")
	flag.StringVar(&o.keep, "keep", "", "write these mutants to files in this `DIRECTORY`")
	flag.StringVar(&o.page, "write", "", "write the results into this `PAGE`, docs/studies/mutants.md")
	flag.Parse()
	err := func() error {
		if *list {
			return page.Write(o.page, kindList, describeKinds())
		}
		which, err := regexp.Compile(*only)
		if err != nil {
			return err
		}
		for _, k := range kinds() {
			if which.MatchString(k.name) {
				o.kinds = append(o.kinds, k)
			}
		}
		files := flag.Args()
		if len(files) == 0 {
			if files, err = corpusFiles("corpus"); err != nil {
				return err
			}
		}
		if o.count == 0 {
			o.count = 10
		}
		if *truth != "" {
			return judgeAll(files, *truth, &o)
		}
		return mutateAll(files, &o)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}
