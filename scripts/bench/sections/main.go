// Sections writes the large sections that the benchmarks read, one file for each shape.
//
// Usage: sections FUNCTIONS DIRECTORY
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/sframe-lint/sframe-lint/internal/testkit"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sections:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: sections FUNCTIONS DIRECTORY")
	}
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	for _, shape := range testkit.Shapes() {
		if err := os.WriteFile(filepath.Join(args[1], string(shape)+".sframe"), testkit.ShapeSection(shape, n), 0o666); err != nil {
			return err
		}
	}
	return nil
}
