package proof

import (
	"cmp"
	"slices"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Insn is an instruction.
type Insn struct {
	PC    uint64
	Bytes []byte
}

// Wrong is an error in a function's rows that the code proves.
type Wrong struct {
	Contradiction
	Func  int // index of the range
	Range Range
	At    uint64 // start of the row
	// Entered reports whether the function is called, or returns as the ABI requires. Its state on entry is then
	// certain. Other code may be entered with more on the stack, such as the code of the dynamic linker that stubs
	// enter.
	Entered bool
	// Referred reports whether the only evidence for the function is a reference to its address.
	Referred bool
	// Restored reports whether no caller needs the FP that the function overwrites; see restore.
	Restored bool
	// AtCalls is the result of [Function.AtCalls].
	AtCalls bool
	local   bool     // only direct calls are known to lead to the function
	Insns   []Insn   // the instructions of the proof, in execution order
	path    []Insn   // those of the witness
	Repairs []Repair // corrections of all rows of the function
	More    int      // number of further rows of the function with the same error
}

// Exit is a place at which execution leaves a function for code outside all ranges: with the frame set up, at the end
// of the function, or for a veneer. With LeafCut, the range ends within the instruction at PC.
type Exit struct {
	Leaf
	Func int
	// Down is the number of bytes by which SP is lower than on entry, or 0 if that is not known.
	Down int64
	// From is the start of code after the range with a jump back into the range, or 0. If Kind is LeafFalls, this code
	// takes down the frame of the range instead.
	From uint64
	// Veneer reports whether the linker has moved the instruction at PC to the target. The target returns to the next
	// instruction.
	Veneer bool
}

// Hole is the start of a function outside all ranges, between two ranges.
type Hole struct {
	Before, After int
	Start         uint64
}

// LateStart is a range that starts after the first instructions of its function. These instructions are at Target and
// lead to the start of the range.
type LateStart struct {
	Func   int
	Call   uint64 // a call of Target; 0 if only the alignment of functions suggests Target
	Target uint64
	// Cut is the instruction, at or after Target, within which the range starts, or 0.
	Cut uint64
	// Landing reports whether indirect calls may lead to Target.
	Landing bool
}

// Functions has the functions whose rows are compared with code.
type Functions struct {
	Ranges []Range // sorted by place and start
	// Rows returns the rows of a function. It must be safe for concurrent use.
	Rows func(i int, rows []Row) []Row
	// Frames gives the exception tables. If it is nil, exception tables are not read.
	Frames *cfi.Frames
	// Open is called, if not nil and if Exits is set, for each function with rows that the code does not decide. why
	// has a reason for each row, or Known for a decided row. Open must be safe for concurrent use.
	Open func(i int, rows []Row, why []Reason)
	// Exits requests that exits, late starts and entries are collected.
	Exits bool
}

// Found is what the code of an object proves.
type Found struct {
	Wrong []Wrong // sorted by function, kind and address
	// Unconfirmed counts, for each kind, the functions with further contradictions that no path confirms, because the
	// paths are too long.
	Unconfirmed [Inside + 1]int
	Exits       []Exit      // the first exit of each function, sorted by function
	Late        []LateStart // sorted by function
	Inner       []Inner     // sorted by function
	Holes       []Hole      // sorted by address
	// Called has the functions that are marked as signal frames, but are called, return a result or are parts of
	// functions with a frame.
	Called []int
	// Lookups has calls of functions in Called after which a tracer looks up the wrong row or function.
	Lookups []Lookup
	// Blocks has ranges of blocks whose code continues from one block to the next, with an instruction that continues
	// so.
	Blocks []Exit
	// Corrections has corrections of rows, sorted by function.
	Corrections []Correction
	// Certified reports, for each function, whether the code agrees with the rows from the entry on.
	Certified []bool
	// Ordinary reports, for each function, whether the code makes no system call.
	Ordinary []bool
}

// Correction has the repairs that correct all rows of a function.
type Correction struct {
	Func    int
	Range   Range
	Repairs []Repair
	AtCalls bool // see [Function.AtCalls]
}

// Correction returns the correction of a function's rows, or nil if no correction is known.
func (f *Found) Correction(function int) *Correction {
	if f == nil {
		return nil
	}
	i, ok := slices.BinarySearchFunc(f.Corrections, function, func(m Correction, function int) int { return cmp.Compare(m.Func, function) })
	if !ok {
		return nil
	}
	return &f.Corrections[i]
}

// Agrees reports whether the code of a function agrees with its rows from the entry on, in the checked code.
func (f *Found) Agrees(function int) bool { return f != nil && f.Certified[function] }

// Has reports whether a function has a contradiction of a kind.
func (f *Found) Has(function int, kind Aspect) bool {
	if f == nil {
		return false
	}
	_, ok := slices.BinarySearchFunc(f.Wrong, Wrong{}, func(w, _ Wrong) int {
		return cmp.Or(cmp.Compare(w.Func, function), cmp.Compare(w.Kind, kind))
	})
	return ok
}

// Wrongs reports whether a function has a contradiction.
func (f *Found) Wrongs(function int) bool {
	if f == nil {
		return false
	}
	_, ok := slices.BinarySearchFunc(f.Wrong, function, func(w Wrong, function int) int { return cmp.Compare(w.Func, function) })
	return ok
}

// Of returns what the code proves about the functions. Errors come from I/O and the budget. With an error, Of also
// returns what it found before.
func Of(o *reader.Object, fs Functions) (*Found, error) {
	t, err := New(o, fs.Ranges, LSDAs(fs.Frames), fs.Rows)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	c := collector{o: o, fs: fs, abi: o.ELF.ABI(), full: len(fs.Ranges)}
	c.buffers.New = func() any { return new([]Row) }
	err = t.Run(t.Workers(), c.visit)
	c.err = cmp.Or(c.err, err)
	c.found.Certified, c.found.Ordinary = make([]bool, len(fs.Ranges)), make([]bool, len(fs.Ranges))
	for i := range fs.Ranges {
		c.found.Certified[i], c.found.Ordinary[i] = t.Certified(i), !t.System(i)
	}
	c.cut()
	if c.err == nil {
		c.err = cmp.Or(c.look(), c.holes(), c.landings())
	}
	if c.err == nil {
		c.err = cmp.Or(c.restore(t), c.lookups(t))
	}
	slices.SortFunc(c.found.Inner, func(a, b Inner) int { return cmp.Compare(a.Func, b.Func) })
	slices.SortFunc(c.found.Blocks, func(a, b Exit) int { return cmp.Compare(a.Func, b.Func) })
	slices.SortFunc(c.all, func(a, b Wrong) int {
		return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Start, b.Start))
	})
	slices.SortFunc(c.found.Exits, func(a, b Exit) int { return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.PC, b.PC)) })
	slices.SortFunc(c.found.Late, func(a, b LateStart) int { return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Call, b.Call)) })
	c.found.Late = slices.CompactFunc(c.found.Late, func(a, b LateStart) bool { return a.Func == b.Func })
	slices.Sort(c.found.Called)
	slices.SortFunc(c.found.Corrections, func(a, b Correction) int { return cmp.Compare(a.Func, b.Func) })
	c.found.Wrong = c.all
	return &c.found, c.err
}

