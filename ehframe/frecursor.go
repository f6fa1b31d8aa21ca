package ehframe

import "github.com/sframe-lint/sframe-lint/model"

// freRow is an FRE with its recovery rules.
type freRow struct {
	model.FRE
	row model.Row
}

// v1Block is the size in bytes of the PLT stubs that version 1 has MASK FDEs
// for: it does not record it, and AMD64 alone has such FDEs.
const v1Block = 16

// freCursor finds the FREs of an FDE for PCs that go up.
type freCursor struct {
	fde  model.FDE
	mask bool
	rep  uint64 // bytes of a block of a MASK FDE
	cur  freRow
	ok   bool   // cur is valid
	end  uint64 // of cur's code: offset from the start of the function or the block
	// blocks are the FREs of a MASK FDE.
	blocks []freRow
}

func (c *freCursor) reset(f model.FDE) {
	c.fde, c.blocks = f, c.blocks[:0]
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
		c.blocks = append(c.blocks, freRow{r, r.Row()})
	}
}

func (c *freCursor) set(r model.FRE) {
	c.cur, c.ok, c.end = freRow{r, r.Row()}, true, uint64(r.End())
}

// at returns the FRE for a PC of the FDE, whether there is one, and the end of
// the code for which that holds.
func (c *freCursor) at(pc uint64) (freRow, uint64, bool) {
	start := c.fde.Start()
	off := pc - start
	if c.mask {
		return c.inBlock(pc, off%c.rep)
	}
	for c.ok && c.end <= off {
		next, ok := c.cur.Next()
		if !ok {
			c.ok = false
			break
		}
		c.set(next)
	}
	switch {
	case !c.ok:
		return freRow{}, c.fde.End(), false
	case off < uint64(c.cur.Start()):
		return freRow{}, start + uint64(c.cur.Start()), false
	}
	return c.cur, start + c.end, true
}

// inBlock is at for a MASK FDE. off counts from the start of the block.
func (c *freCursor) inBlock(pc, off uint64) (freRow, uint64, bool) {
	end := c.rep
	for i := len(c.blocks) - 1; i >= 0; i-- {
		if from := uint64(c.blocks[i].Start()); from <= off {
			return c.blocks[i], pc + end - off, true
		} else {
			end = min(end, from)
		}
	}
	return freRow{}, pc + end - off, false
}
