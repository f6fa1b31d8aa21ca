//go:build linux

package hostile

import (
	"encoding/binary"
)

// Addresses in linked files. Functions are funcSize bytes long and follow one
// another.
const (
	textAddr   = 0x100000
	sframeAddr = 0x40000000
	funcSize   = 16
)

// fde is an FDE of version 2 with the bytes of its FREs.
type fde struct {
	start  int64 // address
	size   uint32
	freOff int64 // -1: after the FREs so far
	num    uint32
	info   uint8
	rep    uint8
	pad    uint16
	fres   []byte
}

// leaf returns the FDE of function i: one FRE, CFA = SP + 8.
func leaf(i int) fde {
	return fde{start: textAddr + funcSize*int64(i), size: funcSize, freOff: -1, num: 1, fres: []byte{0, 2, 8}}
}

// encode writes a section of version 2 for AMD64 at sframeAddr. change may alter
// its header, which are the first 28 bytes.
func encode(flags uint8, fdes []fde, change func(header []byte)) []byte {
	le := binary.LittleEndian
	var fres, table []byte
	count := uint32(0)
	for i := range fdes {
		f := &fdes[i]
		off := uint32(len(fres))
		if f.freOff >= 0 {
			off = uint32(f.freOff)
		}
		start := f.start - sframeAddr
		if flags&4 != 0 {
			start -= 28 + 20*int64(i) // counts from the field
		}
		table = le.AppendUint32(table, uint32(start))
		table = le.AppendUint32(table, f.size)
		table = le.AppendUint32(table, off)
		table = le.AppendUint32(table, f.num)
		table = append(table, f.info, f.rep)
		table = le.AppendUint16(table, f.pad)
		fres = append(fres, f.fres...)
		count += f.num
	}
	b := []byte{0xe2, 0xde, 2, flags, 3, 0, 0xf8, 0}
	b = le.AppendUint32(b, uint32(len(fdes)))
	b = le.AppendUint32(b, count)
	b = le.AppendUint32(b, uint32(len(fres)))
	b = le.AppendUint32(b, 0)
	b = le.AppendUint32(b, uint32(len(table)))
	if change != nil {
		change(b)
	}
	return append(append(b, table...), fres...)
}

// sorted and pcrel are flags of the header.
const (
	sorted = 1
	pcrel  = 4
)

// leaves returns a section of n functions.
func leaves(n int, change func(i int, f *fde)) []byte {
	all := make([]fde, n)
	for i := range all {
		all[i] = leaf(i)
		if change != nil {
			change(i, &all[i])
		}
	}
	return encode(sorted|pcrel, all, nil)
}

// rows returns n FREs of ADDR4 with one word of 4 bytes each, made by word.
func rows(n int, word func(i int) uint32) []byte {
	le := binary.LittleEndian
	b := make([]byte, 0, 9*n)
	for i := range n {
		b = le.AppendUint32(b, uint32(i))
		b = append(b, 1<<1|2<<5)
		b = le.AppendUint32(b, word(i))
	}
	return b
}

const addr4 = 2 // FRE type of 4-byte start offsets
