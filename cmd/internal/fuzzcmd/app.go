// Package fuzzcmd is the command line of sframe-fuzz.
package fuzzcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

const name = "sframe-fuzz"

// Main runs the command with the arguments after its name and returns the exit
// status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	if status := program.Run(a.command(), args, stdin, stdout, stderr); status != program.ExitClean {
		return status
	}
	return a.status
}

// app is one run of the program.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	status         int // unless there is an error
}

const rootLong = `Makes SFrame stack trace data to test readers with: valid sections of all kinds,
sections with known faults, damaged ones, and seeds for other fuzzers. Minimizes files
on which a reader fails.

The same seed and flags always give the same files, for any value of -j.

Exit status:

    0  success
    1  'run' or 'check' has a new find, or a decoder fails a case
    2  the command line is wrong; nothing was done
    3  a file could not be read or written, or an internal error`

// command returns the tree of commands.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:           name,
		Short:         "Make SFrame stack trace data to test readers with",
		Long:          rootLong,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          program.NoArgs,
		RunE:          func(*cobra.Command, []string) error { return errors.New("no command given") },
	}
	root.AddCommand(
		a.genCommand(), a.breakCommand(), a.mutateCommand(), a.shrinkCommand(), a.exportCommand(),
		a.knobsCommand(), a.runCommand(), a.mergeCommand(), a.conformanceCommand(), a.checkCommand(),
	)
	return root
}

// progress shows how many of a number of things are done. It shows nothing in the first second.
type progress struct {
	program.Progress
	total int
	begun time.Time
}

func newProgress(stderr io.Writer, total int) *progress {
	p := &progress{total: total, begun: time.Now()}
	if program.IsTerminal(stderr) {
		p.Progress = program.Progress{W: stderr, Pause: time.Second / 2, Next: p.begun.Add(time.Second)}
	}
	return p
}

// done shows that i cases are done.
func (p *progress) done(i int, _ *conformance.Result) bool {
	p.show(i)
	return true
}

// show shows that i things are done.
func (p *progress) show(i int) {
	p.Show(func() string {
		return fmt.Sprintf("%d of %d, %.0f a second", i, p.total, float64(i)/time.Since(p.begun).Seconds())
	})
}

// jobs is the flag -j.
type jobs int64

func (j *jobs) flag(c *cobra.Command) {
	c.Flags().Int64VarP((*int64)(j), "jobs", "j", 0, "work on `N` files at a time (default: the number of processors)")
}

func (j jobs) check() error {
	if j < 0 {
		return errors.New("--jobs: must be at least 0")
	}
	return nil
}

// workers returns the number of workers for n tasks.
func (j jobs) workers(n int) int { return max(1, min(program.Jobs(int(min(j, math.MaxInt32))), n)) }

// ahead is the number of results per worker that are made before they are taken.
const ahead = 16

// result is the result of a task.
type result[T any] struct {
	value T
	err   error // if it panicked
}

// guard does a task. A panic becomes an internal error.
func guard[T any](i int, work func(i int) T) (r result[T]) {
	defer func() {
		if v := recover(); v != nil {
			r.err = &program.InternalError{What: fmt.Sprintf("number %d: %v", i, v), Stack: debug.Stack()}
		}
	}()
	r.value = work(i)
	return r
}

// inOrder calls work for 0 to n-1 in several goroutines, and take with the
// results in order. It returns the first error of take, a panic of work as an
// error, or program.ErrInterrupted when the context ends.
func inOrder[T any](ctx context.Context, j jobs, n int, work func(i int) T, take func(i int, v T) error) error {
	workers := j.workers(n)
	results := make([]result[T], min(ahead*workers, n))
	for from := 0; from < n; from += len(results) {
		results = results[:min(len(results), n-from)]
		var next atomic.Int64
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				for k := next.Add(1) - 1; int(k) < len(results); k = next.Add(1) - 1 {
					results[k] = guard(from+int(k), work)
				}
			})
		}
		wg.Wait()
		for k, r := range results {
			switch {
			case r.err != nil:
				return r.err
			case ctx.Err() != nil:
				return program.ErrInterrupted
			}
			if err := take(from+k, r.value); err != nil {
				return err
			}
		}
	}
	return nil
}
