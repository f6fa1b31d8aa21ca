package proof

import (
	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/cfi"
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
	elf  *reader.ELF
	at   int    // section of the piece, 0 for none
	off  uint64 // of the piece in the section
	data []byte
}

// CodeOf returns the code of an object's functions.
func CodeOf(o *reader.Object) *Code { return &Code{elf: o.ELF} }

// Func returns the bytes of a function, none if the file does not have
// them all.
func (c *Code) Func(f model.FDE) []byte {
	if c.elf == nil || !f.Resolved() {
		return nil
	}
	i, off, ok := c.elf.Within(f.Place(), f.Start())
	size := uint64(f.Size())
	if !ok || size > maxFunction {
		return nil
	}
	if i != c.at || off < c.off || off+size < off || off+size > c.off+uint64(len(c.data)) {
		c.read(i, off, size)
	}
	off -= c.off
	if i != c.at || off+size > uint64(len(c.data)) {
		return nil
	}
	return c.data[off : off+size : off+size]
}

// read reads a function and, if it is near the previous piece, what follows it.
func (c *Code) read(i int, off, size uint64) {
	n := size
	if end := c.off + uint64(len(c.data)); i != c.at && c.at == 0 || i == c.at && off >= c.off && off < end+codePiece {
		n = max(size, codePiece)
	}
	data, err := c.elf.SectionPart(i, off, n, c.data)
	if err != nil {
		i = 0
	}
	c.at, c.off, c.data = i, off, data
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
		if got := f.Recover(&row, r.Start); !got.PCDependent {
			r.Row = got.Row
		}
		rows = append(rows, r)
	}
	return rows
}
