//go:build libfuzzer

package libfuzzer

// #include <stddef.h>
// #include <stdint.h>
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

var running *engine

// LLVMFuzzerTestOneInput runs the target on an input. An input on which it fails ends
// the process as a panic.
//
// With LIBFUZZER_SEEDS in the environment, it writes the target's seeds to that
// directory and exits.
//
//export LLVMFuzzerTestOneInput
func LLVMFuzzerTestOneInput(data *C.uint8_t, size C.size_t) C.int {
	if running == nil {
		begin()
	}
	b := make([]byte, size)
	copy(b, unsafe.Slice((*byte)(data), size))
	if err := running.run(b); err != nil {
		panic(err)
	}
	return 0
}

func begin() {
	e, err := start()
	if seeds := os.Getenv("LIBFUZZER_SEEDS"); err == nil && seeds != "" {
		if err = e.write(seeds); err == nil {
			os.Exit(0)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	running = e
}
