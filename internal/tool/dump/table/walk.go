package table

import (
	"reflect"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
)

// walk is the state of a walk over all functions.
type walk struct {
	*Table
	code   []byte
	bytes  int64 // of code for which memory is held
	lines  int64 // for which memory is held
	rows   int64 // of FREs, likewise
	points []point
	proven []proof.Range
}

// Functions yields the functions by address. Errors: I/O and the budget.
func (t *Table) Functions(yield func(*Function) bool) error {
	if t.decode == nil {
		return nil
	}
	w := &walk{Table: t, points: t.points, proven: t.proven}
	defer func() { t.Object.Drop(w.bytes + w.lines*lineCost) }()
	var f Function
	for i := range t.blocks {
		b := &t.blocks[i]
		if i, _ := slices.BinarySearch(t.opts.PCs, b.addr); t.opts.PCs != nil && (i == len(t.opts.PCs) || t.opts.PCs[i] >= b.end) {
			continue
		}
		if err := t.Object.Step(1); err != nil {
			return err
		}
		if !w.describe(&f, b) {
			continue
		}
		if more, err := w.fill(&f, b, yield); err != nil || !more {
			return err
		}
	}
	return t.Object.Err()
}

// At yields the instructions at the selected addresses. In a relocatable file, these are offsets in each section.
func (t *Table) At(yield func(pc uint64, f *Function, l *Line)) error {
	return t.Functions(func(f *Function) bool {
		for i := range f.Lines {
			l := &f.Lines[i]
			for k, _ := slices.BinarySearch(t.opts.PCs, l.PC); k < len(t.opts.PCs) && t.opts.PCs[k]-l.PC < uint64(len(l.Bytes)); k++ {
				yield(t.opts.PCs[k], f, l)
			}
		}
		return true
	})
}

// describe names a function, and reports whether it is listed.
func (w *walk) describe(f *Function, b *block) bool {
	a := &w.names.areas[b.area]
	*f = Function{Kind: Code, Section: a.name, Place: b.section, Start: b.addr, End: b.end, SFrame: -1, FDE: -1, Lines: f.Lines[:0]}
	switch {
	case a.stub:
		f.Kind = Stub
	case b.gap:
		f.Kind = Gap
	}
	if f.Kind != Gap {
		f.Name = w.names.at(b.address)
		if f.Name == addOffset(a.name, b.addr-a.addr) && f.Kind == Code {
			f.Name = ""
		}
	}
	return w.opts.Func == "" || lookup.Match(w.opts.Func, f.Name) || w.called[b.address]
}

// lineCost is about the bytes of memory that an instruction takes with its texts.
var lineCost = int64(reflect.TypeFor[Line]().Size()) + 96

// mostLines is the number of instructions that are listed together: the next ones of a longer function are a function
// of their own.
const mostLines = 1 << 14

// longestInsn is not less than the bytes of an instruction.
const longestInsn = 16

// rowCost is about the bytes of memory that a row takes, in a slice that grows.
var rowCost = 2 * int64(reflect.TypeFor[sframeRow]().Size())

// load reads the code of a function, up to that of the most lines, and makes room for them. The longest function so far
// counts.
func (w *walk) load(f *Function, b *block) error {
	end := min(b.end, f.Start+mostLines*longestInsn)
	if more := int64(end-f.Start) - w.bytes; more > 0 {
		if !w.hold(more) {
			return w.err
		}
		w.bytes += more
	}
	if w.code = w.read(&w.names.areas[b.area], f.Start, end, w.code[:0]); w.err != nil {
		return w.err
	}
	n := int64(0)
	for range w.decode.All(w.code, f.Start) {
		if n++; n == mostLines {
			break
		}
	}
	if err := w.Object.Step(2 * n); err != nil || n <= w.lines { // they are decoded twice
		return err
	}
	if !w.hold((n - w.lines) * lineCost) {
		return w.err
	}
	w.lines = n
	f.Lines = make([]Line, 0, n)
	return nil
}

// fill lists the instructions of a function and yields them. Errors: I/O and the budget.
func (w *walk) fill(f *Function, b *block, yield func(*Function) bool) (more bool, err error) {
	kind, r := f.Kind, w.rowsOf(f, b)
	defer r.stop()
	for {
		if err := w.load(f, b); err != nil {
			return false, err
		}
		rest, pads := false, true
		for off, i := range w.decode.All(w.code, f.Start) {
			if rest = len(f.Lines) == mostLines; rest {
				f.End = f.Start + uint64(off)
				break
			}
			pads = pads && i.Pad
			w.add(f, r, i, w.code[off:], f.Start+uint64(off))
		}
		if f.Kind == Gap && pads {
			f.Kind = Padding
		}
		if more = w.yield(f, yield); !more || !rest {
			return more, nil
		}
		f.Kind, f.Start, f.End, f.Lines, f.Differs = kind, f.End, b.end, f.Lines[:0], 0
		if f.Name != "" {
			f.Name = w.names.at(address{b.section, f.Start})
		}
	}
}

// add adds an instruction, at the start of the code.
func (w *walk) add(f *Function, r *rowsOf, i *insn.Insn, code []byte, pc uint64) {
	l := Line{PC: pc, Bytes: code[:i.Len]}
	w.text(&l, f, i, code)
	r.set(w, &l)
	w.setCode(&l, f.Place)
	if f.FDE < 0 && f.HasCFI && w.HasSFrame() && f.Kind == Code && l.CFI.Has {
		l.Differs |= NoFDE
	}
	if len(w.found) > 0 {
		for at := l.PC; at < l.PC+uint64(i.Len); at++ {
			l.Findings = append(l.Findings, w.found[address{f.Place, at}]...)
		}
	}
	if w.opts.Line != nil {
		l.File, l.Line = w.opts.Line(f.Place, l.PC)
	}
	f.Differs |= l.Differs
	f.Lines = append(f.Lines, l)
}

// yield yields a function unless it is left out. It reports whether there may be more.
func (w *walk) yield(f *Function, yield func(*Function) bool) bool {
	if w.opts.OnlyDifferences && f.Differs == 0 && !slices.ContainsFunc(f.Lines, func(l Line) bool { return len(l.Findings) > 0 }) {
		return true
	}
	return yield(f)
}
