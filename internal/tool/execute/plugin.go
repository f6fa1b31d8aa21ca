package execute

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// The layout of what the plugin has in memory, which plugin/step.c defines. All are in bytes, but for
// the numbers of frames and claims.
const (
	placeCode, placeFn, placeFlags = 16, 32, 40
	placeClaims, maxClaims         = 48, 12
	claimSize                      = 24
	placeSize                      = placeClaims + maxClaims*claimSize

	taskRegs, taskPrev   = 128, 128 + 8*48
	taskFrames           = taskPrev + 8*48
	frameSize, maxWindow = 32, 96
	taskSize             = taskFrames + maxWindow*frameSize
	kept                 = 64 // frames that the plugin gets
)

// Flags of places.
const (
	placeKnown = 1 << iota
	placeCall
	placeRet
	placeKernel
	placeSets
	placeStart
	placeNoFDE
	placeSlow
	placeTwice
	placeAgain
)

// Flags of frames.
const (
	frameNoFP = 1 << iota
	frameNoRA
	frameOpaque // a step on which is not the plugin's
	frameLone   // the only one, of a thread whose callers are not known
)

// arguments returns what the plugin is told of an ABI.
func (c *cpu) arguments(abi *model.ABIInfo) string {
	flag := map[bool]int{true: 1}
	return fmt.Sprintf("abi=%d:%d:%d:%d:%d:%d:%d:%d:%d", c.regs[abi.SP], c.regs[abi.FP], c.from, c.kept, c.all,
		flag[abi.Big], abi.EntryCFA+abi.SPOffset, -abi.SPOffset, abi.RedZone)
}

// read fills r with registers of the plugin. b has all bytes of them or those without FPRs.
func (c *cpu) read(r *Regs, pc uint64, b []byte) {
	*r = Regs{Addr: pc}
	for n, at := range c.regs {
		if at -= c.from; at+8 <= len(b) {
			r.Set(uint32(n), binary.LittleEndian.Uint64(b[at:]))
		}
	}
}

// claims is a list of rules, as the plugin has them.
type claims struct {
	p     *Process
	cpu   *cpu
	bytes []byte
	n     int
	slow  bool // one cannot be expressed
}

// row adds the rules of a row, or those of one that are known.
func (c *claims) row(r *unwind.Rules, partial bool) {
	abi := &c.p.abi
	var mask uint64
	if abi.Pauth && r.Mangled {
		mask = unwind.PACMask(48)
		if m := c.p.opts.PACMasks[r.Key]; m != 0 {
			mask = m
		}
	}
	c.slow = c.slow || r.Signal
	for what, v := range []struct {
		rule model.Recovery
		same uint32
		mask uint64
	}{{r.CFA, 0, 0}, {r.RA, abi.RA, mask}, {r.FP, abi.FP, 0}} {
		if partial && v.rule.Kind == model.Invalid {
			continue
		}
		c.add(what, v.rule, v.same, v.mask)
	}
}

// add adds a rule. An unchanged value is in the register same.
func (c *claims) add(what int, r model.Recovery, same uint32, mask uint64) {
	reg := int32(-1)
	switch r.Kind {
	case model.Unchanged:
		r = model.Recovery{Reg: same}
		fallthrough
	case model.InRegister:
		if c.slow = c.slow || int(r.Reg) >= len(c.cpu.regs); c.slow {
			return
		}
		reg = int32(c.cpu.regs[r.Reg])
	case model.FromCFA:
	default:
		c.slow = true
		return
	}
	if c.n++; c.n > maxClaims {
		c.slow = true
		return
	}
	le := binary.LittleEndian
	b := le.AppendUint64(le.AppendUint64(c.bytes, uint64(r.Offset)), mask)
	b = append(le.AppendUint32(b, uint32(reg)), byte(what), 0, 0, 0)
	if r.Deref {
		b[len(b)-3] = 1
	}
	c.bytes = b
}

