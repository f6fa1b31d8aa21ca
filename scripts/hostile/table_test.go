//go:build linux

package hostile

import (
	"errors"
	"fmt"
	"strings"
)

// table prints the results, a row for each input, and counts them.
type table struct{ inputs, runs, over int }

func (t *table) head() {
	fmt.Println("| input | runs | most memory | most CPU time | most output | over |")
	fmt.Println("|---|---|---|---|---|---|")
}

// row prints the worst of an input's results, and the runs that exceed a limit.
func (t *table) row(in *input, results []result, verbose bool) {
	t.inputs++
	t.runs += len(results)
	var memory, cpu, output result
	over := 0
	for _, r := range results {
		if r.memory > memory.memory {
			memory = r
		}
		if r.cpu > cpu.cpu {
			cpu = r
		}
		if r.output > output.output {
			output = r
		}
		if len(r.over) > 0 {
			over++
		}
	}
	t.over += over
	fmt.Printf("| %s | %d | %s, %s | %.2f s, %s | %s, %s | %d |\n", in.name, len(results),
		mib(memory.memory), memory.mode, cpu.cpu.Seconds(), cpu.mode, mib(output.output), output.mode, over)
	for _, r := range results {
		if len(r.over) > 0 {
			fmt.Printf("    OVER: %s: %s\n", r.mode, strings.Join(r.over, "; "))
		}
		if verbose {
			fmt.Printf("    %-14s status %d, %s, %.2f s, output %s\n", r.mode, r.status, mib(r.memory), r.cpu.Seconds(), mib(r.output))
		}
	}
}

func (t *table) foot() error {
	fmt.Printf("\n%d inputs, %d runs, %d over\n", t.inputs, t.runs, t.over)
	if t.runs == 0 {
		return errors.New("nothing was run")
	}
	if t.over > 0 {
		return errors.New("runs took more than they may, or failed")
	}
	return nil
}
