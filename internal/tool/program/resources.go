package program

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
)

// A fatal error of Go's runtime, as that the system refuses memory, would end in
// [ExitUsage]. From here on it is SIGABRT.
func init() { debug.SetTraceback("crash") }

// mostJobs bounds the jobs: more are not faster.
const mostJobs = 1024

// Jobs returns how many things to do at once if n are asked for; 0 asks for as
// many as there are processors.
func Jobs(n int) int {
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return min(n, mostJobs)
}

// BaseMemory is the heap size, in bytes, below which the garbage collector of a reading program is lazy, besides .sframe
// sections and memory beyond the base of the budget. With the program it is below 64 MiB. MakerMemory is that of programs
// that make files, which collect garbage a third as often.
const (
	BaseMemory  = 37 << 20
	MakerMemory = 128 << 20
)

// sectionMemory is what .sframe sections of some bytes need: less than twice those.
func sectionMemory(bytes int64) int64 { return bytes + max(bytes/2, min(bytes, 32<<20)) }

// TuneMemory delays garbage collections until the heap has grown by so many
// percent, and bounds memory: base bytes and what inputs may take. The user's own settings win.
func TuneMemory(percent int, base int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(base)
		budget.OnMemory(func(sections, others int64) {
			debug.SetMemoryLimit(base + sectionMemory(sections) + max(others-budget.DefaultMemory, 0)*5/4)
		})
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
