// Package program has the common parts of the command lines of the two programs: exit statuses, messages on failures,
// and the version. It also runs other programs on files. An [External] has its own process group, and limits of time,
// memory and output. The package must not interpret the output of programs.
package program

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
)

// Exit statuses. An unreadable input takes precedence over findings, which are then incomplete.
const (
	ExitClean    = 0
	ExitFindings = 1 // there are findings that count
	ExitUsage    = 2 // the command line or the configuration is wrong
	ExitFailed   = 3 // a file could not be read or written, or an internal error
)

// statusError is an error with an exit status. The usage does not help with it.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// Failed marks an error, unless it is nil, as an I/O or internal error with the exit status [ExitFailed].
func Failed(err error) error { return ending(ExitFailed, err) }

// WrongUsage marks an error, unless it is nil, as an error in the configuration. The exit status is [ExitUsage], but
// the usage of the command line is not shown.
func WrongUsage(err error) error { return ending(ExitUsage, err) }

func ending(status int, err error) error {
	if err == nil {
		return nil
	}
	return &statusError{status, err}
}

// InternalError is a recovered panic.
type InternalError struct {
	What  string
	Stack []byte // written after the error
}

func (e *InternalError) Error() string { return "internal error: " + e.What }

// Run runs a tree of commands with the arguments after the program's name and returns the exit status. It is
// [ExitClean] without an error, and otherwise that of [Failed] or [WrongUsage]. Any other error is a wrong usage.
func Run(root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return RunTree(func(func(string) bool) *cobra.Command { return root }, args, stdin, stdout, stderr)
}

// RunTree is like [Run], but makes only the commands that the arguments can refer to.
func RunTree(tree Tree, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := tree(commandsNamed(args))
	root.SetArgs(args)
	root.SetIn(stdin)
	out := &checked{w: stdout}
	root.SetOut(out)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return flagError(c, tree, err) })
	root.SetHelpCommand(helpCommand())
	root.SetUsageFunc(usage)
	// No template of cobra's is set: with text/template in use, the linker keeps
	// every method of every type, and the program is twice as large.
	root.Version = versionText()
	root.SetHelpFunc(help)
	limitShells(root, args)
	c, err := root.ExecuteC()
	if out.err != nil && (err == nil || errors.Is(err, out.err)) {
		err = Failed(out.err) // cobra ignores it, or takes it for one of usage
	}
	if err == nil {
		return ExitClean
	}
	text := escape.Printable(plain(err))
	var e *statusError
	if errors.As(err, &e) {
		for _, err := range each(e.err) {
			PrintLine(stderr, root.Name(), "%s", escape.Printable(plain(err)))
		}
		var internal *InternalError
		if errors.As(err, &internal) {
			_, _ = escape.NewWriter(stderr, escape.Text).Write(internal.Stack)
		}
		return e.status
	}
	PrintLine(stderr, root.Name(), "%s\nTry '%s --help' for more.", text, c.CommandPath())
	return ExitUsage
}

// checked passes on what is written and notes the first error.
type checked struct {
	w   io.Writer
	err error
}

func (c *checked) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	if err != nil && c.err == nil {
		c.err = err
	}
	return n, err
}

// each returns the errors that were joined, or the error itself.
func each(err error) []error {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return all.Unwrap()
	}
	return []error{err}
}

// PrintLine writes the program's name and a line to standard error. Callers must have escaped line feeds from an
// input.
func PrintLine(stderr io.Writer, name, format string, args ...any) {
	fmt.Fprintf(escape.NewWriter(stderr, escape.Text), name+": "+format+"\n", args...)
}

// A fatal error of Go's runtime, as that the system refuses memory, would end in
// [ExitUsage]. From here on it is SIGABRT.
func init() { debug.SetTraceback("crash") }

// mostJobs bounds the jobs: more are not faster.
const mostJobs = 1024

// Jobs returns the number of parallel jobs if n are requested; 0 requests one for each processor.
func Jobs(n int) int {
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return min(n, mostJobs)
}

// BaseMemory is the heap size, in bytes, up to which a reading program rarely collects garbage. It excludes .sframe
// sections and memory beyond the base of the budget. With the program itself it is below 64 MiB. MakerMemory is the
// same for programs that make files; they collect garbage a third as often.
const (
	BaseMemory  = 37 << 20
	MakerMemory = 128 << 20
)

// sectionMemory is what .sframe sections of some bytes need: less than twice those.
func sectionMemory(bytes int64) int64 { return bytes + max(bytes/2, min(bytes, 32<<20)) }

// TuneMemory delays garbage collections until the heap has grown by a percentage. It limits memory to base bytes plus
// the memory that inputs may use. The user's own settings take precedence.
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
