package unwind

import (
	"github.com/sframe-lint/sframe-lint/model"
)

// Options control a trace. The zero value is ready to use.
type Options struct {
	// MaxFrames is the maximum number of frames; 0 means DefaultMaxFrames.
	MaxFrames int
	// PACMasks has, for each signing key, the bits of a return address that contain the pointer authentication code.
	// A mask of 0 means PACMask(48). AArch64 only.
	PACMasks [2]uint64
	// Interrupted gets the frame of a signal trampoline and returns the registers that the kernel saved for the
	// interrupted program. If it is nil or reports false, the FRE of the trampoline gives PC, SP and FP, and other
	// registers are unknown.
	Interrupted func(trampoline Frame) (Registers, bool)
	// Trampoline reports whether the code at an address belongs to a signal trampoline. If it is not nil, the cursor
	// calls it for PCs without SFrame data. Trampolines are then looked up at the exact PC, as handlers return to
	// their first byte without a call.
	Trampoline func(pc uint64) bool
}

// DefaultMaxFrames is the default of Options.MaxFrames.
const DefaultMaxFrames = 1 << 20

// Frame is the state of one frame.
type Frame struct {
	Index int // 0 for the topmost frame
	PC    uint64
	SP    uint64
	FP    uint64 // valid if FPKnown
	// FPKnown says that FP has a value. FP is unknown if it was unknown at the start of the trace, or if a younger
	// frame saved it at an address that cannot be read. The trace continues until a rule needs FP.
	FPKnown bool
	// SPLeast says that SP is only a lower bound (see [Rules]).
	SPLeast bool
	// Exact says that PC is the next instruction: the frame is the topmost one
	// or was interrupted. In other frames, PC follows a call.
	Exact bool
	Procedure
}

// Cursor steps from frame to frame. It is not safe for concurrent use.
type Cursor struct {
	abi  model.ABIInfo
	mem  Memory
	mods Modules
	opts Options

	frame Frame
	regs  Registers // of the frame; nil where younger frames may have changed them
	saved saved
	stop  *Stop
	lost  *Stop // why FP is not known

	// A frame that was seen before, to find loops, and how many steps to go
	// until it is replaced (Brent's algorithm).
	mark      state
	left, gap int
}

// state is what decides the frames that follow.
type state struct {
	pc, sp, fp     uint64
	exact, fpKnown bool
}

// New returns a cursor at the topmost frame of a thread. abi is that of the program; sections of other ABIs are not
// used.
func New(abi model.ABIInfo, regs Registers, mem Memory, mods Modules, opts Options) *Cursor {
	if opts.MaxFrames <= 0 {
		opts.MaxFrames = DefaultMaxFrames
	}
	for key := range opts.PACMasks {
		if opts.PACMasks[key] == 0 {
			opts.PACMasks[key] = PACMask(48)
		}
	}
	c := &Cursor{abi: abi, mem: mem, mods: mods, opts: opts, gap: 1, left: 1}
	c.enter(c.take(regs))
	c.mark = c.state()
	return c
}

// Restart restarts the cursor at the topmost frame of a thread. p is the procedure that
// [Find] returned for its PC. Restart does not look up or allocate anything.
func (c *Cursor) Restart(regs Registers, p *Procedure) {
	c.frame, c.stop = c.take(regs), nil
	c.frame.Procedure = *p
	c.gap, c.left, c.mark = 1, 1, c.state()
}

// Frame returns the current frame.
func (c *Cursor) Frame() Frame { return c.frame }

// take makes registers those of the cursor, and returns their frame.
func (c *Cursor) take(regs Registers) Frame {
	c.regs, c.saved, c.lost = regs, saved{}, nil
	f := Frame{PC: regs.PC(), Exact: true}
	f.SP, _ = regs.Register(c.abi.SP)
	f.FP, f.FPKnown = regs.Register(c.abi.FP)
	return f
}

// enter makes f the current frame and finds its procedure. A signal handler returns to the
// first byte of the trampoline, which no call precedes: that byte is looked up itself.
func (c *Cursor) enter(f Frame) {
	p := find(c.mods, &c.abi, f.PC)
	first := p.HasFDE && p.Start() == f.PC
	p.Trampoline = (first || !p.HasFDE) && c.opts.Trampoline != nil && c.opts.Trampoline(f.PC)
	if f.Procedure = p; !f.Exact && !p.Trampoline && !(first && p.Signal()) {
		f.Procedure = find(c.mods, &c.abi, f.PC-1)
	}
	c.frame = f
}

// Step moves the cursor to the caller's frame and returns nil. If there is no such frame, it returns the reason, and
// the cursor stays at the current frame.
func (c *Cursor) Step() *Stop {
	if c.stop == nil {
		before := *c
		if stop := c.step(); stop != nil {
			*c = before
			c.stop = stop
		}
	}
	return c.stop
}

