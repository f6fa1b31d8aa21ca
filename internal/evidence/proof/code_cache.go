package proof

import (
	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// codePiece is the number of bytes that are read at once where functions follow each other. To touch a page of memory
// for the first time takes longer than to read it.
const codePiece = 32 << 10

// maxFunction is the largest function that is read, in bytes.
const maxFunction = 16 << 20

// Code reads functions' code, piece by piece. It keeps the last piece: most
// functions follow the one before.
type Code struct {
	elf   *reader.ELF
	place int    // of the piece
	addr  uint64 // of the piece
	data  []byte // nil for none
}

// CodeOf returns the code of an object's functions.
func CodeOf(o *reader.Object) *Code { return &Code{elf: o.ELF} }

// Func returns the bytes of a function, none if the file does not have
// them all.
func (c *Code) Func(f model.FDE) []byte {
	if c.elf == nil || !f.Resolved() {
		return nil
	}
	at, size := f.Start(), uint64(f.Size())
	if size > maxFunction || at+size < at {
		return nil
	}
	if f.Place() != c.place || at < c.addr || at+size > c.addr+uint64(len(c.data)) {
		c.read(f.Place(), at, size)
	}
	off := at - c.addr
	if off+size > uint64(len(c.data)) {
		return nil
	}
	return c.data[off : off+size : off+size]
}

// read reads a function and, if it is near the previous piece, what follows it.
func (c *Code) read(place int, addr, size uint64) {
	n := size
	if end := c.addr + uint64(len(c.data)); c.data == nil || place == c.place && addr >= c.addr && addr < end+codePiece {
		n = max(size, codePiece)
	}
	data, err := c.elf.Part(place, addr, n, c.data)
	if err != nil {
		data = nil
	}
	c.place, c.addr, c.data = place, addr, data
}

// CFIRows appends the rows of an FDE of call frame information, as far as they are between two
// addresses. What depends on the PC inside a row is left out.
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
