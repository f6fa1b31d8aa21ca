package execute

import "github.com/sframe-lint/sframe-lint/unwind"

// windowSize is what is read of a stack at once, bytes.
const windowSize = 128

// window keeps a piece of memory until an instruction may have changed it: most
// instructions write none. It satisfies [unwind.Memory].
type window struct {
	mem   unwind.Memory
	addr  uint64
	valid bool
	bytes [windowSize]byte
}

func (w *window) forget() { w.valid = false }

// ReadMemory reads from the window, and moves that if it has to. What a rule reads lies
// below the CFA, and what it reads next is near: the window reaches in both directions.
func (w *window) ReadMemory(addr uint64, b []byte) error {
	if len(b) > windowSize/2 {
		return w.mem.ReadMemory(addr, b)
	}
	if !w.valid || addr < w.addr || addr-w.addr > windowSize-uint64(len(b)) {
		at := addr - windowSize/2
		if err := w.mem.ReadMemory(at, w.bytes[:]); err != nil {
			w.valid = false
			return w.mem.ReadMemory(addr, b)
		}
		w.addr, w.valid = at, true
	}
	copy(b, w.bytes[addr-w.addr:])
	return nil
}
