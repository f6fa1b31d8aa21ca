package unpack

import "encoding/binary"

const (
	lzmaStates  = 12
	lzmaMostPos = 16
	half        = 1 << 10 // the probability of a bit at the start
	topRange    = 1 << 24
	// overrun is more than the bytes that a symbol takes of a chunk.
	overrun = 64
)

// lengths decodes the lengths of matches.
type lengths struct {
	choice, choice2 uint16
	low, mid        [lzmaMostPos][8]uint16
	high            [256]uint16
}

// lzma decodes the chunks of LZMA2.
type lzma struct {
	lc, lp, pb uint
	state      uint32
	rep        [4]uint32
	probs
	literal []uint16
}

type probs struct {
	isMatch, isRep0Long              [lzmaStates][lzmaMostPos]uint16
	isRep, isRepG0, isRepG1, isRepG2 [lzmaStates]uint16
	slot                             [4][64]uint16
	special                          [128]uint16
	align                            [16]uint16
	match, repeated                  lengths
}

// setProps takes the byte that says how contexts are formed.
func (d *lzma) setProps(b byte) error {
	if b >= 9*5*5 {
		return bad("LZMA properties %d", b)
	}
	d.lc, b = uint(b%9), b/9
	d.lp, d.pb = uint(b%5), uint(b/5)
	if d.lc+d.lp > 4 {
		return bad("lc %d and lp %d of LZMA2", d.lc, d.lp)
	}
	return nil
}

// reset sets all probabilities back.
func (d *lzma) reset() {
	if n := 0x300 << (d.lc + d.lp); cap(d.literal) < n {
		d.literal = make([]uint16, n)
	} else {
		d.literal = d.literal[:n]
	}
	fill(d.literal)
	p := &d.probs
	for i := range p.isMatch {
		fill(p.isMatch[i][:])
		fill(p.isRep0Long[i][:])
	}
	for _, x := range [][]uint16{p.isRep[:], p.isRepG0[:], p.isRepG1[:], p.isRepG2[:], p.special[:], p.align[:]} {
		fill(x)
	}
	for i := range p.slot {
		fill(p.slot[i][:])
	}
	for _, l := range []*lengths{&p.match, &p.repeated} {
		l.choice, l.choice2 = half, half
		for i := range l.low {
			fill(l.low[i][:])
			fill(l.mid[i][:])
		}
		fill(l.high[:])
	}
	d.state, d.rep = 0, [4]uint32{}
}

func fill(p []uint16) {
	for i := range p {
		p[i] = half
	}
}

// coder is a range decoder of a chunk, which has bytes to spare after its end.
type coder struct {
	rng, code uint32
	in        []byte
	at        int
}

func (c *coder) bit(p *uint16) uint32 {
	if c.rng < topRange {
		c.rng <<= 8
		c.code = c.code<<8 | uint32(c.in[c.at])
		c.at++
	}
	v := uint32(*p)
	bound := c.rng >> 11 * v
	if c.code < bound {
		c.rng = bound
		*p = uint16(v + (2048-v)>>5)
		return 0
	}
	c.rng -= bound
	c.code -= bound
	*p = uint16(v - v>>5)
	return 1
}

// tree decodes n bits, the highest first. It keeps the state in variables: most of the time goes here.
func (c *coder) tree(p []uint16, n uint) uint32 {
	m, rng, code, at, in := uint32(1), c.rng, c.code, c.at, c.in
	for range n {
		if rng < topRange {
			rng <<= 8
			code = code<<8 | uint32(in[at])
			at++
		}
		q := &p[m]
		v := uint32(*q)
		if bound := rng >> 11 * v; code < bound {
			rng = bound
			*q = uint16(v + (2048-v)>>5)
			m <<= 1
		} else {
			rng -= bound
			code -= bound
			*q = uint16(v - v>>5)
			m = m<<1 | 1
		}
	}
	c.rng, c.code, c.at = rng, code, at
	return m - 1<<n
}

// back decodes n bits, the lowest first. The tree begins at p[1].
func (c *coder) back(p []uint16, n uint) (v uint32) {
	m := uint32(1)
	for i := range n {
		b := c.bit(&p[m])
		m = m<<1 | b
		v |= b << i
	}
	return v
}

// direct decodes n bits that have no context.
func (c *coder) direct(n uint) (v uint32) {
	for range n {
		if c.rng < topRange {
			c.rng <<= 8
			c.code = c.code<<8 | uint32(c.in[c.at])
			c.at++
		}
		c.rng >>= 1
		c.code -= c.rng
		t := 0 - c.code>>31
		c.code += c.rng & t
		v = v<<1 + t + 1
	}
	return v
}

