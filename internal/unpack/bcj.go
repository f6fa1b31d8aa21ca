package unpack

import "encoding/binary"

// branches undoes a filter of xz, which has replaced relative addresses in machine code by absolute ones: they
// repeat more often. The bytes that come out of LZMA2 go through it.
type branches struct {
	undo func(b []byte, pos uint32) int // it changes the first bytes of b, at an offset, and returns how many are final
	pos  uint32                         // of the first byte that is not final
	out  []byte
	done int // bytes of out that are final
	read int // bytes of out that were read
}

// Filters of xz by their number.
const (
	filterLZMA2 = 0x21
	filterX86   = 0x04
	filterARM64 = 0x0a
)

// newBranches returns what undoes a filter, nil for another one.
func newBranches(id uint64) *branches {
	switch id {
	case filterX86:
		x := &x86Branches{last: -branchBytes & (1<<32 - 1)}
		return &branches{undo: x.undo}
	case filterARM64:
		return &branches{undo: arm64Branches}
	}
	return nil
}

// filterMemory is about what a filter holds: a chunk, before and after its buffer has grown.
const filterMemory = 4 << 20

// write takes bytes that came out of LZMA2, and returns those that are final from now on.
func (f *branches) write(b []byte) []byte {
	if f.read > 0 {
		f.out = append(f.out[:0], f.out[f.read:]...)
		f.done -= f.read
		f.read = 0
	}
	f.out = append(f.out, b...)
	n := f.undo(f.out[f.done:], f.pos)
	f.done += n
	f.pos += uint32(n)
	return f.out[f.done-n : f.done]
}

// end says that no more bytes come, and returns the last ones, which stay as they are.
func (f *branches) end() []byte {
	from := f.done
	f.done = len(f.out)
	return f.out[from:]
}

// x86Branches undoes the filter of calls and jumps of AMD64. recent has a bit for each of the bytes up to the one
// at last that may begin an instruction, and another one if the highest byte of its operand fits.
type x86Branches struct{ last, recent uint32 }

// branchBytes is an instruction with an operand of four bytes.
const branchBytes = 5

// extended reports whether a byte can be the highest one of an operand: code spans less than 16 MiB.
func extended(b byte) bool { return b == 0 || b == 0xff }

func (x *x86Branches) undo(b []byte, pos uint32) int {
	i := 0
	for ; i+branchBytes <= len(b); i++ {
		if b[i]&^1 != 0xe8 {
			continue
		}
		x.age(pos + uint32(i))
		high := b[i+4]
		if x.recent>>1 < 16 && extended(high) && x.may() {
			binary.LittleEndian.PutUint32(b[i+1:], x.relative(binary.LittleEndian.Uint32(b[i+1:]), pos+uint32(i)+branchBytes))
			i += branchBytes - 1
			x.recent = 0
			continue
		}
		x.recent |= 1
		if extended(high) {
			x.recent |= 0x10
		}
	}
	return i
}

// age moves the marks on to a position.
func (x *x86Branches) age(to uint32) {
	n := to - x.last
	x.last = to
	if n > branchBytes {
		x.recent = 0
		return
	}
	for range n {
		x.recent = x.recent & 0x77 << 1
	}
}

// may reports whether the marks leave it open that an instruction begins here.
func (x *x86Branches) may() bool {
	switch x.recent >> 1 & 7 {
	case 0, 1, 2, 4:
		return true
	}
	return false
}

// relative undoes an operand: what it has to become may look like another instruction, and is then inverted.
func (x *x86Branches) relative(v, next uint32) uint32 {
	for {
		v -= next
		if x.recent == 0 {
			break
		}
		shift := uint([8]int{0, 1, 2, 2, 3, 3, 3, 3}[x.recent>>1&7] * 8)
		if !extended(byte(v >> (24 - shift))) {
			break
		}
		v ^= 1<<(32-shift) - 1
	}
	return v&0x1ffffff | -(v >> 24 & 1 << 24)
}

// arm64Branches undoes the filter of BL and ADRP.
func arm64Branches(b []byte, pos uint32) int {
	i := 0
	for ; i+4 <= len(b); i += 4 {
		w, pc := binary.LittleEndian.Uint32(b[i:]), pos+uint32(i)
		switch {
		case w>>26 == 0x25: // BL
			w = 0x94000000 | (w-pc>>2)&0x3ffffff
		case w&0x9f000000 == 0x90000000: // ADRP within 512 MiB
			pages := w>>29&3 | w>>3&0x1ffffc
			if (pages+0x20000)&0x1c0000 != 0 {
				continue
			}
			pages -= pc >> 12
			w = w&0x9000001f | pages&3<<29 | pages&0x3fffc<<3 | -(pages&0x20000)&0xe00000
		default:
			continue
		}
		binary.LittleEndian.PutUint32(b[i:], w)
	}
	return i
}
