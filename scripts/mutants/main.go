// Command mutants puts the faults of producers into real linked files, one at a
// time, and reports which of them draw a finding that names the function.
//
//	go run -C scripts ./mutants                     # the corpus's linked files
//	go run -C scripts ./mutants -count 20 lua zstd
//	go run -C scripts ./mutants -run 'cfa|plt' -v lua
//
// The section of a file is decoded, changed and encoded again in its place, so that
// it stays well-formed. Five variants of the file have the section: with .eh_frame
// and a symbol table, with one of them, with neither, and with an .eh_frame that has the
// same fault. The linter then runs on each variant. An independent stack tracer decides whether the fault changes what
// is recovered at any instruction; if not, the mutant is equivalent and does not count.
package main

import "github.com/sframe-lint/sframe-lint/scripts/internal/harness"

type flags = harness.Flags[mutator]

func main() {
	o := &flags{Count: 10}
	o.KeepFlag()
	o.Main("mutants", mutators, func(files []string) (err error) {
		if len(files) == 0 {
			files, err = corpusFiles("corpus")
		}
		if err != nil {
			return err
		}
		return mutateAll(files, o)
	})
}
