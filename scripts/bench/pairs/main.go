// Pairs compares the CPU time of two commands.
//
// Usage: pairs [-n PAIRS] [-wall] [-table NAME] [-label NAME] [-of NAME] [-bytes OURS,THEIRS] [-ran RULES] COMMAND [ARG...] -- REFERENCE [ARG...]
//
// After a warm-up of the two, the commands run in turn, so that other work of the machine slows
// both members of a pair alike. Pairs writes a line to standard error for people, and to standard
// output one of results.tsv: table, label, name of the reference; of each command the smallest
// CPU time (user and system) in microseconds and the peak memory in KiB; the load of the machine
// before the row; and the input sizes in bytes that -bytes gives. The smallest of several
// times is the one that other work has disturbed least. With -wall the times are those from start to end. The output of the commands is dropped.
// Exit status 1 counts as success: it means that there are findings.
//
// With -ran, COMMAND is sframe-lint on files, and is first run once with --format json. Pairs
// fails if a rule was skipped whose ID begins with one of RULES, which are separated by commas;
// "SF" stands for all rules. A row must not claim the time of rules that did not run.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// cost is what the executions of a command took.
type cost struct {
	cpu  []time.Duration // user and system time
	peak int64           // largest resident set in KiB, the unit of Linux
	wall bool            // cpu has the times from start to end instead
}

func (c *cost) least() time.Duration { return slices.Min(c.cpu) }

func (c *cost) String() string {
	return fmt.Sprintf("%9.1f ms %7.1f MiB", float64(c.least().Microseconds())/1e3, float64(c.peak)/1024)
}

// measure executes a command and adds what it took.
func (c *cost) measure(argv []string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	start := time.Now()
	if err := succeeded(argv[0], cmd.Run()); err != nil {
		return err
	}
	elapsed := time.Since(start)
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return fmt.Errorf("%s: no resource usage on this system", argv[0])
	}
	if !c.wall {
		elapsed = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	c.cpu = append(c.cpu, elapsed)
	c.peak = max(c.peak, int64(usage.Maxrss))
	return nil
}

func succeeded(program string, err error) error {
	var exit *exec.ExitError
	if err == nil || errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil
	}
	return fmt.Errorf("%s: %w", program, err)
}

func compare(pairs int, wall bool, subject, reference []string) (ours, theirs cost, err error) {
	for i := range pairs + 1 {
		if i == 1 { // the first pair is the warm-up
			ours, theirs = cost{wall: wall}, cost{wall: wall}
		}
		if err := errors.Join(ours.measure(subject), theirs.measure(reference)); err != nil {
			return ours, theirs, err
		}
	}
	return ours, theirs, nil
}

// ran fails if the command skips one of the rules.
func ran(subject []string, rules string) error {
	if rules == "" {
		return nil
	}
	out, err := exec.Command(subject[0], append([]string{"--format", "json"}, subject[1:]...)...).Output()
	if err := succeeded(subject[0], err); err != nil {
		return err
	}
	return skipped(out, strings.Split(rules, ","))
}

// skipped returns an error if a report in JSON has skipped rules with one of the prefixes, or
// checked nothing.
func skipped(report []byte, prefixes []string) error {
	var r struct {
		Skipped []struct{ Rule, Path, Reason string }
		Summary struct{ Checked int }
	}
	if err := json.Unmarshal(report, &r); err != nil {
		return err
	}
	if r.Summary.Checked == 0 {
		return errors.New("no section was checked")
	}
	for _, s := range r.Skipped {
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s.Rule, p) }) {
			return fmt.Errorf("%s: %s was skipped: %s", s.Path, s.Rule, s.Reason)
		}
	}
	return nil
}

// load returns the load of the machine over the last minute, 0 if the system does not have it.
func load() (l float64) {
	text, _ := os.ReadFile("/proc/loadavg")
	_, _ = fmt.Sscan(string(text), &l)
	return l
}

func main() {
	pairs := flag.Int("n", 9, "number of pairs, at least 1")
	wall := flag.Bool("wall", false, "compare the times from start to end")
	table := flag.String("table", "", "table of the row")
	label := flag.String("label", "", "name of the row")
	of := flag.String("of", "", "name of the reference")
	bytes := flag.String("bytes", "0,0", "input sizes of COMMAND and REFERENCE, in bytes")
	rules := flag.String("ran", "", "prefixes of the rules that must run")
	flag.Parse()
	args := flag.Args()
	cut := slices.Index(args, "--")
	if *pairs < 1 || cut < 1 || cut == len(args)-1 {
		fmt.Fprintln(os.Stderr, "usage: pairs [flags] COMMAND [ARG...] -- REFERENCE [ARG...]")
		os.Exit(2)
	}
	before := load()
	err := ran(args[:cut], *rules)
	var ours, theirs cost
	if err == nil {
		ours, theirs, err = compare(*pairs, *wall, args[:cut], args[cut+1:])
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "pairs: %s: %v\n", *label, err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "%-44s %v   %v %8.2fx\n", *label, &ours, &theirs, float64(theirs.least())/float64(ours.least()))
	size, sizeOf, _ := strings.Cut(*bytes, ",")
	fmt.Printf("%s\t%s\t%s\t%d\t%d\t%d\t%d\t%.1f\t%s\t%s\n", *table, *label, *of,
		ours.least().Microseconds(), ours.peak, theirs.least().Microseconds(), theirs.peak, before, size, sizeOf)
}
