// Command sframe-lint checks SFrame stack trace data.
package main

import (
	"os"

	"github.com/sframe-lint/sframe-lint/cmd/internal/lintcmd"
)

func main() {
	os.Exit(lintcmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