func (c *coder) length(l *lengths, pos uint32) int {
	switch {
	case c.bit(&l.choice) == 0:
		return 2 + int(c.tree(l.low[pos][:], 3))
	case c.bit(&l.choice2) == 0:
		return 10 + int(c.tree(l.mid[pos][:], 3))
	}
	return 18 + int(c.tree(l.high[:], 8))
}

func (c *coder) distance(d *lzma, n int) uint32 {
	slot := c.tree(d.slot[min(n-2, 3)][:], 6)
	if slot < 4 {
		return slot
	}
	bits := uint(slot>>1 - 1)
	v := (2 | slot&1) << bits
	if slot < 14 {
		return v + c.back(d.special[v-slot:], bits)
	}
	return v + c.direct(bits-4)<<4 + c.back(d.align[:], 4)
}

// chunk decodes n bytes into the window, which has room for them. in are the bytes of the chunk, size of
// them, and after them as many as a symbol may take too many.
func (d *lzma) chunk(in []byte, size int, x *window, n int) error {
	if size < 5 || in[0] != 0 {
		return bad("an LZMA chunk does not begin with 0")
	}
	c := coder{rng: 1<<32 - 1, code: binary.BigEndian.Uint32(in[1:]), in: in, at: 5}
	state, rep := d.state, d.rep
	buf, w, end := x.buf, x.w, x.w+n
	posMask, litMask := uint32(1)<<d.pb-1, uint32(1)<<d.lp-1
	for w < end {
		if c.at > size {
			return bad("an LZMA chunk ends too early")
		}
		here := uint32(w - x.origin)
		pos := here & posMask
		if c.bit(&d.isMatch[state][pos]) == 0 {
			var last byte
			if w > x.base {
				last = buf[w-1]
			}
			p := d.literal[0x300*(here&litMask<<d.lc+uint32(last)>>(8-d.lc)):][:0x300]
			if state >= 7 {
				if int(rep[0]) >= w-x.base {
					return bad("a distance is outside of the window")
				}
				buf[w] = c.matched(p, buf[w-int(rep[0])-1])
			} else {
				buf[w] = byte(c.tree(p, 8))
			}
			w++
			state = afterLiteral[state]
			continue
		}
		var length int
		if c.bit(&d.isRep[state]) == 0 {
			rep[3], rep[2], rep[1] = rep[2], rep[1], rep[0]
			length = c.length(&d.match, pos)
			rep[0] = c.distance(d, length)
			state = next(state, 7)
		} else if c.bit(&d.isRepG0[state]) == 0 {
			if c.bit(&d.isRep0Long[state][pos]) == 0 {
				state, length = next(state, 9), 1
			}
		} else if c.bit(&d.isRepG1[state]) == 0 {
			rep[0], rep[1] = rep[1], rep[0]
		} else if c.bit(&d.isRepG2[state]) == 0 {
			rep[0], rep[1], rep[2] = rep[2], rep[0], rep[1]
		} else {
			rep[0], rep[1], rep[2], rep[3] = rep[3], rep[0], rep[1], rep[2]
		}
		if length == 0 {
			length = c.length(&d.repeated, pos)
			state = next(state, 8)
		}
		dist := int(rep[0]) + 1
		if dist > w-x.base || dist > x.size {
			return bad("a distance of %d bytes is outside of the window", dist)
		}
		if length > end-w {
			return bad("a match is longer than its chunk")
		}
		repeat(buf, w, dist, length)
		w += length
	}
	if c.at > size {
		return bad("an LZMA chunk ends too early")
	}
	d.state, d.rep, x.w = state, rep, w
	return nil
}

// matched decodes a literal after a match, whose bits depend on the byte m at the last distance.
func (c *coder) matched(p []uint16, m byte) byte {
	sym, match, offset := uint32(1), uint32(m), uint32(0x100)
	for sym < 0x100 {
		match <<= 1
		b := match & offset
		bit := c.bit(&p[offset+b+sym])
		sym = sym<<1 | bit
		if bit != 0 {
			offset = b
		} else {
			offset &^= b
		}
	}
	return byte(sym)
}

// afterLiteral is the state after a literal.
var afterLiteral = [lzmaStates]uint32{0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 4, 5}

// next is the state after a match of one of three kinds: 7, 8 or 9.
func next(state, kind uint32) uint32 {
	if state < 7 {
		return kind
	}
	if kind == 7 {
		return 10
	}
	return 11
}
