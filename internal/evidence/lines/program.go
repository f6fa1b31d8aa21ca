package lines

import (
	"cmp"
	"path"
	"slices"
)

// lineEntry is a row of a line table: the line of the instruction at an address.
type lineEntry struct {
	at   codeAddr
	op   uint64 // index in a bundle of instructions
	file uint64
	line int
}

// run follows the program of a line table, and passes on each row and the start of the next one.
// A sequence has ascending addresses; first is true for its first row.
func (t *table) run(a *allowance, yield func(r lineEntry, end uint64, first bool)) {
	c := &t.c
	c.seek(t.program)
	if !a.step(int64(c.Left())) {
		return
	}
	initial := lineEntry{file: 1, line: 1}
	now, last := initial, initial
	open, first := false, true // last is a row of this sequence; no row of it was passed on
	emit := func(ends bool) {
		switch {
		case open && now.at.section == last.at.section && now.at.addr > last.at.addr:
			yield(last, now.at.addr, first)
			first = false
		case open && now.at != last.at: // backwards: another sequence
			first = true
		}
		if last, open = now, true; ends {
			now, open, first = initial, false, true
		}
	}
	for c.Left() > 0 && !c.Bad {
		op := c.U8()
		switch {
		case op >= t.opcodeBase:
			op -= t.opcodeBase
			t.advance(&now, uint64(op)/t.lineRange)
			now.line += int(t.lineBase + int64(uint64(op)%t.lineRange))
			emit(false)
		case op == lnsExtended:
			t.extended(&now, emit)
		case op == lnsCopy:
			emit(false)
		default:
			t.standard(op, &now)
		}
	}
}

// Opcodes of line programs.
const (
	lnsExtended       = 0
	lnsCopy           = 1
	lnsAdvancePC      = 2
	lnsAdvanceLine    = 3
	lnsSetFile        = 4
	lnsConstAddPC     = 8
	lnsFixedAdvancePC = 9

	lneEndSequence = 1
	lneSetAddress  = 2
)

// standard executes a standard opcode other than copy. It skips the operands of those that
// change neither address, file nor line.
func (t *table) standard(op uint8, now *lineEntry) {
	c := &t.c
	switch op {
	case lnsAdvancePC:
		t.advance(now, c.ULEB())
	case lnsAdvanceLine:
		now.line += int(c.SLEB())
	case lnsSetFile:
		now.file = c.ULEB()
	case lnsConstAddPC:
		t.advance(now, uint64(255-t.opcodeBase)/t.lineRange)
	case lnsFixedAdvancePC:
		now.at.addr, now.op = now.at.addr+c.Uint(2), 0
	default:
		for range t.operands[op] {
			c.ULEB()
		}
	}
}

// extended executes an extended opcode.
func (t *table) extended(now *lineEntry, emit func(ends bool)) {
	c := &t.c
	n := c.ULEB()
	if c.Bad || n == 0 || n > uint64(c.Left()) {
		c.Bad = true
		return
	}
	end := c.Pos + int(n)
	switch c.U8() {
	case lneEndSequence:
		emit(true)
	case lneSetAddress:
		if width := int(n - 1); width == 8 || width == 4 {
			now.at, now.op = c.address(width), 0
		}
	}
	c.seek(end)
}

// advance moves to the instruction n operations on.
func (t *table) advance(now *lineEntry, n uint64) {
	if t.maxOps == 1 {
		now.at.addr += t.minLength * n
		return
	}
	n += now.op
	now.at.addr += t.minLength * (n / t.maxOps)
	now.op = n % t.maxOps
}

// target is an instruction whose line is searched.
type target struct {
	at    codeAddr
	hit   bool
	start uint64 // of the sequence
	table int64  // offset of the line table
	mark
	none   bool     // the compiler gives it no line: mark is that of the instruction before
	scopes []*scope // from the outermost to the innermost
	before mark     // of the instruction before, in the same sequence
}

// mark is a line of a line table.
type mark struct {
	file uint64
	line int
}

func (p codeAddr) compare(q codeAddr) int {
	return cmp.Or(cmp.Compare(p.section, q.section), cmp.Compare(p.addr, q.addr))
}

// mostLine is the highest number of a line that is believed.
const mostLine = 1 << 30

// match finds the lines of targets, which are in order, in a line table. Of several sequences that
// cover an address, the one that starts last counts: linkers leave sequences of code that they have
// discarded, with low addresses. Those are also recognized by code.
func (t *table) match(a *allowance, targets []target, code func(addr uint64) bool) (any bool) {
	var start uint64
	var before, now mark
	skip, next := false, 0
	t.run(a, func(r lineEntry, end uint64, first bool) {
		if first {
			start, before, now = r.at.addr, mark{}, mark{}
			skip = r.at.section == 0 && !code(start)
			next, _ = slices.BinarySearchFunc(targets, r.at, func(x target, p codeAddr) int { return x.at.compare(p) })
		}
		if r.line > 0 && r.line <= mostLine {
			before, now = now, mark{r.file, r.line}
		}
		for ; !skip && next < len(targets) && targets[next].at.section == r.at.section && targets[next].at.addr < end; next++ {
			x := &targets[next]
			if now.line == 0 || x.hit && x.start >= start {
				continue
			}
			*x = target{at: x.at, hit: true, start: start, table: t.at, mark: now, none: r.line == 0, before: before}
			if x.at.addr > r.at.addr {
				x.before = now
			}
			any = true
		}
	})
	return any
}

// Each passes runs of code of one line to yield, in no particular order. A run ends before end, and has line 0 if the
// code has no line. Each must be called while the objects are visited. It stops when the budget ends.
func Each(in Sources, yield func(pc PC, end uint64, l Line)) {
	o := in.Object
	if in.Debug != nil {
		o = in.Debug
	}
	if !Has(o) {
		return
	}
	f, code := newFile(o, newAllowance(o)), codeOf(in.Object.ELF)
	dirs := f.directories()
	for at := int64(0); f.spend.step(100); {
		t, next := f.tableAt(at)
		if t != nil {
			f.each(t, dirs[at], code, yield)
		}
		if next <= at {
			return
		}
		at = next
	}
}

// directories returns that of the compilation for each line table.
func (f *source) directories() map[int64]string {
	dirs := map[int64]string{}
	for at := int64(0); f.spend.step(100) && len(dirs) < mostUnits; {
		u, next := f.unitAt(at, false)
		if u != nil && u.root() && u.lines >= 0 {
			dirs[u.lines] = u.dir
		}
		if next <= at {
			break
		}
		at = next
	}
	return dirs
}

// each passes on the runs of a line table.
func (f *source) each(t *table, dir string, code func(addr uint64) bool, yield func(pc PC, end uint64, l Line)) {
	n := f.readNames(t)
	paths := map[uint64]string{}
	skip := false
	t.run(f.spend, func(r lineEntry, end uint64, first bool) {
		if first {
			skip = r.at.section == 0 && !code(r.at.addr) // of code that the linker has discarded
		}
		if skip || r.line > mostLine || r.line < 0 {
			return
		}
		file, ok := paths[r.file]
		if !ok {
			if file = n.path(r.file); file != "" {
				file = path.Clean(Join(dir, file))
			}
			paths[r.file] = file
		}
		if file == "" {
			r.line = 0
		}
		yield(PC{r.at.section, r.at.addr}, end, Line{file, r.line})
	})
}
