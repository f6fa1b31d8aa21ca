//go:build mutator

// Command afl is a custom mutator for AFL++, built as a shared library, and for libFuzzer,
// built as an archive that is linked into the fuzzer:
//
//	go build -C integrations -tags mutator -buildmode=c-shared -o sframe-mutator.so ./afl
//	AFL_CUSTOM_MUTATOR_LIBRARY=$PWD/sframe-mutator.so afl-fuzz ...
//
//	go build -C integrations -tags mutator -buildmode=c-archive -o sframe-mutator.a ./afl
//	clang -fsanitize=fuzzer target.c sframe-mutator.a
//
// It mutates SFrame sections by their structure, joins two of them, and trims them.
package main

/*
#include <stdint.h>
#include <stdlib.h>

// The state of a mutator, in memory of C: C must not keep pointers to Go's memory.
typedef struct {
	uintptr_t handle;
	unsigned char *out, *trimmed;
	size_t out_room, trimmed_room;
	char *text;
} sframe_mutator;
*/
import "C"

// Only this file of the module uses unsafe. AFL++ passes inputs as a pointer and a length, and needs results at a
// fixed address until the next call, so results are in memory of C. All other code uses slices made here.
import (
	"runtime/cgo"
	"unsafe"
)

func main() {}

// state returns the mutator of a pointer of AFL++.
func state(data unsafe.Pointer) (*C.sframe_mutator, *mutator) {
	c := (*C.sframe_mutator)(data)
	return c, cgo.Handle(c.handle).Value().(*mutator)
}

// bytesOf returns bytes of C, which are valid during a call.
func bytesOf(p *C.uchar, n C.size_t) []byte {
	if p == nil || n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(p)), int(n))
}

// hand copies bytes to memory of C and returns their number, 0 if there is no
// room.
func hand(b []byte, at **C.uchar, room *C.size_t) C.size_t {
	if n := C.size_t(len(b)); n > *room {
		p := C.realloc(unsafe.Pointer(*at), n)
		if p == nil {
			return 0
		}
		*at, *room = (*C.uchar)(p), n
	}
	copy(bytesOf(*at, *room), b)
	return C.size_t(len(b))
}

//export afl_custom_init
func afl_custom_init(_ unsafe.Pointer, seed C.uint) unsafe.Pointer {
	c := (*C.sframe_mutator)(C.calloc(1, C.sizeof_sframe_mutator))
	if c != nil {
		c.handle = C.uintptr_t(cgo.NewHandle(newMutator(uint64(seed))))
	}
	return unsafe.Pointer(c)
}

//export afl_custom_fuzz
func afl_custom_fuzz(data unsafe.Pointer, buf *C.uchar, size C.size_t, out **C.uchar, add *C.uchar, addSize, most C.size_t) C.size_t {
	c, u := state(data)
	n := hand(u.fuzz(bytesOf(buf, size), bytesOf(add, addSize), int(most)), &c.out, &c.out_room)
	*out = c.out
	return n
}

//export afl_custom_describe
func afl_custom_describe(data unsafe.Pointer, most C.size_t) *C.char {
	c, u := state(data)
	C.free(unsafe.Pointer(c.text))
	c.text = C.CString(u.describe(int(most) - 1))
	return c.text
}

//export afl_custom_init_trim
func afl_custom_init_trim(data unsafe.Pointer, buf *C.uchar, size C.size_t) C.int {
	_, u := state(data)
	return C.int(u.trim.begin(append([]byte(nil), bytesOf(buf, size)...)))
}

//export afl_custom_trim
func afl_custom_trim(data unsafe.Pointer, out **C.uchar) C.size_t {
	c, u := state(data)
	n := hand(u.trim.ready, &c.trimmed, &c.trimmed_room)
	*out = c.trimmed
	return n
}

//export afl_custom_post_trim
func afl_custom_post_trim(data unsafe.Pointer, took C.uchar) C.int {
	_, u := state(data)
	return C.int(u.trim.report(took != 0))
}

//export LLVMFuzzerCustomMutator
func LLVMFuzzerCustomMutator(data *C.uchar, size, most C.size_t, seed C.uint) C.size_t {
	b := newMutator(uint64(seed)).fuzz(bytesOf(data, size), nil, int(most))
	return C.size_t(copy(bytesOf(data, most), b))
}

//export LLVMFuzzerCustomCrossOver
func LLVMFuzzerCustomCrossOver(a *C.uchar, sizeA C.size_t, b *C.uchar, sizeB C.size_t, out *C.uchar, most C.size_t, seed C.uint) C.size_t {
	joined := newMutator(uint64(seed)).cross(bytesOf(a, sizeA), bytesOf(b, sizeB), int(most))
	return C.size_t(copy(bytesOf(out, most), joined))
}

//export afl_custom_deinit
func afl_custom_deinit(data unsafe.Pointer) {
	c, u := state(data)
	u.trim.end()
	cgo.Handle(c.handle).Delete()
	for _, p := range []unsafe.Pointer{unsafe.Pointer(c.out), unsafe.Pointer(c.trimmed), unsafe.Pointer(c.text), data} {
		C.free(p)
	}
}
