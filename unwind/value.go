package unwind

import "github.com/sframe-lint/sframe-lint/model"

// Location is where the value of a register is stored.
type Location struct {
	Kind Storage
	Reg  uint32 // InRegister: the DWARF number
	Addr uint64 // InMemory: the address
}

// Storage is the kind of place that holds a value.
type Storage uint8

// Storages.
const (
	Lost       Storage = iota // not stated by the SFrame data
	InRegister                // in a register of the topmost frame
	InMemory                  // at an address where a younger frame saved it
	Computed                  // known, but not stored anywhere
)

// saved are the locations where younger frames saved registers of this one.
type saved struct {
	pc, fp Location
}

// Where returns the location of a register of the current frame, by its DWARF number. RA means the PC of the frame,
// except in the topmost frame, where RA itself is unknown.
func (c *Cursor) Where(reg uint32) Location {
	switch {
	case c.regs != nil:
		if _, ok := c.regs.Register(reg); !ok {
			return Location{}
		}
		return Location{Kind: InRegister, Reg: reg}
	case reg == c.abi.SP && !c.frame.SPLeast:
		return Location{Kind: Computed}
	case reg == c.abi.FP:
		return c.saved.fp
	case reg == c.abi.RA:
		return c.saved.pc
	}
	return Location{}
}

// value applies a rule to the current frame ("Recovery Rules"). It returns the
// value of the caller and where it is.
func (c *Cursor) value(what string, r model.Recovery, cfa uint64) (uint64, Location, *Stop) {
	var base uint64
	var stop *Stop
	at := Location{Kind: Computed}
	switch r.Kind {
	case model.FromCFA:
		base = cfa
	case model.InRegister:
		base, stop = c.register(what, r.Reg)
		if r.Offset == 0 && !r.Deref {
			at = c.Where(r.Reg)
		}
	case model.Unchanged: // of RA; the caller has settled FP
		if c.regs == nil {
			return 0, at, &Stop{Reason: UnsavedRA, Value: what, Reg: c.abi.RA, reg: c.abi.RegName(c.abi.RA)}
		}
		base, stop = c.register(what, c.abi.RA)
		at = Location{Kind: InRegister, Reg: c.abi.RA}
	default:
		stop = &Stop{Reason: Invalid, Value: what}
	}
	if stop != nil {
		return 0, at, stop
	}
	v := base + uint64(r.Offset)
	if !r.Deref {
		return v, at, nil
	}
	at = Location{Kind: InMemory, Addr: v}
	v, stop = c.word(what, v)
	return v, at, stop
}

// register returns a register of the current frame. Below the topmost frame
// only SP and FP are known.
func (c *Cursor) register(what string, reg uint32) (uint64, *Stop) {
	switch {
	case reg == c.abi.SP && c.regs == nil && !c.frame.SPLeast:
		return c.frame.SP, nil
	case reg == c.abi.FP && c.frame.FPKnown:
		return c.frame.FP, nil
	case reg == c.abi.FP && c.lost != nil:
		return 0, &Stop{Reason: NoRegister, Value: what, Reg: reg, Err: c.lost, reg: c.abi.RegName(reg)}
	case c.regs == nil && reg != c.abi.FP && reg != c.abi.SP:
		return 0, &Stop{Reason: TopmostOnly, Value: what, Reg: reg, reg: c.abi.RegName(reg)}
	case c.regs != nil:
		if v, ok := c.regs.Register(reg); ok {
			return v, nil
		}
	}
	return 0, &Stop{Reason: NoRegister, Value: what, Reg: reg, reg: c.abi.RegName(reg)}
}

// word reads a word of 8 bytes in the byte order of the ABI.
func (c *Cursor) word(what string, addr uint64) (uint64, *Stop) {
	var b [8]byte
	if err := c.mem.ReadMemory(addr, b[:]); err != nil {
		return 0, &Stop{Reason: Unreadable, Value: what, Addr: addr, Err: err}
	}
	var v uint64
	for i := range b {
		if c.abi.Big {
			v = v<<8 | uint64(b[i])
		} else {
			v |= uint64(b[i]) << (8 * i)
		}
	}
	return v, nil
}
