package ehframe

import (
	"bytes"
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/model"
)

// agreed is a function whose FREs and CFI agree. Others with the same bytes do, too:
// nothing of what is compared depends on the address.
type agreed struct {
	fres, program []byte
	cie           *CIE
	size          uint32
	num, rows     int
	info, info2   uint8
}

// mostAgreed bounds how many of them are remembered; it is a power of two.
const mostAgreed = 1 << 14

// slot returns where the current function would be remembered.
func (c *comparer) slot(program []byte) *agreed {
	if c.agreed == nil {
		n := 1 << 4
		for n < mostAgreed && n < c.s.NumFDEs()/2 {
			n *= 2
		}
		c.agreed = make([]agreed, n)
	}
	h := uint64(len(program))<<32 ^ uint64(c.fde.Size())
	if len(program) >= 8 {
		h ^= binary.LittleEndian.Uint64(program)*0x9e3779b97f4a7c15 ^ binary.LittleEndian.Uint64(program[len(program)-8:])
	}
	return &c.agreed[h*0x9e3779b97f4a7c15>>32&uint64(len(c.agreed)-1)]
}

// program returns the bytes of the current FDE of the CFI.
func (c *comparer) program() []byte {
	return c.cfi.s.in.Data[c.cfi.Program.Off:c.cfi.Program.End()]
}

// rowsOff returns the offset of the current FDE's FREs in the section.
func (c *comparer) rowsOff() int64 {
	return c.s.FRESubsection().Off + int64(c.fde.StartFREOff()) + c.fde.AttrSpan().Len
}

// known reports whether a function with the same bytes as the current one agrees.
func (c *comparer) known() bool {
	program := c.program()
	k := c.slot(program)
	if k.cie != c.cfi.CIE || k.size != c.fde.Size() || k.num != c.fde.NumFREs() || k.info != c.fde.Info() || k.info2 != c.fde.Info2() ||
		!bytes.Equal(k.program, program) {
		return false
	}
	if !c.s.HasBytes(model.Span{Off: c.rowsOff(), Len: int64(len(k.fres))}, k.fres) {
		return false
	}
	c.n.Functions++
	c.n.Rows += k.rows
	return true
}

// remember notes that the current function agrees.
func (c *comparer) remember() {
	if c.fres.mask || c.fres.more || c.fde.NumFREs() == 0 || c.run.s == nil {
		return
	}
	program, from := c.program(), c.rowsOff()
	*c.slot(program) = agreed{
		fres: c.s.Bytes(model.Span{Off: from, Len: c.fres.cur.Span().End() - from}), program: program, cie: c.cfi.CIE,
		size: c.fde.Size(), num: c.fde.NumFREs(), rows: c.n.Rows - c.before, info: c.fde.Info(), info2: c.fde.Info2(),
	}
}
