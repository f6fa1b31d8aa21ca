package proof

import "github.com/sframe-lint/sframe-lint/internal/evidence/insn"

// certifierMemo remembers what the certifier has found: functions have few states. Nothing of it depends on the
// function.
type certifierMemo struct {
	frames [1 << frameBits]int32   // by a hash, an index in frames
	claims [1 << claimBits]claimed // by a hash of the key
	checks [1 << checkBits]checked // by a hash of the state and the key
	steps  stepMemo                // of rows and calls
	insns  stepMemo                // of instructions
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

// stepped is what a row with a key, a call or an instruction makes of a state: another one.
type stepped struct {
	key      uint64
	from, to int32
}

// stepMemo has steps by a hash of the state and the key.
type stepMemo [1 << stepBits]stepped

// maxFrames is the number of states that are remembered.
const maxFrames = 1 << 12

// forgetFrames forgets all states, and what depends on them.
func (c *certifier) forgetFrames() {
	c.frames = append(c.frames[:0], frame{})
	c.memo = certifierMemo{}
}

// hashBits returns a number of so many bits.
func hashBits(a, b uint64, bits int) uint64 {
	return (a*0x9e3779b97f4a7c15 ^ b*0xc2b2ae3d27d4eb4f) * 0x9e3779b97f4a7c15 >> (64 - bits)
}

// joinNumbers returns both numbers in one.
func joinNumbers(a, b word) uint64 { return uint64(uint32(a)) | uint64(uint32(b))<<32 }

// find returns the index of a state in frames. It adds those that are not there.
func (c *certifier) find(s *frame) int32 {
	flags := uint64(s.fpReg) | uint64(s.raReg)<<8 | uint64(s.spReg)<<16 | uint64(s.guess)<<32
	for k, is := range [...]bool{s.fpLoaded, s.raLoaded, s.head} {
		if is {
			flags |= 1 << (24 + k)
		}
	}
	h := joinNumbers(s.sp, s.fp)*0xc2b2ae3d27d4eb4f + joinNumbers(s.ra, s.raIn)*0x165667b19e3779f9 + joinNumbers(s.spIn, word(s.spAt))*0x27d4eb2f165667c5
	slot := &c.memo.frames[hashBits(joinNumbers(word(s.fpAt), word(s.raAt))+h, flags, frameBits)]
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

// recall changes the current state as a row with a key, a call or an instruction is remembered to do. If it is not, change
// does, and is remembered if it depends on nothing but the state.
func (c *certifier) recall(memo *stepMemo, key uint64, change func() (pure bool)) {
	from := c.current()
	e := &memo[hashBits(key, uint64(from), stepBits)]
	if e.from == from && e.key == key {
		c.resume(e.to)
		return
	}
	if !change() || key == 0 {
		return
	}
	if c.id == 0 {
		c.id, c.fresh = c.find(&c.cur), true
	}
	*e = stepped{key, from, c.id}
}

// codeKey returns the bytes of an instruction and their number, 0 for a longer one.
func codeKey(code []byte, n uint8) (key uint64) {
	if n > 7 {
		return 0
	}
	for _, b := range code[:n] {
		key = key<<8 | uint64(b)
	}
	return key<<8 | uint64(n)
}
