package main

import (
	"os"
	"runtime"
	"runtime/pprof"

	"github.com/sframe-lint/sframe-lint/cmd/lintcmd"
)

func main() {
	runtime.MemProfileRate = 64
	lintcmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	f, _ := os.Create("/tmp/fs/mem.prof")
	pprof.Lookup("allocs").WriteTo(f, 0)
	f.Close()
}
