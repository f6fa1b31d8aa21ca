package proof

import (
	"cmp"
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/reader"
)

// exits collects where a function is left for code that no range has, the functions that
// start late, and signal frames that are called.
func (c *collector) exits(f *Function, rows []Row) {
	var first *Exit // a veneer only if there is nothing else
	var late []LateStart
	end, entry := f.Range().End, c.abi.EntryCFA
	f.Leaves(func(l *Leaf) bool {
		if l.Kind == LeafCut && (first == nil || first.Veneer) && c.cuts(l.Place, l.PC, l.Target) {
			first = &Exit{Leaf: *l, Func: f.Index()}
		}
		if !l.Resolved || l.Kind == LeafCut || c.covered(l.Place, l.Target) {
			return true
		}
		down := int64(0)
		if l.State.SP.Base == CFA {
			down = max(0, -l.State.SP.Off-entry)
		}
		veneer := l.Kind == LeafJump && c.veneer(l)
		switch {
		case l.Kind == LeafCall:
			if x, ok := c.startsLate(l.Place, l.Target); ok {
				x.Call = l.PC
				late = append(late, x)
			}
		case l.Kind == LeafFalls && l.Target == end && c.goesOn(l), l.Kind == LeafJump && (l.Framed || l.Target == end && c.isPart(f.Index(), end)) && !c.fills(l), veneer:
			if first == nil || first.Veneer && !veneer || first.Veneer == veneer && l.PC < first.PC {
				first = &Exit{Leaf: *l, Func: f.Index(), Down: down, Veneer: veneer}
			}
		}
		return true
	})
	e, _ := f.Evidence()
	signal := len(rows) > 0 && rows[0].Signal
	if signal && e&Called == 0 {
		_, signal = f.Returns()
		signal = signal || e&Jumped != 0 && f.Lowered() || c.passesOn(f, rows)
	}
	if first == nil && len(late) == 0 && !signal {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.keep(f.Index(), 1+len(late)) {
		return
	}
	if first != nil {
		c.found.Exits = append(c.found.Exits, *first)
	}
	if signal {
		c.found.Called = append(c.found.Called, f.Index())
	}
	c.found.Late = append(c.found.Late, late...)
}

// isPart reports whether code at the end of a range is a part of its function: no symbol is there, and it is not aligned
// as this function and the next one are.
func (c *collector) isPart(x int, end uint64) bool {
	r, i, align := &c.fs.Ranges[x], c.next(c.fs.Ranges[x].Place, end), uint64(c.abi.FuncAlign)
	if c.abi.MinInsn >= 4 || end%align == 0 || r.Start%align != 0 || r.Block > 0 || i == len(c.fs.Ranges) || c.fs.Ranges[i].Place != r.Place || c.fs.Ranges[i].Start%align != 0 {
		return false
	}
	y, named := c.o.ELF.Symbols.Func(int(r.Place), end)
	return !named || y.Value != end
}

// passesOn reports whether a function tail-calls a stub or one that is not a signal frame, with the CFA of an entry.
func (c *collector) passesOn(f *Function, rows []Row) (found bool) {
	if cfa := rows[0].CFA; rows[0].Start != f.Range().Start || cfa.Deref || cfa.Reg != c.abi.SP || cfa.Offset != c.abi.EntryCFA {
		return false
	}
	jumps := 0
	f.Leaves(func(l *Leaf) bool {
		if l.Kind != LeafJump || !l.Resolved || l.State.SP.Base != CFA || l.State.SP.Off != -c.abi.EntryCFA {
			return true
		}
		if jumps++; jumps > maxJumps {
			return false
		}
		i := c.next(l.Place, l.Target) - 1
		if !c.covered(l.Place, l.Target) || !c.fs.Ranges[i].starts(l.Target) {
			return true
		}
		to := c.fs.Rows(i, nil)
		found = c.fs.Ranges[i].Block > 0 || len(to) > 0 && to[0].ordinary()
		found = found && l.State.RA.Base == Entry && uint32(l.State.RA.Reg) == c.abi.RA && l.State.RA.Off == 0
		return !found
	})
	return found
}

// maxJumps is the number of jumps of a function that are looked at for those that return for it.
const maxJumps = 16

// goesOn reports whether there is code where a function ends. The last instruction is not a system call, which
// may be one that does not return, nor is the next one: what CFI says would be wrong in the child of a clone.
func (c *collector) goesOn(l *Leaf) bool {
	last := c.read(l.Place, l.PC, int(l.Target-l.PC))
	if last == nil || c.first(last).System {
		return false
	}
	if end := sectionEnd(c.o, l.Place, l.PC); l.Target >= end || len(c.o.ELF.Sections) == 0 && !c.follows(l) {
		return false // another section: the linker decides what follows
	}
	next := c.read(l.Place, l.Target, 16)
	return len(next) >= int(c.abi.MinInsn) && !c.first(next).Pad && !c.first(next).System
}

// follows reports whether a range starts near the end of another one: in a file without section headers, both are likely
// to be in the same section.
func (c *collector) follows(l *Leaf) bool {
	i := c.next(l.Place, l.PC)
	return i < len(c.fs.Ranges) && c.fs.Ranges[i].Place == l.Place && c.fs.Ranges[i].Start-l.Target <= Nearby
}

// maxFilling is the number of bytes between functions that are read.
const maxFilling = 64

// fills reports whether a jump leads to what fills the space between functions, as one before
// __builtin_unreachable does. Nops before code that no range has are a part of that code.
func (c *collector) fills(l *Leaf) bool {
	code := c.read(l.Place, l.Target, maxFilling)
	for off, i := range insn.For(c.abi.Machine).All(code, l.Target) {
		switch {
		case off > 0 && c.covered(l.Place, l.Target+uint64(off)):
			return true
		case !i.Pad:
			return false
		case i.Flow == insn.Stop:
			return true
		}
	}
	return len(code) > 0
}

// read returns at most n bytes of code, none where the object cannot be read.
func (c *collector) read(place uint32, pc uint64, n int) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	code, err := bytesAt(c.o, place, pc, n)
	if err != nil {
		return nil
	}
	return code
}

