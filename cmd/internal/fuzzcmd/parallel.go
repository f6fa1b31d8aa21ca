package fuzzcmd

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

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
