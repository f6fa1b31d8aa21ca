package cfi

import (
	"math/bits"

	"github.com/sframe-lint/sframe-lint/model"
)

// freRow is an FRE with its recovery rules.
type freRow struct {
	model.FRE
	row *model.Row
}

// v1Block is the size in bytes of the PLT stubs that version 1 has MASK FDEs
// for: it does not record it, and only AMD64 has such FDEs.
const v1Block = 16

// freCursor finds the FREs of an FDE for PCs that go up.
type freCursor struct {
	fde  model.FDE
	from uint64 // the start of the function
	mask bool
	typ  model.FDEType
	rep  uint64 // bytes of a block of a MASK FDE
	cur  freRow
	long model.Row // of an FRE that rows cannot have
	ok   bool      // cur is valid
	end  uint64    // of cur's code: offset from the start of the function
	next model.FRE // after cur, if more
	more bool
	// blocks are the FREs of a MASK FDE.
	blocks []freRow
	rows   []knownRow // few for a small section: a power of two
}

// knownRow keeps the recovery rules of an FRE by its bytes: a section has few
// different ones.
type knownRow struct {
	words uint64
	info  uint8
	typ   model.FDEType
	known bool
	row   model.Row
}

// rules returns the recovery rules of an FRE.
func (c *freCursor) rules(r model.FRE) *model.Row {
	words, n := r.Content()
	if n > 8 {
		c.long = r.Row()
		return &c.long
	}
	if c.rows == nil {
		c.rows = make([]knownRow, 1<<min(bits.Len(uint(c.fde.Section().NumFDEs())), 7))
	}
	k := &c.rows[(words^uint64(r.Info())<<3)*0x9e3779b97f4a7c15>>57&uint64(len(c.rows)-1)]
	if !k.known || k.words != words || k.info != r.Info() || k.typ != c.typ {
		*k = knownRow{words, r.Info(), c.typ, true, r.Row()}
	}
	return &k.row
}

func (c *freCursor) reset(f model.FDE) {
	c.fde, c.from, c.typ, c.blocks = f, f.Start(), f.Type(), c.blocks[:0]
	c.mask = f.PCType() == model.SFRAME_FDE_PCTYPE_MASK
	if c.rep = max(uint64(f.RepSize()), 1); !f.Section().Version().Info().Stubs {
		c.rep = v1Block
	}
	c.ok = false
	for r := range f.FREs() {
		if !c.mask {
			c.set(r)
			return
		}
		if uint64(r.Start()) >= c.rep {
			break
		}
		row := r.Row()
		c.blocks = append(c.blocks, freRow{r, &row})
	}
}

func (c *freCursor) set(r model.FRE) {
	c.cur.FRE, c.cur.row, c.ok = r, c.rules(r), true
	if c.next, c.more = r.Next(); c.more {
		c.end = uint64(c.next.Start())
	} else {
		c.end = uint64(c.fde.Extent())
	}
}

// at returns the FRE for a PC of the FDE, nil where there is none, and the end
// of the code for which that holds.
func (c *freCursor) at(pc uint64) (*freRow, uint64) {
	off := pc - c.from
	if c.mask {
		return c.inBlock(pc, off%c.rep)
	}
	for c.ok && c.end <= off {
		if c.ok = c.more; c.ok {
			c.set(c.next)
		}
	}
	switch {
	case !c.ok:
		return nil, c.fde.End()
	case off < uint64(c.cur.Start()):
		return nil, c.from + uint64(c.cur.Start())
	}
	return &c.cur, c.from + c.end
}

// inBlock is at for a MASK FDE. off counts from the start of the block.
func (c *freCursor) inBlock(pc, off uint64) (*freRow, uint64) {
	end := c.rep
	for i := len(c.blocks) - 1; i >= 0; i-- {
		if from := uint64(c.blocks[i].Start()); from <= off {
			return &c.blocks[i], pc + end - off
		} else {
			end = min(end, from)
		}
	}
	return nil, pc + end - off
}
