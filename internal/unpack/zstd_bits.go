package unpack

import (
	"encoding/binary"
	"math/bits"
)

// backward reads bits from the end of b[from:to] on. There are at least 8 bytes before and after these.
type backward struct {
	b    []byte
	from int // bits
	at   int // bits, from the start of b: the end of what was not read
}

// newBackward returns a reader. The highest bit of the last byte that is set marks the end.
func newBackward(b []byte, from, to int) (r backward, ok bool) {
	if to <= from || b[to-1] == 0 {
		return r, false
	}
	return backward{b, 8 * from, 8*to - 9 + bits.Len8(b[to-1])}, true
}

// peek returns the next n bits, at most 56. Those beyond the start are undefined.
func (r *backward) peek(n int) uint64 {
	at := r.at - n
	return binary.LittleEndian.Uint64(r.b[at>>3:]) >> (at & 7) & (1<<n - 1)
}

// take returns the next n bits and goes on. The caller looks at over.
func (r *backward) take(n int) uint64 {
	v := r.peek(n)
	r.at -= n
	return v
}

// over reports whether more bits were taken than there are.
func (r *backward) over() bool { return r.at < r.from }

// huffTree decodes literals.
type huffTree struct {
	bits  int
	table [1 << 11]uint16 // the symbol, and above it the number of bits
}

// read reads a tree at b[at:end], and returns the end of it.
func (t *huffTree) read(b []byte, at, end int) (next int, err error) {
	if at >= end {
		return 0, bad("a zstd tree is cut off")
	}
	t.bits = 0
	var weights [256]byte
	n, h := 0, int(b[at])
	at++
	if h < 128 {
		next = at + h
		if next > end {
			return 0, bad("a zstd tree is cut off")
		}
		if n, err = fseWeights(&weights, b, at, next); err != nil {
			return 0, err
		}
	} else {
		n = h - 127
		next = at + (n+1)/2
		if next > end {
			return 0, bad("a zstd tree is cut off")
		}
		for i := range n {
			weights[i] = b[at+i/2] >> (4 * (1 - i&1)) & 15
		}
	}
	return next, t.build(&weights, n)
}

// build makes the table of n weights, after which there is one more.
func (t *huffTree) build(weights *[256]byte, n int) error {
	sum := 0
	for _, w := range weights[:n] {
		if w > 11 {
			return bad("a weight of %d in a zstd tree", w)
		}
		if w > 0 {
			sum += 1 << (w - 1)
		}
	}
	most := bits.Len(uint(sum))
	left := 1<<most - sum
	if sum == 0 || most > 11 || n > 255 || left&(left-1) != 0 {
		return bad("the weights of a zstd tree have the sum %d", sum)
	}
	weights[n] = byte(bits.Len(uint(left)))
	at := 0
	for w := 1; w <= most; w++ {
		for s, x := range weights[:n+1] {
			if int(x) != w {
				continue
			}
			entry := uint16(s) | uint16(most+1-w)<<8
			for range 1 << (w - 1) {
				t.table[at] = entry
				at++
			}
		}
	}
	t.bits = most
	return nil
}

// decode fills out from the stream at b[from:to], which has no more.
func (t *huffTree) decode(b []byte, from, to int, out []byte) error {
	r, ok := newBackward(b, from, to)
	if !ok {
		return bad("a zstd stream without an end")
	}
	n, table := t.bits, &t.table
	for i := range out {
		e := table[r.peek(n)&(1<<11-1)]
		out[i] = byte(e)
		if r.at -= int(e >> 8); r.at < r.from {
			return bad("a zstd stream is too short")
		}
	}
	if r.at != r.from {
		return bad("a zstd stream is too long")
	}
	return nil
}

// fseCell is a state of a table of finite state entropy.
type fseCell struct {
	next uint16
	sym  uint8
	bits uint8
}

// fseCounts reads how often symbols occur, at b[at:end].
func fseCounts(b []byte, at, end, mostLog int, norm []int16) (next, log, n int, err error) {
	pos := 8 * at
	get := func(k int) int { return int(binary.LittleEndian.Uint32(b[pos>>3:]) >> (pos & 7) & (1<<k - 1)) }
	if at >= end {
		return 0, 0, 0, bad("a zstd table is cut off")
	}
	log = get(4) + 5
	pos += 4
	if log > mostLog {
		return 0, 0, 0, bad("a zstd table of 2^%d states", log)
	}
	left, threshold, width := 1<<log+1, 1<<log, log+1
	zero := false
	for left > 1 {
		if pos > 8*end || n >= len(norm) {
			return 0, 0, 0, bad("a zstd table is wrong")
		}
		if zero {
			for {
				v := get(2)
				pos += 2
				for i := 0; i < v && n < len(norm); i++ {
					norm[n] = 0
					n++
				}
				if v != 3 || pos > 8*end {
					break
				}
			}
			zero = false
			continue
		}
		most := 2*threshold - 1 - left
		v := get(width)
		if v&(threshold-1) < most {
			v &= threshold - 1
			pos += width - 1
		} else {
			if v >= threshold {
				v -= most
			}
			pos += width
		}
		v--
		norm[n] = int16(v)
		n++
		if v < 0 {
			left--
		} else {
			left -= v
		}
		zero = v == 0
		if left < 1 {
			break
		}
		for left < threshold {
			width--
			threshold >>= 1
		}
	}
	next = (pos + 7) / 8
	if left != 1 || next > end {
		return 0, 0, 0, bad("a zstd table is wrong")
	}
	return next, log, n, nil
}

// fseTable fills the states of a table from how often symbols occur.
func fseTable(table []fseCell, log int, norm []int16) error {
	size := 1 << log
	var next [256]uint16
	high := size - 1
	for s, c := range norm {
		next[s] = uint16(c)
		if c == -1 {
			table[high].sym = uint8(s)
			high--
			next[s] = 1
		}
	}
	step, pos := size>>1+size>>3+3, 0
	for s, c := range norm {
		for range max(c, 0) {
			table[pos].sym = uint8(s)
			for pos = (pos + step) & (size - 1); pos > high; pos = (pos + step) & (size - 1) {
			}
		}
	}
	if pos != 0 {
		return bad("a zstd table is wrong")
	}
	for i := range table[:size] {
		s := table[i].sym
		n := next[s]
		next[s]++
		k := log + 1 - bits.Len16(n)
		table[i].bits = uint8(k)
		table[i].next = uint16(int(n)<<k - size)
	}
	return nil
}

// fseWeights reads the weights of a tree.
func fseWeights(weights *[256]byte, b []byte, at, end int) (n int, err error) {
	var norm [16]int16
	at, log, k, err := fseCounts(b, at, end, 6, norm[:])
	if err != nil {
		return 0, err
	}
	var table [64]fseCell
	if err := fseTable(table[:], log, norm[:k]); err != nil {
		return 0, err
	}
	r, ok := newBackward(b, at, end)
	if !ok {
		return 0, bad("the weights of a zstd tree have no end")
	}
	s1, s2 := r.take(log), r.take(log)
	if r.over() {
		return 0, bad("the weights of a zstd tree are cut off")
	}
	for n < 254 {
		c := table[s1]
		weights[n] = c.sym
		n++
		if r.at-int(c.bits) < r.from {
			weights[n] = table[s2].sym
			return n + 1, nil
		}
		s1, s2 = s2, uint64(c.next)+r.take(int(c.bits))
	}
	return 0, bad("a zstd tree has too many weights")
}