// first returns the first instruction of code.
func (c *collector) first(code []byte) insn.Insn {
	return insn.For(c.abi.Machine).One(code, 0)
}

// pads reports whether code begins with what fills the space between functions, or with a trap, or has
// no instruction.
func (c *collector) pads(code []byte) bool {
	i := c.first(code)
	return i.Pad || i.Flow == insn.Stop || len(code) == 0
}

// veneer reports whether a jump leads to a linker's veneer, which returns to the next instruction.
func (c *collector) veneer(l *Leaf) bool {
	if !c.abi.Veneers {
		return false
	}
	return veneer(c.read(l.Place, l.Target, 8), int64(l.PC+4-l.Target))
}

// next returns the index of the first range that starts after an address.
func (c *collector) next(place uint32, pc uint64) int {
	return sort.Search(len(c.fs.Ranges), func(i int) bool {
		r := &c.fs.Ranges[i]
		return r.Place > place || r.Place == place && r.Start > pc
	})
}

// covered reports whether a range has an address.
func (c *collector) covered(place uint32, pc uint64) bool {
	i := c.next(place, pc) - 1
	return i >= 0 && c.fs.Ranges[i].Place == place && pc < c.fs.Ranges[i].End
}

// nearest is how far the instructions before a late start may reach, in bytes.
const nearest = 32

// cuts reports whether the instruction at an address has bytes after another one.
func (c *collector) cuts(place uint32, pc, end uint64) bool {
	code := c.read(place, pc, insn.MaxLen)
	if len(code) == 0 {
		return false
	}
	i := c.first(code)
	return i.Flow != insn.Bad && pc+uint64(i.Len) > end
}

// spans returns the instruction that has bytes before and after an address, to which the instructions of
// code lead, which is at pc. All of them go on with the next one, and none fills space: zeros may be
// there before code that is not aligned on purpose.
func (c *collector) spans(code []byte, pc, addr uint64) (uint64, bool) {
	for off, i := range insn.For(c.abi.Machine).All(code, pc) {
		at := pc + uint64(off)
		if i.Flow == insn.Bad || i.Pad || code[off] == 0 || at >= addr {
			break
		}
		if at+uint64(i.Len) > addr {
			return at, true
		}
		if i.Flow != insn.Next {
			break
		}
	}
	return 0, false
}

