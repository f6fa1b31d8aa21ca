// Pairs times two commands against each other.
//
// Usage: pairs [-n PAIRS] COMMAND [ARG...] -- REFERENCE [ARG...]
//
// After a warm-up of both, the commands run in turn, so that whatever else the machine does at
// the time strikes both members of a pair alike; the ratios of the pairs then say more than the
// ratio of two separate medians. Output of the commands is dropped; exit status 1 counts as
// success, because a linter's findings are no failure here.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// A run is one execution: its wall time, and its peak resident set in KiB (Linux's unit).
type run struct {
	wall time.Duration
	peak int64
}

func measure(argv []string) (run, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	begin := time.Now()
	err := cmd.Run()
	wall := time.Since(begin)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		return run{}, fmt.Errorf("%s: %w", argv[0], err)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return run{}, fmt.Errorf("%s: no resource usage on this system", argv[0])
	}
	return run{wall: wall, peak: int64(usage.Maxrss)}, nil
}

// median of an odd count is the middle value; of an even one the lower middle, which exists.
func median[T int64 | float64 | time.Duration](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}

func walls(runs []run) []time.Duration {
	out := make([]time.Duration, len(runs))
	for i, r := range runs {
		out[i] = r.wall
	}
	return out
}

func peaks(runs []run) []int64 {
	out := make([]int64, len(runs))
	for i, r := range runs {
		out[i] = r.peak
	}
	return out
}

func report(w io.Writer, name string, runs []run) {
	p := peaks(runs)
	fmt.Fprintf(w, "%-10s median %7.1f ms   peak memory median %.1f MiB, max %.1f MiB\n", name,
		float64(median(walls(runs)).Microseconds())/1e3,
		float64(median(p))/1024, float64(slices.Max(p))/1024)
}

func compare(w io.Writer, pairs int, subject, reference []string) error {
	var ours, theirs []run
	for i := -1; i < pairs; i++ { // pair -1 is the warm-up
		a, err := measure(subject)
		if err != nil {
			return err
		}
		b, err := measure(reference)
		if err != nil {
			return err
		}
		if i >= 0 {
			ours, theirs = append(ours, a), append(theirs, b)
		}
	}
	ratios := make([]float64, pairs)
	for i := range ratios {
		ratios[i] = float64(ours[i].wall) / float64(theirs[i].wall)
		fmt.Fprintf(w, "pair %2d    %7.1f ms : %7.1f ms = %.3f\n", i+1,
			float64(ours[i].wall.Microseconds())/1e3, float64(theirs[i].wall.Microseconds())/1e3, ratios[i])
	}
	report(w, "subject", ours)
	report(w, "reference", theirs)
	fmt.Fprintf(w, "%-10s min %.3f   median %.3f   max %.3f\n", "ratio",
		slices.Min(ratios), median(ratios), slices.Max(ratios))
	return nil
}

func main() {
	pairs := flag.Int("n", 9, "number of pairs, at least 1")
	flag.Parse()
	args := flag.Args()
	cut := slices.Index(args, "--")
	if *pairs < 1 || cut < 1 || cut == len(args)-1 {
		fmt.Fprintln(os.Stderr, "usage: pairs [-n PAIRS] COMMAND [ARG...] -- REFERENCE [ARG...]")
		os.Exit(2)
	}
	if err := compare(os.Stdout, *pairs, args[:cut], args[cut+1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pairs:", err)
		os.Exit(1)
	}
}
