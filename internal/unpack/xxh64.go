package unpack

import (
	"encoding/binary"
	"math/bits"
)

const (
	prime1 = 0x9E3779B185EBCA87
	prime2 = 0xC2B2AE3D27D4EB4F
	prime3 = 0x165667B19E3779F9
	prime4 = 0x85EBCA77C2B2AE63
	prime5 = 0x27D4EB2F165667C5
)

// xxh64 is the checksum of zstd's frames.
type xxh64 struct {
	v     [4]uint64
	buf   [32]byte
	kept  int
	total uint64
}

func (x *xxh64) reset() {
	one := uint64(prime1)
	*x = xxh64{v: [4]uint64{one + prime2, prime2, 0, -one}}
}

func round(acc, in uint64) uint64 { return bits.RotateLeft64(acc+in*prime2, 31) * prime1 }

func (x *xxh64) write(b []byte) {
	x.total += uint64(len(b))
	if x.kept > 0 {
		n := copy(x.buf[x.kept:], b)
		x.kept, b = x.kept+n, b[n:]
		if x.kept < 32 {
			return
		}
		x.blocks(x.buf[:])
		x.kept = 0
	}
	n := len(b) &^ 31
	x.blocks(b[:n])
	x.kept = copy(x.buf[:], b[n:])
}

func (x *xxh64) blocks(b []byte) {
	v := x.v
	for ; len(b) >= 32; b = b[32:] {
		v[0] = round(v[0], binary.LittleEndian.Uint64(b))
		v[1] = round(v[1], binary.LittleEndian.Uint64(b[8:]))
		v[2] = round(v[2], binary.LittleEndian.Uint64(b[16:]))
		v[3] = round(v[3], binary.LittleEndian.Uint64(b[24:]))
	}
	x.v = v
}

func (x *xxh64) sum() uint64 {
	h := uint64(prime5)
	if x.total >= 32 {
		h = bits.RotateLeft64(x.v[0], 1) + bits.RotateLeft64(x.v[1], 7) + bits.RotateLeft64(x.v[2], 12) + bits.RotateLeft64(x.v[3], 18)
		for _, v := range x.v {
			h = (h^round(0, v))*prime1 + prime4
		}
	}
	h += x.total
	b := x.buf[:x.kept]
	for ; len(b) >= 8; b = b[8:] {
		h = bits.RotateLeft64(h^round(0, binary.LittleEndian.Uint64(b)), 27)*prime1 + prime4
	}
	if len(b) >= 4 {
		h = bits.RotateLeft64(h^uint64(binary.LittleEndian.Uint32(b))*prime1, 23)*prime2 + prime3
		b = b[4:]
	}
	for _, c := range b {
		h = bits.RotateLeft64(h^uint64(c)*prime5, 11) * prime1
	}
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}
