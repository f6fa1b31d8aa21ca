package unwind_test

import (
	"fmt"
	"os"

	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// A core dump gives registers and memory. Its modules are the files of the program.
func ExampleCursor() {
	const dir = "../cmd/internal/trace/testdata/sid-aarch64-signal/"
	f, err := os.Open(dir + "core")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		fmt.Println(err)
		return
	}
	core, err := corefile.Open(f, fi.Size(), reader.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	modules := corefile.NewModules(core, corefile.Options{Exe: dir + "prog"})
	c := unwind.New(core.ABI, core.Threads[0], core, modules, unwind.Options{MaxFrames: 4})
	for {
		fmt.Printf("0x%x\n", c.Frame().PC)
		if stop := c.Step(); stop != nil {
			fmt.Println(stop)
			break
		}
	}
	// Output:
	// 0x400170
	// 0x4001f0
	// 0x400228
	// 0x4003c4
	// limit of frames
}