// startsLate returns the range whose start instructions at an address lead to.
func (c *collector) startsLate(place uint32, pc uint64) (x LateStart, ok bool) {
	i := c.next(place, pc)
	if i == len(c.fs.Ranges) || c.fs.Ranges[i].Place != place || c.fs.Ranges[i].Start-pc > nearest {
		return x, false
	}
	start := c.fs.Ranges[i].Start
	code := c.read(place, pc, nearest+16)
	if c.pads(code) { // room for a patch
		return x, false
	}
	if at, cut := c.spans(code, pc, start); cut {
		return LateStart{Func: i, Target: pc, Cut: at}, true
	}
	var ends []uint64
	Prologue(code, &c.abi, func(end uint32, _ int64) bool {
		ends = append(ends, pc+uint64(end))
		return end < nearest
	})
	return LateStart{Func: i, Target: pc}, slices.Contains(ends, start)
}

// Inner is a separate function within a range. Nothing in the range leads to this function, and it returns like a
// function. The Contradiction has a row of the range that is wrong there.
type Inner struct {
	Func  int
	Start uint64
	Contradiction
}

// aside is code that is looked at by itself: in a range, after it or before it.
type aside struct {
	Range
	owner int // the range that has it, or the one before it or after it
	where side
}

// side says where code is that is looked at by itself.
type side uint8

const (
	inside side = iota // of the range
	after
	before
)

// maxAsides is the number of pieces of code that are looked at by themselves.
const maxAsides = 1 << 14

func (c *collector) addAside(a aside) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.asides) < maxAsides {
		c.asides = append(c.asides, a)
	}
}

// addBeyond records code after the end of a range that may belong to it: what a jump leads to, or
// what follows at once.
func (c *collector) addBeyond(f *Function) {
	r := f.Range()
	next := min(r.End+maxGap, sectionEnd(c.o, r.Place, r.Start))
	if i := c.next(r.Place, r.Start); i < len(c.fs.Ranges) && c.fs.Ranges[i].Place == r.Place {
		start := c.fs.Ranges[i].Start
		next = min(next, start)
		if a := uint64(c.abi.FuncAlign); c.abi.MinInsn < 4 && start%a != 0 && start-start%a >= r.End {
			next = min(next, start-start%a)
			c.addAside(aside{Range{Place: r.Place, Start: start - start%a, End: start}, i, before})
		}
	}
	if next <= r.End || r.Block > 0 {
		return
	}
	follows := !c.pads(c.read(r.Place, r.End, 16))
	if !follows {
		next = min(next, r.End+Nearby)
	}
	from := next
	f.Leaves(func(l *Leaf) bool {
		if l.Kind == LeafJump && l.Resolved && l.Place == r.Place && l.Target >= r.End {
			from = min(from, l.Target)
		}
		return true
	})
	if follows {
		from = r.End
	}
	if from < next {
		c.addAside(aside{Range{Place: r.Place, Start: from, End: next}, f.Index(), after})
	}
}

// look tracks the code that was recorded.
func (c *collector) look() error {
	slices.SortFunc(c.asides, func(a, b aside) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Start, b.Start))
	})
	c.asides = slices.CompactFunc(c.asides, func(a, b aside) bool { return a.Place == b.Place && a.Start < b.End && b.Start < a.End })
	if len(c.asides) == 0 {
		return nil
	}
	ranges := make([]Range, len(c.asides))
	for i := range ranges {
		ranges[i] = c.asides[i].Range
	}
	t, err := New(c.o, ranges, nil, nil)
	if err != nil {
		return err
	}
	return t.Run(1, func(f *Function) {
		switch a := &c.asides[f.Index()]; a.where {
		case inside:
			c.inner(f, a)
		case after:
			c.returnsTo(f, a)
			c.separate(f, a)
		case before:
			c.leadsTo(f, a)
		}
	})
}

// inner reports a function of its own in a range, with a row that it contradicts.
func (c *collector) inner(f *Function, a *aside) {
	if e, _ := f.Evidence(); e&Returns == 0 && !c.isFunction(f) {
		return
	}
	var rows []Row
	for _, r := range c.fs.Rows(a.owner, nil) {
		r.Start, r.End = max(r.Start, a.Start), min(r.End, a.End)
		if r.Start < r.End {
			rows = append(rows, r)
		}
	}
	found := false
	f.Check(rows, func(x Contradiction) {
		if x.Kind == WrongCFA && x.Exact && !found {
			found = true
			x.Proof = slices.Clone(x.Proof)
			c.found.Inner = append(c.found.Inner, Inner{a.owner, a.Start, x})
		}
	})
}

