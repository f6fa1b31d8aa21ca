package fuzzcmd

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"sync"

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

// ahead is the number of results that may wait for their turn per worker.
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
	type task struct {
		i    int
		done chan result[T]
	}
	workers := j.workers(n)
	todo, ordered, quit := make(chan task), make(chan task, ahead*workers), make(chan struct{})
	go func() {
		defer close(todo)
		defer close(ordered)
		for i := range n {
			t := task{i, make(chan result[T], 1)}
			select {
			case ordered <- t:
			case <-quit:
				return
			}
			todo <- t
		}
	}()
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for t := range todo {
				t.done <- guard(t.i, work)
			}
		})
	}
	var err error
	for t := range ordered {
		r := <-t.done
		if err != nil {
			continue
		}
		switch err = r.err; {
		case err != nil:
		case ctx.Err() != nil:
			err = program.ErrInterrupted
		default:
			err = take(t.i, r.value)
		}
		if err != nil {
			close(quit)
		}
	}
	wg.Wait()
	return err
}
