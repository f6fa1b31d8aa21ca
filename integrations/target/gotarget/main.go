//go:build target

// Command gotarget is a reader in Go that is fuzzed in process, as a libFuzzer target:
//
//	go build -C integrations -tags target -buildmode=c-shared -o libreader.so ./target/gotarget
//	sframe-fuzz run --library own=libreader.so --time 1m --out campaign
package main

import "C"

import (
	"unsafe"

	"github.com/sframe-lint/sframe-lint/reader"
)

func main() {}

// LLVMFuzzerTestOneInput decodes a section. It returns -1 if the section has faults.
//
//export LLVMFuzzerTestOneInput
func LLVMFuzzerTestOneInput(data *C.uchar, size C.size_t) C.int {
	_, faults := reader.DecodeSection(C.GoBytes(unsafe.Pointer(data), C.int(size)), reader.SectionOptions{})
	if len(faults) > 0 {
		return -1
	}
	return 0
}
