package proof

import (
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/insn"
	"github.com/sframe-lint/sframe-lint/track"
)

// exits collects where a function is left for code that no range has, the functions that
// start late, and signal frames that are called.
func (c *collector) exits(f *track.Function, rows []track.Row) {
	var first *Exit // a veneer only if there is nothing else
	var late []Late
	end, entry := f.Range().End, c.abi.EntryCFA
	f.Leaves(func(l *track.Leaf) bool {
		if !l.Resolved || c.covered(l.Place, l.Target) {
			return true
		}
		down, known := -l.State.SP.Off-entry, l.State.SP.Base == track.CFA
		veneer := l.Kind == track.LeafJump && c.veneer(l)
		switch {
		case l.Kind == track.LeafCall:
			if to, ok := c.startsLate(l.Place, l.Target); ok {
				late = append(late, Late{to, l.PC, l.Target})
			}
		case l.Kind == track.LeafFalls && l.Target == end && c.goesOn(l), l.Kind == track.LeafJump && known && down > 0, veneer:
			if first == nil || first.Veneer && !veneer || first.Veneer == veneer && l.PC < first.PC {
				first = &Exit{Leaf: *l, Func: f.Index(), Down: max(0, down), Veneer: veneer}
			}
		}
		return true
	})
	e, _ := f.Evidence()
	signal := len(rows) > 0 && rows[0].Signal
	if signal && e&track.Called == 0 {
		_, signal = f.Returns()
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

// goesOn reports whether there is code where a function ends, and the last instruction is not a
// system call, which may be one that does not return.
func (c *collector) goesOn(l *track.Leaf) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	last, err := bytesAt(c.o, l.Place, l.PC, int(l.Target-l.PC))
	if err != nil || c.first(last).System {
		return false
	}
	next, err := bytesAt(c.o, l.Place, l.Target, 16)
	return err == nil && len(next) >= int(c.abi.MinInsn) && !c.first(next).Pad
}

// first returns the first instruction of code.
func (c *collector) first(code []byte) insn.Insn { return insn.For(c.abi.Machine).One(code, 0) }

// pads reports whether code begins with what fills the space between functions, or with a trap, or has
// no instruction.
func (c *collector) pads(code []byte) bool {
	i := c.first(code)
	return i.Pad || i.Flow == insn.Stop || len(code) == 0
}

// veneer reports whether a jump leads to a linker's veneer, which returns to the next instruction.
func (c *collector) veneer(l *track.Leaf) bool {
	if !c.abi.Veneers {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	code, err := bytesAt(c.o, l.Place, l.Target, 8)
	return err == nil && veneer(code, int64(l.PC+4-l.Target))
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

// startsLate returns the range whose start instructions at an address lead to.
func (c *collector) startsLate(place uint32, pc uint64) (int, bool) {
	i := c.next(place, pc)
	if i == len(c.fs.Ranges) || c.fs.Ranges[i].Place != place || c.fs.Ranges[i].Start-pc > nearest {
		return 0, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	code, err := bytesAt(c.o, place, pc, nearest+16)
	if err != nil || c.pads(code) { // room for a patch
		return 0, false
	}
	var ends []uint64
	Prologue(code, &c.abi, func(end uint32, _ int64) bool {
		ends = append(ends, pc+uint64(end))
		return end < nearest
	})
	return i, slices.Contains(ends, c.fs.Ranges[i].Start)
}
