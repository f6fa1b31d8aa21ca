// Package number reads and writes unsigned numbers of up to 8 bytes.
package number

import "encoding/binary"

// Get returns the number in b.
func Get(order binary.ByteOrder, b []byte) uint64 {
	var full [8]byte
	copy(low(order, &full, len(b)), b)
	return order.Uint64(full[:])
}

// Put writes the low bytes of v into b.
func Put(order binary.ByteOrder, b []byte, v uint64) {
	var full [8]byte
	order.PutUint64(full[:], v)
	copy(b, low(order, &full, len(b)))
}

// low returns the n low bytes of a number of 8 bytes.
func low(order binary.ByteOrder, full *[8]byte, n int) []byte {
	if order == binary.BigEndian {
		return full[8-n:]
	}
	return full[:n]
}