// collector collects what several goroutines find.
type collector struct {
	o       *reader.Object
	fs      Functions
	buffers sync.Pool // of rows
	abi     model.ABIInfo

	mu     sync.Mutex // guards what follows
	all    []Wrong
	found  Found
	asides []aside
	err    error
	full   int // nothing is kept of this function and of later ones: there is no room for it
}

// keep counts the memory of what is found in a function. It reports whether there is room.
func (c *collector) keep(function, n int) bool {
	if function < c.full && c.o.Hold(int64(n)*wrongSize) != nil {
		c.full = function
	}
	return function < c.full
}

// cut drops what was found in functions after the first one for which there was no room: what is
// left does not depend on the order in which they were visited.
func (c *collector) cut() {
	if c.full == len(c.fs.Ranges) {
		return
	}
	beyond := func(function int) bool { return function >= c.full }
	c.all = slices.DeleteFunc(c.all, func(w Wrong) bool { return beyond(w.Func) })
	c.found.Exits = slices.DeleteFunc(c.found.Exits, func(x Exit) bool { return beyond(x.Func) })
	c.found.Blocks = slices.DeleteFunc(c.found.Blocks, func(x Exit) bool { return beyond(x.Func) })
	c.found.Late = slices.DeleteFunc(c.found.Late, func(x LateStart) bool { return beyond(x.Func) })
	c.found.Inner = slices.DeleteFunc(c.found.Inner, func(x Inner) bool { return beyond(x.Func) })
	c.found.Holes = slices.DeleteFunc(c.found.Holes, func(x Hole) bool { return beyond(x.Before) })
	c.found.Called = slices.DeleteFunc(c.found.Called, beyond)
	c.found.Corrections = slices.DeleteFunc(c.found.Corrections, func(m Correction) bool { return beyond(m.Func) })
}