// StepBy is [Cursor.Step] by rules r instead of those in the SFrame data. It may follow a Step that returned a
// reason.
func (c *Cursor) StepBy(r Rules) *Stop {
	before := *c
	c.stop = nil
	stop := &Stop{Reason: TooManyFrames}
	if c.frame.Index+1 < c.opts.MaxFrames {
		stop = c.follow(r)
	}
	if stop != nil {
		*c = before
		c.stop = stop
	}
	return stop
}

func (c *Cursor) step() *Stop {
	if c.frame.Index+1 >= c.opts.MaxFrames {
		return &Stop{Reason: TooManyFrames}
	}
	if c.frame.Signal() && c.opts.Interrupted != nil && !c.frame.SPLeast {
		if regs, ok := c.opts.Interrupted(c.frame); ok {
			f := c.take(regs)
			f.Index = c.frame.Index + 1
			c.enter(f)
			return c.checkAdvance()
		}
	}
	if stop := c.frame.missing(); stop != nil {
		return stop
	}
	return c.follow(c.frame.Rules())
}

// follow moves the cursor to the caller by rules r. A caller has an unknown FP if only that cannot be read.
func (c *Cursor) follow(r Rules) *Stop {
	next, at, stop := c.caller(r)
	if stop != nil {
		if stop.Value != "FP" || stop.Reason == Invalid {
			return stop
		}
		c.lost = stop
		next.FP, next.FPKnown, at.fp = 0, false, Location{}
	} else if next.FPKnown {
		c.lost = nil
	}
	c.regs, c.saved = nil, at
	c.enter(next)
	return c.checkAdvance()
}

// Rules are the recovery rules of an FRE, of a row of CFI or of another source.
type Rules struct {
	model.Row
	SPLeast bool // the rule for CFA gives only a lower bound, so the SP of the caller is unknown
	Mangled bool // the return address is signed (AArch64)
	Key     model.PauthKey
	Signal  bool // the caller was interrupted
}

// Caller returns the caller's frame by rules r, without its procedure. The cursor does not move. Unlike
// [Cursor.Step], Caller requires the caller's FP.
func (c *Cursor) Caller(r Rules) (Frame, *Stop) {
	f, _, stop := c.caller(r)
	return f, stop
}

// caller computes the caller's state from that of the frame.
func (c *Cursor) caller(r Rules) (next Frame, at saved, stop *Stop) {
	if r.Outermost() {
		return next, at, &Stop{Reason: Outermost}
	}
	cfa, _, stop := c.value("CFA", r.CFA, 0)
	if stop != nil {
		return next, at, stop
	}
	next = c.frame
	next.Procedure = Procedure{}
	next.Index++
	next.SP = cfa + uint64(c.abi.SPOffset)
	if next.PC, at.pc, stop = c.value("RA", r.RA, cfa); stop != nil {
		return next, at, stop
	}
	next.PC, next.SPLeast = c.stripPAC(next.PC, &r), r.SPLeast
	if next.PC == 0 {
		return next, at, &Stop{Reason: ZeroPC}
	}
	// The caller of a trampoline may have another stack.
	next.Exact = r.Signal
	if !next.Exact && (next.SP < c.frame.SP || next.SP == c.frame.SP && c.regs == nil) {
		return next, at, &Stop{Reason: NotAdvancing, Addr: next.SP}
	}
	at.fp = c.Where(c.abi.FP)
	if r.FP.Kind == model.Undefined { // by CFI
		return next, at, &Stop{Reason: NoRegister, Value: "FP", Reg: c.abi.FP, reg: c.abi.RegName(c.abi.FP)}
	}
	if r.FP.Kind != model.Unchanged {
		if next.FP, at.fp, stop = c.value("FP", r.FP, cfa); stop != nil {
			return next, at, stop
		}
		next.FPKnown = true
	}
	return next, at, nil
}

// stripPAC returns a return address without the code that signs it.
func (c *Cursor) stripPAC(pc uint64, r *Rules) uint64 {
	if !c.abi.Pauth || !r.Mangled {
		return pc
	}
	mask := c.opts.PACMasks[r.Key]
	if pc&(1<<55) != 0 {
		return pc | mask
	}
	return pc &^ mask
}

// PACMask returns the bits of a signed AArch64 address that contain the pointer authentication code. With addressBits
// bits of address, these are all higher bits except bit 55, which selects the half of the address space.
func PACMask(addressBits uint) uint64 { return ^uint64(0) << addressBits &^ (1 << 55) }

func (c *Cursor) state() state {
	return state{c.frame.PC, c.frame.SP, c.frame.FP, c.frame.Exact, c.frame.FPKnown}
}

// checkAdvance ends the trace if the frame occurred before: with the same state and
// the same memory, all that follows would repeat.
func (c *Cursor) checkAdvance() *Stop {
	now := c.state()
	if now == c.mark {
		return &Stop{Reason: Loop}
	}
	if c.left--; c.left == 0 {
		c.mark, c.gap = now, c.gap*2
		c.left = c.gap
	}
	return nil
}
