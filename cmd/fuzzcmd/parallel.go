package fuzzcmd

import (
	"errors"
	"runtime"
	"sync"

	"github.com/spf13/cobra"
)

// jobs is the flag -j.
type jobs int

func (j *jobs) flag(c *cobra.Command) {
	c.Flags().IntVarP((*int)(j), "jobs", "j", 0, "work on `N` files at once (default: the number of processors)")
}

func (j jobs) check() error {
	if j < 0 {
		return errors.New("--jobs: below 0")
	}
	return nil
}

// ahead is how many results may wait for their turn, for each worker.
const ahead = 16

// inOrder calls work for 0 to n-1 in several goroutines, and take with the
// results, one after the other. It ends with the first error of take.
func inOrder[T any](j jobs, n int, work func(i int) T, take func(i int, v T) error) error {
	workers := int(j)
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	type task struct {
		i    int
		done chan T
	}
	todo, ordered, quit := make(chan task), make(chan task, ahead*workers), make(chan struct{})
	go func() {
		defer close(todo)
		defer close(ordered)
		for i := range n {
			t := task{i, make(chan T, 1)}
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
				t.done <- work(t.i)
			}
		})
	}
	var err error
	for t := range ordered {
		v := <-t.done
		if err == nil {
			if err = take(t.i, v); err != nil {
				close(quit)
			}
		}
	}
	wg.Wait()
	return err
}
