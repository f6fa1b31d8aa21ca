// Sections writes the large sections for the benchmarks, one file per shape. With -decode, it prints the least CPU
// time of decoding and visiting a file, in microseconds, like libsframe.c.
//
//	sections FUNCTIONS DIRECTORY
//	sections -decode TIMES FILE
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
	"github.com/sframe-lint/sframe-lint/reader"
)

func main() {
	log.SetFlags(0)
	run := write
	decodes := flag.Bool("decode", false, "decode a section")
	flag.Parse()
	if *decodes {
		run = decode
	}
	n, err := strconv.Atoi(flag.Arg(0))
	if err == nil {
		err = run(n, flag.Arg(1))
	}
	if err != nil {
		log.Fatal("sections: ", err)
	}
}

func write(functions int, dir string) error {
	for _, shape := range testkit.Shapes() {
		if err := os.WriteFile(filepath.Join(dir, string(shape)+".sframe"), testkit.ShapeSection(shape, functions), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func decode(times int, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	least := time.Duration(1 << 62)
	for range times {
		begin := cpuTime()
		section, faults := reader.DecodeSection(data, reader.SectionOptions{}) // visits each FRE, and checks that it can be read
		if section == nil || len(faults) > 0 {
			return fmt.Errorf("%s: %d faults", path, len(faults))
		}
		least = min(least, cpuTime()-begin)
	}
	fmt.Println(least.Microseconds())
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