// visit holds the rows of a function against its code. Of each kind of contradiction it keeps
// the first. A row whose CFA is wrong is not judged further: what counts from the CFA follows.
func (c *collector) visit(f *Function) {
	if c.ended(f.Index()) {
		return
	}
	buf := c.buffers.Get().(*[]Row)
	defer c.buffers.Put(buf)
	*buf = c.fs.Rows(f.Index(), (*buf)[:0])
	var found []Wrong
	noCFA := map[int]bool{}
	e, _ := f.Evidence()
	if e&(Symbol|Called|Taken) != 0 {
		e &^= Jumped | Pad // those lead to the middle of an entry, and prove nothing about its start
	}
	entered := e&^(Symbol|Taken) != 0
	local := e&Called != 0 && e&(Symbol|Taken) == 0
	f.Check(*buf, func(x Contradiction) {
		if x.Kind == WrongCFA {
			noCFA[x.Row] = true
		}
		found = append(found, Wrong{Contradiction: x, Func: f.Index(), Range: f.Range(), At: (*buf)[x.Row].Start, Entered: entered, Referred: e == Taken, local: local})
	})
	if c.fs.Exits {
		c.exits(f, *buf)
		c.decide(f, *buf)
		c.addBeyond(f)
		if pc, ok := f.Continues(); ok {
			c.mu.Lock()
			c.found.Blocks = append(c.found.Blocks, Exit{Leaf: Leaf{PC: pc, Place: f.Range().Place}, Func: f.Index()})
			c.mu.Unlock()
		}
	}
	c.correction(f)
	c.unconfirmed(f)
	if len(found) == 0 {
		return
	}
	found = slices.DeleteFunc(found, func(w Wrong) bool {
		return noCFA[w.Row] && (w.Kind == WrongRA || w.Kind == WrongFP || w.Kind == StaleFP)
	})
	slices.SortFunc(found, func(a, b Wrong) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Start, b.Start)) })
	first := found[:0]
	for _, w := range found {
		if n := len(first); n > 0 && first[n-1].Kind == w.Kind {
			first[n-1].More++
			continue
		}
		w.Proof, w.Repairs, w.AtCalls = slices.Clone(w.Proof), f.Repairs(), f.AtCalls()
		first = append(first, w)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.keep(f.Index(), len(first)) {
		return
	}
	c.err = cmp.Or(c.err, c.quote(f, first))
	c.all = append(c.all, first...)
}

// unconfirmed counts the kinds of contradictions of a function that were not confirmed.
func (c *collector) unconfirmed(f *Function) {
	if !slices.Contains(f.unconfirmed[:], true) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for kind, open := range f.unconfirmed {
		if open {
			c.found.Unconfirmed[kind]++
		}
	}
}

// correction keeps what corrects the rows of a function.
func (c *collector) correction(f *Function) {
	repairs := f.Repairs()
	if len(repairs) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.keep(f.Index(), 1+len(repairs)/4) {
		c.found.Corrections = append(c.found.Corrections, Correction{f.Index(), f.Range(), repairs, f.AtCalls()})
	}
}

// ended reports whether nothing that is found in a function counts: code cannot be read, or there
// is no room.
func (c *collector) ended(function int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err != nil || function >= c.full
}

// wrongSize is about how many bytes a Wrong takes.
const wrongSize = 400

// quote adds the bytes of the instructions that prove something, as far as they are in the section of the range: a
// part of a function may be in another one.
func (c *collector) quote(f *Function, all []Wrong) error {
	lengths := map[uint64]int{}
	for i := range all {
		for _, pc := range all[i].Proof {
			lengths[pc] = 0
		}
		for _, step := range all[i].Witness {
			lengths[step.PC] = 0
		}
	}
	for k := range f.u.ins {
		i, pc := &f.u.ins[k], f.u.pc(int32(k))
		if _, ok := lengths[pc]; ok && i.owner >= 0 && f.u.parts[i.part].Place == f.Range().Place {
			lengths[pc] = int(i.len)
		}
	}
	for i := range all {
		w := &all[i]
		for _, pc := range w.Proof {
			n := lengths[pc]
			if n == 0 && w.Beside {
				n = insn.MaxLen
			}
			if n == 0 {
				continue
			}
			b, err := bytesAt(c.o, w.Range.Place, pc, n)
			if err != nil {
				return err
			}
			if w.Beside {
				b = b[:insn.For(c.abi.Machine).One(b, pc).Len]
			}
			w.Insns = append(w.Insns, Insn{pc, b})
		}
		for _, step := range w.Witness {
			var b []byte
			if n := lengths[step.PC]; n > 0 {
				var err error
				if b, err = bytesAt(c.o, w.Range.Place, step.PC, n); err != nil {
					return err
				}
			}
			w.path = append(w.path, Insn{step.PC, b})
		}
	}
	return nil
}

// bytesAt returns up to n bytes of code at an address, in a relocatable file an offset in a section. Each is a step of work.
func bytesAt(o *reader.Object, place uint32, pc uint64, n int) ([]byte, error) {
	b, err := o.ELF.Part(int(place), pc, uint64(n), nil)
	return b, cmp.Or(err, o.Step(int64(len(b))))
}

// Text returns the instruction in assembly syntax, with its bytes.
func (i Insn) Text(abi *model.ABIInfo) string { return insn.Text(abi.Machine, i.Bytes, i.PC) }
