// Decode decodes an SFrame section several times and visits each FRE.
//
// Usage: decode FILE TIMES
//
// It prints the least CPU time of a decode and walk in microseconds, as libsframe.c does.
package main

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/sframe-lint/sframe-lint/reader"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "decode:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: decode FILE TIMES")
	}
	data, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	times, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	least, fres := time.Duration(1<<62), 0
	for range times {
		begin := cpuTime()
		section, faults := reader.DecodeSection(data, reader.SectionOptions{})
		if section == nil || len(faults) > 0 {
			return fmt.Errorf("%s: %d faults", args[0], len(faults))
		}
		// Decoding has visited each FRE and checked that it can be read.
		fres = section.NumFREs()
		least = min(least, cpuTime()-begin)
	}
	fmt.Println(least.Microseconds(), fres)
	return nil
}

// cpuTime returns the user and system time of the process.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
