package container_test

import (
	"testing"
)

func TestUnbacked(t *testing.T) {
	table(t, `
		V3AMD64 | sound |  |
		V3AMD64 | code beyond the file | patch text+0x20 8 0x10000000000 | SF5036 file 0x458+16
		V3AMD64 | compressed code | patch text+8 8 0x806 | SF5036 file 0x448+8
		V3AMD64 | code of an object file without bytes | object / patch text+4 4 8 | SF5036 file 0x444+4
		V3AMD64 | compressed symbols | patch symbols+8 8 0x800 | SF5036 file 0x508+8
		V3AMD64 | symbols at the start of the file | patch symbols+0x18 8 0 | SF5036 file 0x518+16
		V3AMD64 | CFI in the ELF header | more .debug_frame 1 0 0 16 | SF5036 file 0x5d8+16
		V3AMD64 | CFI beyond the file | more .debug_frame 1 0 0 16 / patch more+0x20 8 0x10000000000 | SF5036 file 0x5d8+16
		V3AMD64 | CFI without bytes | more .debug_frame 8 0 0 16 | SF5036 file 0x5d8+16
		V3AMD64 | .zdebug_frame without a size | more .zdebug_frame 1 0 0 16 | SF5036 file 0x5d8+16
	`)
}
