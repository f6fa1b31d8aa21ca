package proof

import (
	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
)

// pack returns the value of an entry of a table.
func (e *elementValue) pack() Value {
	v := Value{Base: element, Reg: insn.Reg(e.size), Signed: !e.unsigned, At: uint32(e.place), Off: int64(e.table)}
	v.Reg |= insn.Reg(e.shift) << 4
	return v
}

// unpack is the inverse of pack.
func unpack(v Value) elementValue {
	return elementValue{place: int32(v.At), table: uint64(v.Off), size: uint16(v.Reg & 15), unsigned: !v.Signed, shift: uint8(v.Reg >> 4)}
}

// element returns the value of an Element.
func (u *unit) element(s *state, o *op) Value {
	place, off := o.place, o.off
	if o.src != insn.NoReg {
		v := s.regs[o.src]
		switch {
		case v.Base == Const || v.Base == indexed:
			place, off = int32(v.At), v.Off+o.off
		case v.Base == target && u.targets[v.At].size < 4: // the index is an entry of another table
			t := &u.targets[v.At]
			place, off = t.basePlace, int64(t.base)+o.off
		case v.open(), v.inStack():
			return Value{}
		case v.Base == Scratch:
			return v
		default:
			return another
		}
	}
	if place < 0 {
		return another
	}
	e := elementValue{place: place, table: uint64(off), size: o.size, unsigned: o.unsigned}
	return e.pack()
}

// maxTables bounds the tables of a unit.
const maxTables = budget.TrackTables

// scale returns the value of a Scale.
func (u *unit) scale(v Value, o *op) Value {
	switch {
	case v.Base == element && o.off < 8:
		e := unpack(v)
		if o.size < e.size {
			return another
		}
		if o.size == e.size {
			e.unsigned = o.unsigned
		}
		e.shift += uint8(o.off)
		return e.pack()
	case v.Base == Const && v.At == 0:
		lost := 64 - 8*uint(o.size)
		if v.Off <<= lost; o.unsigned {
			v.Off = int64(uint64(v.Off) >> lost)
		} else {
			v.Off >>= lost
		}
		v.Off <<= uint(o.off) & 63
		return v
	case v.open() || v.inStack():
		return Value{}
	case v.Base == Scratch:
		return v
	case o.off <= maxShift && u.varies(v):
		return u.rising(v)
	}
	return another
}

// target returns the sum of an element and an address.
func (u *unit) target(e, base Value, shift uint) Value {
	t := targetValue{elementValue: unpack(e), basePlace: int32(base.At), base: uint64(base.Off), relative: true}
	t.shift += uint8(shift)
	for i := range u.targets {
		if u.targets[i] == t {
			return Value{Base: target, At: uint32(i)}
		}
	}
	if len(u.targets) >= maxTables {
		return another
	}
	u.targets = append(u.targets, t)
	return Value{Base: target, At: uint32(len(u.targets) - 1)}
}

// maxEntries bounds the entries that are read of a table.
const maxEntries = budget.TrackEntries

// table yields the places in the unit that an indirect jump through v leads to, and reports
// whether all of them are known.
func (u *unit) table(v Value, bound int64, yield func(r, off int)) bool {
	var t targetValue
	switch v.Base {
	case element:
		t.elementValue = unpack(v)
		if t.size != 8 {
			return false
		}
	case target:
		t = u.targets[v.At]
	default:
		return false
	}
	n := int64(maxEntries)
	if end, ok := u.t.tableEnd(t.place, t.table); ok {
		n = min(n, int64((end-t.table)/uint64(max(t.size, 1))))
	}
	if bound > 0 {
		n = min(n, bound)
	}
	for k := range n {
		place, addr, ok := u.entry(&t, t.table+uint64(k)*uint64(t.size))
		if ok {
			var r, off int
			if r, off, ok = u.locate(place, addr); ok {
				yield(r, off)
				continue
			}
			if x, known := u.t.find(place, addr); known && bound > 0 && u.t.startsAt(x, addr) { // a part of it, such as .cold
				continue
			}
		}
		// A table whose size is not known ends at the end of the code. A power of two may come of a
		// mask, and the table be smaller.
		return k > 0 && (bound <= 0 || bound&(bound-1) == 0)
	}
	return n > 0
}

// entry reads the entry of a table at an address.
func (u *unit) entry(t *targetValue, at uint64) (place int32, addr uint64, ok bool) {
	if u.img.rel {
		return u.relocatedEntry(t, at)
	}
	addr, ok = u.scaled(t, at, t.unsigned)
	return 0, addr, ok
}

// scaled reads the number at an address of a table, and returns it as the entry counts it: shifted, from the base.
func (u *unit) scaled(t *targetValue, at uint64, unsigned bool) (addr uint64, ok bool) {
	b := u.img.data(t.place, at, int(t.size))
	if len(b) < int(t.size) {
		return 0, false
	}
	v := uint64(0)
	switch t.size {
	case 1:
		v = uint64(b[0])
	case 2:
		v = uint64(u.img.order.Uint16(b))
	case 4:
		v = uint64(u.img.order.Uint32(b))
	default:
		v = u.img.order.Uint64(b)
	}
	if lost := 64 - 8*t.size; !unsigned {
		v = uint64(int64(v<<lost) >> lost)
	}
	return v<<t.shift + t.base, true
}

// relocatedEntry is entry for a relocatable file.
func (u *unit) relocatedEntry(t *targetValue, at uint64) (place int32, addr uint64, ok bool) {
	r, ok := u.img.relocAt(t.place, at)
	if !ok {
		// Differences of labels of one section, which the assembler computed.
		if t.relative && t.basePlace >= 0 && (t.size <= 2 || t.size == 4 && t.shift > 0) {
			addr, ok = u.scaled(t, at, t.unsigned && t.size < 4)
		}
		return t.basePlace, addr, ok
	}
	p, value, ok := u.img.symbol(r)
	if !ok {
		return 0, 0, false
	}
	if t.relative {
		// The field is symbol + addend - field; base - field is a distance in one section.
		if t.basePlace != t.place {
			return 0, 0, false
		}
		value += t.base - at
	}
	return p, value, true
}
