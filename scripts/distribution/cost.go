package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// pair is the CPU time of a package, and of what stands against it.
type pair struct {
	name           string
	packed, plain  time.Duration // of all rounds
	unpack, linted time.Duration
}

func (p *pair) ratio() float64 { return float64(p.packed) / float64(p.plain) }

// costs prints, for each format, the CPU time for the packages against that for unpacking them and checking the trees.
func costs(program, dir string, trees []tree, rounds int) error {
	fmt.Println("\n| format | packages, s | unpack, s | trees, s | ratio | median | largest |\n|---|---|---|---|---|---|---|")
	for i := range formats {
		f := &formats[i]
		var all []pair
		var sum pair
		for j := range trees {
			p := pair{name: trees[j].name}
			for range rounds {
				if err := f.measure(program, dir, &trees[j], &p); err != nil {
					return err
				}
			}
			sum.packed, sum.unpack, sum.linted, sum.plain = sum.packed+p.packed, sum.unpack+p.unpack, sum.linted+p.linted, sum.plain+p.plain
			all = append(all, p)
		}
		slices.SortFunc(all, func(a, b pair) int { return cmp.Compare(a.ratio(), b.ratio()) })
		n := time.Duration(rounds)
		last := &all[len(all)-1]
		fmt.Printf("| %s | %.1f | %.1f | %.1f | %.2f | %.2f | %.2f (%s) |\n", f.name, (sum.packed / n).Seconds(), (sum.unpack / n).Seconds(), (sum.linted / n).Seconds(),
			sum.ratio(), all[len(all)/2].ratio(), last.ratio(), last.name)
	}
	return nil
}

// measure adds one round: the package, and then unpacking it and checking the tree.
func (f *format) measure(program, dir string, t *tree, p *pair) error {
	path, to := f.path(dir, t), filepath.Join(dir, "unpacked")
	defer os.RemoveAll(to)
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	check := func(path string) (time.Duration, error) {
		return cpu(program, "--no-config", "--quiet", "--format", "jsonl=/dev/null", "--allow-empty", "-j", "1", path)
	}
	packed, err := check(path)
	if err != nil {
		return err
	}
	unpack, err := cpu("bash", "-euo", "pipefail", "-c", f.unpack, "bash", path, to)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	linted, err := check(to)
	if err != nil {
		return err
	}
	p.packed, p.unpack, p.linted, p.plain = p.packed+packed, p.unpack+unpack, p.linted+linted, p.plain+unpack+linted
	return nil
}

// cpu returns the CPU time of a program and of what it starts. Findings do not count as a failure.
func cpu(args ...string) (time.Duration, error) {
	c := exec.Command(args[0], args[1:]...)
	c.Stderr = nil
	err := c.Run()
	if c.ProcessState == nil || err != nil && (c.ProcessState.ExitCode() > 3 || c.ProcessState.ExitCode() < 0 || args[0] == "bash") {
		return 0, err
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime(), nil
}
