package rules

import "github.com/sframe-lint/sframe-lint/model"

// Frame is what SFrame data and other sources of the same object say of a stack frame at
// a PC, for pictures of it.
type Frame struct {
	ABI   model.ABI
	PC    uint64 // as [Finding.PC]
	Sides []Side // that of SFrame data is the first one
}

// Side is what one source says of a frame.
type Side struct {
	Source string // SFrame, CFI or code
	Row    model.Row
	Signed bool // RA is signed (AArch64)
}

// Beside returns a context whose reports carry what another source says of the frame at
// a PC, in a relocatable file an offset in the section of the function. Report an FRE with
// it: what the FRE says becomes the first side.
func (c *Context) Beside(pc uint64, other Side) *Context {
	if c.cuts() {
		return c
	}
	d := *c
	d.frame = &Frame{ABI: c.Section.ABI().ID, PC: pc, Sides: []Side{{}, other}}
	return &d
}

// FrameOf returns what an FRE says of the frame at a PC.
func FrameOf(r model.FRE) Side {
	return Side{Source: "SFrame", Row: r.Row(), Signed: r.MangledRA()}
}

// describe completes the frame of a report on an FRE.
func (c *Context) describe(r model.FRE) {
	if c.frame != nil {
		c.frame.Sides[0] = FrameOf(r)
	}
}
