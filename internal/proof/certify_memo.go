package proof

import "github.com/sframe-lint/sframe-lint/internal/insn"

// certifierMemo remembers what the certifier has found: functions have few states, and few instructions that
// change them. Nothing of it depends on the function.
type certifierMemo struct {
	frames [1 << frameBits]int32   // by a hash, an index in frames
	claims [1 << claimBits]claimed // by a hash of the key
	checks [1 << checkBits]checked // by a hash of the state and the key
	steps  [1 << stepBits]stepped  // by a hash of the state and the instruction
	code   uint64                  // the next 8 bytes, the first one lowest
	row    uint64                  // the key of the row in force
	entry  int32                   // the state at an entry
}

// How many bits the hashes have.
const (
	frameBits = 10
	claimBits = 6
	checkBits = 8
	stepBits  = 9
)

// claimed are the claims of rows with a key.
type claimed struct {
	key    uint64
	claims frame
	ok     bool
}

// checked says that a state has what the rows with a key claim, and what use found.
type checked struct {
	key   uint64
	id    int32
	busy  uint32
	slots [2]insn.Slots
}

// stepped is what an instruction of n bytes makes of a state: another one, or, at a return, 0. With n as 0
// it is what a row with the key code, or a call, leaves of it.
type stepped struct {
	code, mask uint64
	from, to   int32
	n          uint8
}

// maxFrames is the number of states that are remembered.
const maxFrames = 1 << 12

// forgetFrames forgets all states, and what depends on them.
func (c *certifier) forgetFrames() {
	c.frames = append(c.frames[:0], frame{})
	c.memo = certifierMemo{}
}

// hashed returns a number of so many bits.
func hashed(a, b uint64, bits int) uint64 {
	return (a*0x9e3779b97f4a7c15 ^ b*0xc2b2ae3d27d4eb4f) * 0x9e3779b97f4a7c15 >> (64 - bits)
}

// pair returns both numbers in one.
func pair(a, b word) uint64 { return uint64(uint32(a)) | uint64(uint32(b))<<32 }

// find returns the index of a state in frames. It adds those that are not there.
func (c *certifier) find(s *frame) int32 {
	flags := uint64(s.fpReg) | uint64(s.raReg)<<8 | uint64(s.spReg)<<16 | uint64(s.guess)<<32
	for k, is := range [...]bool{s.fpLoaded, s.raLoaded, s.head} {
		if is {
			flags |= 1 << (24 + k)
		}
	}
	h := pair(s.sp, s.fp)*0xc2b2ae3d27d4eb4f + pair(s.ra, s.raIn)*0x165667b19e3779f9 + pair(s.spIn, word(s.spAt))*0x27d4eb2f165667c5
	slot := &c.memo.frames[hashed(pair(word(s.fpAt), word(s.raAt))+h, flags, frameBits)]
	if *slot == 0 || c.frames[*slot] != *s {
		c.frames = append(c.frames, *s)
		*slot = int32(len(c.frames) - 1)
	}
	return *slot
}

// resume makes a state of frames the current one.
func (c *certifier) resume(id int32) {
	if id != c.id {
		c.cur, c.id, c.changed, c.fresh = c.frames[id], id, true, true
	}
}

// aCall stands for the key of a row in [stepped]; it is none.
const aCall = 1

// recall changes the current state as a row with a key, or a call, is remembered to do. If it is not, change does,
// and is remembered.
func (c *certifier) recall(key uint64, change func()) {
	from := c.current()
	e := &c.memo.steps[hashed(key, uint64(from), stepBits)]
	if e.n != 0 || e.from != from || e.code != key {
		change()
		if key == 0 {
			return
		}
		if c.id == 0 {
			c.id, c.fresh = c.find(&c.cur), true
		}
		*e = stepped{code: key, from: from, to: c.id}
		return
	}
	c.resume(e.to)
}

// stepOf returns where a state and an instruction are remembered.
func (c *certifier) stepOf(id int32, code uint64) *stepped {
	return &c.memo.steps[hashed(code&c.a.stepMask(code), uint64(id), stepBits)]
}

// stepMask returns which bytes of an instruction tell it from most others, those of the instruction at most.
func (a *arch) stepMask(code uint64) uint64 {
	switch a.abi.MinInsn {
	case 4:
		return 1<<32 - 1
	case 2:
		return 1<<(16*(1+(code>>6&3+1)>>1)) - 1
	}
	switch b := uint8(code); {
	case b&0xf0 == 0x50, b == 0xc3, b == 0xc9:
		return 1<<8 - 1
	case b == 0x41 && code&0xf000 == 0x5000:
		return 1<<16 - 1
	}
	if code&0xfff0 == 0x8340 { // add, sub and others, with a number
		return 1<<32 - 1
	}
	return 1<<24 - 1
}

// remember remembers what an instruction makes of a state, if that depends on nothing else.
func (c *certifier) remember(from int32, d *insn.Insn) {
	if c.failed || d.Len > 8 || d.TargetLen > 0 || d.Copied != 0 || d.Cond || d.System || d.Flow != insn.Next && d.Flow != insn.Return {
		return
	}
	for k := range d.Ops[:d.N] {
		if do := d.Ops[k].Do; do == insn.Const || do == insn.Element {
			return
		}
	}
	mask := ^uint64(0) >> (64 - 8*d.Len)
	e := stepped{code: c.memo.code & mask, mask: mask, from: from, n: d.Len}
	if d.Flow == insn.Next {
		if c.id == 0 {
			c.id, c.fresh = c.find(&c.cur), true
		}
		e.to = c.id
	}
	*c.stepOf(from, c.memo.code) = e
}

// step executes an instruction that is remembered, and returns its length; 0 if it must be decoded.
func (c *certifier) step(at uint32) int {
	code := c.memo.code
	if !c.live || c.known != 0 || c.id == 0 || !c.arrived && c.cells[at] != 0 {
		return 0
	}
	e := c.stepOf(c.id, code)
	n := uint32(e.n)
	if e.from != c.id || code&e.mask != e.code || n == 0 || at+n > c.end || at+n == c.end && e.to != 0 {
		return 0
	}
	if !c.arrived {
		if !c.arrive(at, n, false) {
			return int(n)
		}
		c.arrived = true
		if e.from != c.id {
			if e = c.stepOf(c.id, code); e.from != c.id || code&e.mask != e.code || uint32(e.n) != n {
				return 0
			}
		}
	}
	c.arrived = false
	if e.to == 0 {
		c.live = false
		return int(n)
	}
	c.resume(e.to)
	return int(n)
}
