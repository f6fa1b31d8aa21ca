package proof

import (
	"iter"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// codePiece is the number of bytes that are read at once where functions follow each other. To touch a page of memory
// for the first time takes longer than to read it.
const codePiece = 32 << 10

// maxFunction is the largest function that is read, in bytes.
const maxFunction = 16 << 20

// Code reads the code of functions in pieces. It caches the last piece, because most functions directly follow the
// previous function.
type Code struct {
	o     *reader.Object
	place int    // of the piece
	addr  uint64 // of the piece
	data  []byte // nil for none

	walked walked
}

// CodeOf returns a Code for the functions of an object.
func CodeOf(o *reader.Object) *Code { return &Code{o: o} }

// Func returns the bytes of a function, or nil if the file does not contain all of them. Each byte costs one step of
// work, because callers decode the bytes.
func (c *Code) Func(f model.FDE) []byte {
	if !f.Resolved() || f.Size() > maxFunction {
		return nil
	}
	code := c.at(f.Place(), f.Start(), uint64(f.Size()))
	if c.o.Step(int64(len(code))) != nil {
		return nil
	}
	return code
}

// Instructions yields the instructions of code and their addresses, like [insn.Decoder.All]. Each byte costs one step
// of work. Instructions stops at the end of the file's code, or when the budget ends.
func (c *Code) Instructions(place int, start, end uint64) iter.Seq2[uint64, *insn.Insn] {
	return c.pieces(place, start, end, func(code []byte, pc uint64) iter.Seq2[int, *insn.Insn] {
		return insn.For(c.o.ELF.Machine).All(code, pc)
	})
}

// Leading yields only the instructions that [insn.Leading] yields. Otherwise it is like [Code.Instructions].
func (c *Code) Leading(place int, start, end uint64) iter.Seq2[uint64, *insn.Insn] {
	return c.pieces(place, start, end, func(code []byte, pc uint64) iter.Seq2[int, *insn.Insn] {
		return insn.Leading(c.o.ELF.Machine, code, pc)
	})
}

// pieces yields the instructions that decode yields of each piece. The last one may be cut: decode yields it, and the next
// piece begins with it.
func (c *Code) pieces(place int, start, end uint64, decode func(code []byte, pc uint64) iter.Seq2[int, *insn.Insn]) iter.Seq2[uint64, *insn.Insn] {
	return func(yield func(uint64, *insn.Insn) bool) {
		for at, more := start, c.o.ELF != nil; more && at < end; {
			code, n := c.at(place, at, min(end-at, codePiece)), 0
			for off, i := range decode(code, at) {
				if n = off; off > 0 && len(code)-off < insn.MaxLen && at+uint64(len(code)) < end {
					break
				}
				n += int(i.Len)
				if more = yield(at+uint64(off), i); !more {
					break
				}
			}
			at += uint64(n)
			more = more && n > 0 && c.o.Step(int64(n)) == nil
		}
	}
}

// at returns n bytes of code, none if the file does not have them all.
func (c *Code) at(place int, at, n uint64) []byte {
	if c.o.ELF == nil || at+n < at {
		return nil
	}
	if place != c.place || at < c.addr || at+n > c.addr+uint64(len(c.data)) {
		c.read(place, at, n)
	}
	off := at - c.addr
	if off+n > uint64(len(c.data)) {
		return nil
	}
	return c.data[off : off+n : off+n]
}

// read reads a function and, if it is near the previous piece, what follows it.
func (c *Code) read(place int, addr, size uint64) {
	n := size
	if end := c.addr + uint64(len(c.data)); c.data == nil || place == c.place && addr >= c.addr && addr < end+codePiece {
		n = max(size, codePiece)
	}
	data, err := c.o.ELF.Part(place, addr, n, c.data)
	if err != nil {
		data = nil
	}
	c.place, c.addr, c.data = place, addr, data
}

// CFIRows appends the rows of an FDE of CFI between two addresses. It leaves out rules that depend on the PC.
func CFIRows(f *cfi.FDE, start, end uint64, rows []Row) []Row {
	for row := range f.Rows() {
		if len(rows) == budget.TrackRows {
			break
		}
		r := Row{Start: max(row.Start, start), End: min(row.End, end), Signal: f.CIE.Signal}
		if r.Start >= r.End {
			continue
		}
		r.Signed, r.KeyB = row.Sign&cfi.RASigned != 0, f.CIE.KeyB
		if got := f.Recover(&row, r.Start); got.PC == 0 {
			r.Row = got.Row
		}
		rows = append(rows, r)
	}
	return rows
}
