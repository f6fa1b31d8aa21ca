// Pairs compares the CPU time of two commands.
//
// Usage: pairs [-n PAIRS] [-label NAME] COMMAND [ARG...] -- REFERENCE [ARG...]
//
// After a warm-up of both, the commands run in turn, so that other work of the machine slows
// both members of a pair alike. Pairs prints one line: the smallest CPU time (user and system)
// of each command, the peak memory of each, and how many times as fast the first command is.
// The smallest of several times is the one that other work has disturbed least. The output of
// the commands is dropped. Exit status 1 counts as success: it means that there are findings.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// cost is what the executions of a command took.
type cost struct {
	cpu  []time.Duration // user and system time
	peak int64           // largest resident set in KiB, the unit of Linux
}

func (c *cost) least() time.Duration { return slices.Min(c.cpu) }

func (c *cost) String() string {
	return fmt.Sprintf("%9.1f ms %7.1f MiB", float64(c.least().Microseconds())/1e3, float64(c.peak)/1024)
}

// measure executes a command and adds what it took.
func (c *cost) measure(argv []string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", argv[0], err)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return fmt.Errorf("%s: no resource usage on this system", argv[0])
	}
	c.cpu = append(c.cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	c.peak = max(c.peak, int64(usage.Maxrss))
	return nil
}

func compare(label string, pairs int, subject, reference []string) error {
	var ours, theirs cost
	for i := range pairs + 1 {
		if i == 1 { // the first pair is the warm-up
			ours, theirs = cost{}, cost{}
		}
		if err := errors.Join(ours.measure(subject), theirs.measure(reference)); err != nil {
			return err
		}
	}
	fmt.Printf("%-44s %v   %v %8.2fx\n", label, &ours, &theirs, float64(theirs.least())/float64(ours.least()))
	return nil
}

func main() {
	pairs := flag.Int("n", 9, "number of pairs, at least 1")
	label := flag.String("label", "", "name of the row that is printed")
	flag.Parse()
	args := flag.Args()
	cut := slices.Index(args, "--")
	if *pairs < 1 || cut < 1 || cut == len(args)-1 {
		fmt.Fprintln(os.Stderr, "usage: pairs [-n PAIRS] [-label NAME] COMMAND [ARG...] -- REFERENCE [ARG...]")
		os.Exit(2)
	}
	if err := compare(*label, *pairs, args[:cut], args[cut+1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pairs:", err)
		os.Exit(1)
	}
}
