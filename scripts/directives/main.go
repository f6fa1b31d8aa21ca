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
	"github.com/sframe-lint/sframe-lint/scripts/internal/harness"
)

type flags = harness.Flags[mutator]

func main() {
	o := &flags{Count: 500}
	o.KeepFlag()
	o.ToolsFlag()
	o.Main("directives", func() []mutator { return mutators }, func(files []string) error { return mutateAll(files, o) })
}
