package unpack

import "encoding/binary"

// seqCell is a state of a table for one part of sequences.
type seqCell struct {
	base uint32
	next uint16
	bits uint8 // of the next state
	more uint8 // bits added to the base
}

// seqTable is the table for one part of sequences. log is negative if there is none.
type seqTable struct {
	log   int
	cells [512]seqCell
}

const (
	litLengths, offsets, matchLengths = 0, 1, 2
	mostSymbols                       = 53
)

// seqKind is what is fixed of a part of sequences.
type seqKind struct {
	most  int // of log
	log   int
	norm  []int16 // the predefined table
	codes int
	base  func(code int) (base uint32, more uint8)
}

var litBase = [...]uint32{16, 18, 20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}
var litMore = [...]uint8{1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
var matchBase = [...]uint32{35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539}
var matchMore = [...]uint8{1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}

var seqKinds = [3]seqKind{
	litLengths: {9, 6, []int16{4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}, 36,
		func(c int) (uint32, uint8) {
			if c < 16 {
				return uint32(c), 0
			}
			return litBase[c-16], litMore[c-16]
		}},
	offsets: {8, 5, []int16{1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}, 32,
		func(c int) (uint32, uint8) { return 1 << c, uint8(c) }},
	matchLengths: {9, 6, []int16{1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}, 53,
		func(c int) (uint32, uint8) {
			if c < 32 {
				return uint32(c) + 3, 0
			}
			return matchBase[c-32], matchMore[c-32]
		}},
}

// table reads one of the tables at b[at:end].
func (t *seqTable) read(k *seqKind, mode int, b []byte, at, end int) (int, error) {
	switch mode {
	case 0:
		return at, t.build(k, k.log, k.norm)
	case 1:
		if at >= end || int(b[at]) >= k.codes {
			return 0, bad("a zstd table of one code is wrong")
		}
		c := &t.cells[0]
		*c = seqCell{}
		c.base, c.more = k.base(int(b[at]))
		t.log = 0
		return at + 1, nil
	case 2:
		var norm [mostSymbols]int16
		next, log, n, err := fseCounts(b, at, end, k.most, norm[:k.codes])
		if err != nil {
			return 0, err
		}
		return next, t.build(k, log, norm[:n])
	}
	if t.log < 0 {
		return 0, bad("a zstd block repeats a table that is not there")
	}
	return at, nil
}

func (t *seqTable) build(k *seqKind, log int, norm []int16) error {
	var cells [512]fseCell
	if err := fseTable(cells[:], log, norm); err != nil {
		t.log = -1
		return err
	}
	for i, c := range cells[:1<<log] {
		base, more := k.base(int(c.sym))
		t.cells[i] = seqCell{base, c.next, c.bits, more}
	}
	t.log = log
	return nil
}

// sequences decodes the sequences at z.in[at:end] and writes what they stand for.
func (z *Zstd) sequences(at, end int, lits []byte) error {
	if at >= end {
		return bad("a zstd block without sequences")
	}
	b := z.in
	n := int(b[at])
	switch {
	case n == 255:
		n, at = int(binary.LittleEndian.Uint16(b[at+1:]))+0x7f00, at+3
	case n >= 128:
		n, at = (n-128)<<8+int(b[at+1]), at+2
	default:
		at++
	}
	if n == 0 {
		if at != end {
			return bad("bytes after the sequences of a zstd block")
		}
		return z.literal(lits)
	}
	if at >= end || b[at]&3 != 0 {
		return bad("the tables of a zstd block are wrong")
	}
	modes := int(b[at])
	at++
	var err error
	for i := range z.seqs {
		if at, err = z.seqs[i].read(&seqKinds[i], modes>>(6-2*i)&3, b, at, end); err != nil {
			return err
		}
	}
	r, ok := newBackward(b, at, end)
	if !ok {
		return bad("the sequences of a zstd block have no end")
	}
	return z.execute(r, n, lits)
}

// execute decodes n sequences.
func (z *Zstd) execute(r backward, n int, lits []byte) error {
	x := &z.win
	limit := x.w + z.most
	ll, of, ml := &z.seqs[litLengths], &z.seqs[offsets], &z.seqs[matchLengths]
	sl, so, sm := r.take(ll.log), r.take(of.log), r.take(ml.log)
	for i := range n {
		if r.over() {
			return bad("the sequences of a zstd block are cut off")
		}
		cl, co, cm := ll.cells[sl&511], of.cells[so&511], ml.cells[sm&511]
		value := int(co.base) + int(r.take(int(co.more)))
		match := int(cm.base) + int(r.take(int(cm.more)))
		lit := int(cl.base) + int(r.take(int(cl.more)))
		if i < n-1 {
			sl = uint64(cl.next) + r.take(int(cl.bits))
			sm = uint64(cm.next) + r.take(int(cm.bits))
			so = uint64(co.next) + r.take(int(co.bits))
		}
		if r.over() || lit > len(lits) || lit+match > limit-x.w {
			return bad("a sequence of a zstd block is wrong")
		}
		d := z.offset(value, lit == 0)
		copy(x.buf[x.w:], lits[:lit])
		x.w, lits = x.w+lit, lits[lit:]
		if err := x.repeat(d, match); err != nil {
			return err
		}
	}
	if r.at != r.from {
		return bad("bits after the sequences of a zstd block")
	}
	if len(lits) > limit-x.w {
		return bad("a zstd block of too many bytes")
	}
	return z.literal(lits)
}

func (z *Zstd) literal(lits []byte) error {
	copy(z.win.buf[z.win.w:], lits)
	z.win.w += len(lits)
	return nil
}

// offset returns the distance that a value stands for.
func (z *Zstd) offset(v int, noLits bool) int {
	p := &z.rep
	if v > 3 {
		p[2], p[1], p[0] = p[1], p[0], v-3
		return p[0]
	}
	if noLits {
		v++
	}
	switch v {
	case 1:
	case 2:
		p[0], p[1] = p[1], p[0]
	case 3:
		p[0], p[1], p[2] = p[2], p[0], p[1]
	default:
		p[0], p[1], p[2] = p[0]-1, p[0], p[1]
	}
	return p[0]
}