// encode returns what the plugin needs of a place: its claims, and the fields before them.
func (p *Process) encode(c *cpu, pl *site) (fields, rules []byte) {
	k := &pl.class
	list := claims{p: p, cpu: c}
	noFDE := pl.stop != nil && pl.stop.Reason != unwind.Outermost
	if !noFDE {
		list.row(&pl.rules, false)
		if pl.otherCFI {
			list.row(&pl.cfi, false)
		}
		for i := range pl.claimed {
			list.row(&pl.claimed[i], true)
		}
	}
	flags := uint32(placeKnown)
	for flag, set := range map[uint32]bool{
		placeCall: k.call, placeRet: k.ret, placeKernel: k.kernel, placeSets: k.sets, placeStart: pl.start(), placeNoFDE: noFDE,
		placeSlow: list.slow || pl.stop != nil, placeTwice: k.ret && p.returnsTwice(pl), placeAgain: k.execute,
	} {
		if set {
			flags |= flag
		}
	}
	if list.slow {
		list.n, list.bytes = 0, nil
	}
	le := binary.LittleEndian
	fields = le.AppendUint32(le.AppendUint64(nil, pl.fn), flags)
	return append(fields, k.len, byte(list.n), 0, 0), list.bytes
}

// pluginTask is what the plugin has of a thread.
type pluginTask struct {
	bytes [taskSize]byte
}

// Fields of a task, as words.
const (
	taskSteps = iota
	taskChecked
	taskNoFDE
	taskNoCallers
	taskAt
	taskNow
	taskAfter
	taskSince
	taskEvery
	taskLimit
	taskDepth
	taskLow
	taskSlow
)

func (x *pluginTask) get(i int) uint64    { return binary.LittleEndian.Uint64(x.bytes[8*i:]) }
func (x *pluginTask) set(i int, v uint64) { binary.LittleEndian.PutUint64(x.bytes[8*i:], v) }

// count adds the counts of a task to those of the checker, and resets them.
func (x *pluginTask) count(s *Stats) {
	for i, n := range []*uint64{&s.Steps, &s.Checked, &s.NoFDE, &s.NoCallers} {
		*n += x.get(i)
		x.set(i, 0)
	}
}

// take makes the frames of a task those of a thread, of which the first base ones are not in the task.
func (x *pluginTask) take(t *thread, base int) {
	fs := t.cur.frames
	low, depth := int(x.get(taskLow)), int(x.get(taskDepth))
	fs = fs[:base+low]
	for i := low; i < depth; i++ {
		b := x.bytes[taskFrames+i*frameSize:]
		w := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
		fs = append(fs, frame{sp: w(0), ra: w(1), fp: w(2), noFP: w(3)&frameNoFP != 0})
	}
	t.cur.frames = fs
	t.since = int(x.get(taskSince))
}

// give makes the last frames of a thread those of a task, and returns how many are not in the task.
func (x *pluginTask) give(t *thread, every int) (base int) {
	fs := t.cur.frames
	n := min(len(fs), kept)
	base = len(fs) - n
	for i := range fs[base:] {
		f := &fs[base+i]
		b := x.bytes[taskFrames+i*frameSize:]
		for k, v := range []uint64{f.sp, f.ra, f.fp, f.flags(len(fs) == 1)} {
			binary.LittleEndian.PutUint64(b[8*k:], v)
		}
	}
	x.set(taskDepth, uint64(n))
	x.set(taskLow, uint64(n))
	x.set(taskSince, uint64(t.since))
	x.set(taskEvery, math.MaxUint64)
	if every > 0 {
		x.set(taskEvery, uint64(every))
	}
	x.set(taskSlow, 0)
	if t.transit {
		x.set(taskSlow, 1)
	}
	return base
}

// flags returns what the plugin is told of a frame.
func (f *frame) flags(only bool) (flags uint64) {
	if f.noFP {
		flags |= frameNoFP
	}
	if f.noRA {
		flags |= frameNoRA
	}
	if f.kind != called || f.ra == 0 {
		flags |= frameOpaque
	}
	if f.kind == unknown && only {
		flags |= frameLone
	}
	return flags
}
