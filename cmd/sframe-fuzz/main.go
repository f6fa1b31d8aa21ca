// Command sframe-fuzz makes SFrame stack trace data to test its readers with.
package main

import (
	"os"

	"github.com/sframe-lint/sframe-lint/cmd/internal/fuzzcmd"
)

func main() { os.Exit(fuzzcmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
