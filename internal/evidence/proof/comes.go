package proof

import "github.com/sframe-lint/sframe-lint/internal/evidence/insn"

// outlook is whether a call returns.
type outlook uint8

const (
	perhaps outlook = iota // nothing proves it
	never                  // the callee's code has no return, and leads nowhere else
	returns                // it has one
	always                 // it leads only there, and calls nothing
)

// comesBack returns what the code of the callee says of a call. Most callees are in another file.
func (u *unit) comesBack(k int32) outlook {
	i := &u.ins[k]
	switch {
	case i.stops:
		return never
	case i.flow != insn.Call || !i.resolved:
		return perhaps
	}
	x, ok := u.t.find(i.place, i.target)
	if !ok || !u.t.startsAt(x, i.target) {
		return perhaps
	}
	if o, ok := u.t.comes.Load(x); ok {
		return o.(outlook)
	}
	o := u.outlook(x)
	u.t.comes.Store(x, o)
	return o
}

// outlook decodes the code of a range.
func (u *unit) outlook(x int32) outlook {
	r := &u.t.ranges[x]
	code, ok := u.img.code(r.Place, r.Start, min(r.End, r.Start+maxUnit), nil)
	if !ok || r.Block > 0 {
		return perhaps
	}
	u.work += int64(len(code)) / decodeSteps
	whole := uint64(len(code)) == r.End-r.Start
	result, last, straight, leaf, returned := never, insn.Next, true, whole, false
	for off := 0; off < len(code); off += max(int(u.dec.Len), 1) {
		pc := r.Start + uint64(off)
		u.arch.Decode(code[off:], pc, &u.dec)
		before := last
		switch last = u.dec.Flow; last {
		case insn.Return:
			switch {
			case straight:
				return always
			case leaf:
				returned = true
			case before != insn.Call || !u.splits(code[off+int(u.dec.Len):], pc):
				return returns
			}
		case insn.Jump, insn.Branch:
			if u.dec.Target < r.Start || u.dec.Target >= r.End || u.img.rel && u.relocated(r, pc) {
				result, leaf = perhaps, false
			}
		case insn.IndirectJump, insn.Bad:
			result, leaf = perhaps, false
		case insn.Call, insn.IndirectCall, insn.Stop:
			leaf = false
		}
		if returned && !leaf {
			return returns
		}
		straight = straight && last == insn.Next
	}
	if returned {
		return always
	}
	if last == insn.Next || last == insn.Branch || !whole {
		return perhaps
	}
	return result
}

// relocated reports whether the target of the instruction that was decoded last has a relocation.
func (u *unit) relocated(r *Range, pc uint64) bool {
	from := pc + uint64(u.dec.TargetOff)
	_, ok := u.img.findReloc(u.img.relocsOf(int32(r.Place)), from, from+uint64(u.dec.TargetLen))
	return ok
}

// splits reports whether a return after a call is that of -fsplit-stack, after which code jumps back to the start of the
// function: __morestack returns there once the function has returned.
func (u *unit) splits(code []byte, pc uint64) bool {
	if !u.arch.onSP || len(code) == 0 {
		return false
	}
	var d insn.Insn
	u.arch.Decode(code, pc, &d)
	return d.Flow == insn.Jump && d.Target < pc
}
