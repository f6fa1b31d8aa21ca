// Command sframe-lint checks SFrame stack trace data.
package main

import (
	"os"
	"runtime/debug"

	"github.com/sframe-lint/sframe-lint/cmd/lintcmd"
)

func main() {
	// A fatal error of the runtime, like that of memory that can't be had, would end
	// in status 2, which means a wrong command line. This way it is SIGABRT.
	debug.SetTraceback("crash")
	os.Exit(lintcmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
