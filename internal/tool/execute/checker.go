package execute

import (
	"encoding/binary"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// Options control a checker. The zero value is ready to use.
type Options struct {
	// Every is the number of steps of a thread between checks of all its frames. If it is 0, only the topmost frame
	// is checked.
	Every int
	// Claims, unless nil, are checked as well.
	Claims *Claims
	// PACMasks are as in [unwind.Options].
	PACMasks [2]uint64
}

// Checker compares SFrame data with executions of programs. It is not safe for concurrent use.
type Checker struct {
	abi           model.ABIInfo
	entersHandler func(p *Process, r, prev *Regs) bool // of [machine]
	opts          Options
	stats         Stats
	files         map[string]*fileTally // by path
	order         []*fileTally
	groups        map[groupKey]*Mismatch
	list          []*Mismatch
}

// Stats counts the work of a checker.
type Stats struct {
	Steps     uint64 `json:"steps"`     // observed instructions
	Checked   uint64 `json:"checked"`   // steps at which the caller was compared
	NoFDE     uint64 `json:"noFDE"`     // steps in code without an SFrame FDE
	NoCallers uint64 `json:"noCallers"` // steps with an unknown caller
	Transit   uint64 `json:"transit"`   // steps during a change to another stack or frame
	Unread    uint64 `json:"unread"`    // steps with unknown memory
	Stacks    uint64 `json:"stacks"`    // checks of all frames of a thread
	Frames    uint64 `json:"frames"`    // frames compared in those checks, without the topmost ones
	Threads   int    `json:"threads"`
	Processes int    `json:"processes"`
	Wrong     uint64 `json:"wrong"`  // steps with a mismatch that is not a known quirk
	Quirks    uint64 `json:"quirks"` // steps with a known quirk of a producer
}

// NewChecker returns a checker for programs of an ABI in [machines].
func NewChecker(abi model.ABIInfo, opts Options) *Checker {
	return &Checker{
		abi: abi, entersHandler: machines[abi.Machine].entersHandler, opts: opts,
		files: map[string]*fileTally{}, groups: map[groupKey]*Mismatch{},
	}
}

// Process is a process whose steps are checked.
type Process struct {
	*Checker
	space   Space
	entry   uint64 // SP of the caller less SP at the first instruction of a function
	order   binary.ByteOrder
	threads map[int]*thread
	places  map[uint64]*site
	near    [placeCache]*site
	cursor  *unwind.Cursor
	window  window
	last    *thread
}

// placeCache is the number of places that are found without a look into the map.
const placeCache = 1 << 12

// Process returns a new process to check.
func (c *Checker) Process(space Space) *Process {
	c.stats.Processes++
	p := &Process{
		Checker: c, space: space, order: number.Order(c.abi.Big),
		entry:   uint64(c.abi.EntryCFA + c.abi.SPOffset),
		threads: map[int]*thread{}, places: map[uint64]*site{},
	}
	p.window.mem = space
	p.cursor = unwind.New(c.abi, &Regs{}, &p.window, p, p.unwindOptions())
	return p
}

func (p *Process) unwindOptions() unwind.Options {
	return unwind.Options{
		PACMasks: p.opts.PACMasks,
		Interrupted: func(f unwind.Frame) (unwind.Registers, bool) {
			at, ok := p.interrupted(f.SP)
			return at, ok
		},
	}
}

// Step checks a step of a thread and follows it. It reports whether the instruction is a system call.
func (p *Process) Step(s *Step) bool {
	p.stats.Steps++
	pl := p.place(s.Regs.Addr)
	t := p.last
	if t == nil || t.id != s.Thread {
		if t = p.threads[s.Thread]; t == nil {
			t = p.thread(s, pl)
		}
		p.last = t
		p.window.forget()
	}
	if t.fresh {
		t.fresh = false
	} else {
		if s.Gap || t.at.class.writes || s.Signal != 0 {
			p.window.forget()
		}
		p.advance(t, s, pl)
	}
	p.check(t, s.Regs, pl)
	t.prev, t.at = *s.Regs, pl
	return pl.class.kernel
}

// thread returns a new thread.
func (p *Process) thread(s *Step, pl *site) *thread {
	p.stats.Threads++
	var t *thread
	if parent := p.threads[s.Parent]; s.Parent != 0 && parent != nil {
		t = parent.clone(s.Thread)
	} else {
		t = &thread{id: s.Thread, cur: &stack{}, fresh: true, at: pl}
		p.started(t, s, pl)
	}
	p.threads[s.Thread] = t
	return t
}

// Fork returns the process of a child with a copy of this process's memory. The child's thread begins with the frames
// of its parent.
func (p *Process) Fork(space Space, parent, child int) *Process {
	c := p.Checker.Process(space)
	if t := p.threads[parent]; t != nil {
		c.stats.Threads++
		c.threads[child] = t.clone(child)
	}
	return c
}

// started makes the first frames of a thread.
func (p *Process) started(t *thread, s *Step, pl *site) {
	if s.Gap {
		// The first step that is seen is not the thread's first one: it may be a function
		// that was called, or the one that the dynamic linker went to.
		t.forgetCallers()
		f := p.entryFrame(s.Regs)
		if _, ok := p.space.Image(f.ra - 1); ok && pl.start() && !f.noRA {
			t.push(f)
			return
		}
	}
	f := frame{kind: bottom}
	if len(p.threads) > 0 {
		f.first = pl.fn // clone returns twice in one function
	}
	t.push(f)
}

// Exit tells the checker that a thread has ended.
func (p *Process) Exit(thread int) {
	if p.last != nil && p.last.id == thread {
		p.last = nil
	}
	delete(p.threads, thread)
}

// Forget tells the checker that the mappings of the process have changed and cached code is no longer valid.
func (p *Process) Forget() {
	clear(p.places)
	clear(p.near[:])
}

// Module implements [unwind.Modules].
func (p *Process) Module(pc uint64) (unwind.Module, bool) {
	im, ok := p.space.Image(pc)
	if !ok {
		return unwind.Module{}, false
	}
	return unwind.Module{Name: im.Name, Bias: im.Bias, Sections: im.Sections}, true
}

// word reads a word of the process.
func (p *Process) word(addr uint64) (uint64, error) {
	var b [8]byte
	if err := p.window.ReadMemory(addr, b[:]); err != nil {
		return 0, err
	}
	return p.order.Uint64(b[:]), nil
}

// fn returns the start of the function at an address, 0 if it is not known.
func (p *Process) fn(pc uint64) uint64 { return p.place(pc).fn }

// returnsTwice reports whether a function may return once more: setjmp and what it consists
// of.
func (p *Process) returnsTwice(pl *site) bool {
	name := pl.symbol()
	return strings.Contains(name, "setjmp") || strings.Contains(name, "sigjmp_save") || strings.HasSuffix(name, "getcontext")
}

// ReturnAddress returns the return address of a thread's current function. It reports false if it is unknown.
func (p *Process) ReturnAddress(thread int) (uint64, bool) {
	t := p.threads[thread]
	if t == nil {
		return 0, false
	}
	f := t.top()
	return f.ra, !f.noRA && f.returns()
}