// returnsTo reports code after the end of a range that jumps back into the middle of it, or that takes down a frame which
// it has not set up, at once after the end.
func (c *collector) returnsTo(f *Function, a *aside) {
	r := &c.fs.Ranges[a.owner]
	if slices.ContainsFunc(c.found.Exits, func(x Exit) bool { return x.Func == a.owner }) {
		return
	}
	if pc, ok := f.takesDown(); ok && a.Start == r.End {
		c.found.Exits = append(c.found.Exits, Exit{Leaf: Leaf{Kind: LeafFalls, PC: pc, Place: r.Place}, Func: a.owner, From: a.Start})
		return
	}
	f.Leaves(func(l *Leaf) bool {
		if l.Kind != LeafJump || !l.Resolved || l.Place != r.Place || l.Target <= r.Start || l.Target >= r.End {
			return true
		}
		c.found.Exits = append(c.found.Exits, Exit{Leaf: *l, Func: a.owner, From: a.Start})
		return false
	})
}

// separate drops that a range goes on after its end where another function starts there: compilers
// write nothing after what is never reached. A function has a symbol, or sets up a frame at an aligned
// address, or returns with SP as it is there although the range has a frame set up.
func (c *collector) separate(f *Function, a *aside) {
	c.found.Exits = slices.DeleteFunc(c.found.Exits, func(x Exit) bool {
		if x.Func != a.owner || x.Kind != LeafFalls || x.Target != a.Start {
			return false
		}
		if y, ok := c.o.ELF.Symbols.Func(int(x.Place), x.Target); ok {
			return y.Value == x.Target
		}
		if e, _ := f.Evidence(); x.Down > 0 && e&Returns != 0 {
			return true
		}
		frame := false
		if x.Target%uint64(c.abi.FuncAlign) == 0 {
			Prologue(c.read(a.Place, a.Start, nearest+16), &c.abi, func(_ uint32, down int64) bool {
				frame = down > 0
				return !frame
			})
		}
		return frame
	})
}

// leadsTo reports instructions before a range, at an address to which functions are aligned, that
// lead to its start, which is at none. What follows no padding may be a template of exrl.
func (c *collector) leadsTo(f *Function, a *aside) {
	code := c.read(a.Place, a.Start, int(a.End-a.Start)+insn.MaxLen)
	if len(code) < int(a.End-a.Start) || !c.padded(a) {
		return
	}
	if at, cut := c.spans(code, a.Start, a.End); cut {
		c.found.Late = append(c.found.Late, LateStart{Func: a.owner, Target: a.Start, Cut: at})
		return
	}
	code = code[:a.End-a.Start]
	if c.pads(code) || c.padsLast(code) {
		return // the padding before the range follows what is not its code
	}
	f.Leaves(func(l *Leaf) bool {
		if l.Kind == LeafFalls {
			c.found.Late = append(c.found.Late, LateStart{Func: a.owner, Target: a.Start})
		}
		return true
	})
}

// padsLast reports whether the last instruction of code fills space.
func (c *collector) padsLast(code []byte) (pad bool) {
	for _, i := range insn.For(c.abi.Machine).All(code, 0) {
		pad = i.Pad
	}
	return pad
}

// padded reports whether nothing but what fills the space between functions is between code and the range
// before it.
func (c *collector) padded(a *aside) bool {
	k := c.next(a.Place, a.Start) - 1
	if k < 0 || c.fs.Ranges[k].Place != a.Place || c.fs.Ranges[k].End > a.Start || a.Start-c.fs.Ranges[k].End > Nearby {
		return false
	}
	code := c.read(a.Place, c.fs.Ranges[k].End, int(a.Start-c.fs.Ranges[k].End))
	for _, i := range insn.For(c.abi.Machine).All(code, 0) {
		if !i.Pad {
			return false
		}
	}
	return true
}

// sectionEnd returns where the section ends that has an address, in a relocatable file an offset in a
// section, or, in a file without section headers, the segment.
func sectionEnd(o *reader.Object, place uint32, pc uint64) uint64 {
	if i, off, ok := o.ELF.Within(int(place), pc); ok {
		return pc - off + o.ELF.Sections[i].Size
	}
	sp, _ := o.ELF.LoadedAt(pc)
	return pc + uint64(sp.Len)
}
