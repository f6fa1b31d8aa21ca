package properties

import (
	"encoding/binary"

	"github.com/sframe-lint/sframe-lint/unwind"
)

// appendix is an interpreter of the manual's appendix. It reads the bytes of a
// valid section from the manual's tables, uses neither the reader nor the model, and looks
// at each FDE in turn.
type appendix struct {
	b    []byte
	addr uint64 // of the section
	read func(addr uint64) (uint64, bool)
	reg  func(n uint32) uint64 // of the topmost frame

	sp, fp, ra uint32 // DWARF numbers
}

// aframe is the appendix's frame. The other fields say how its PC is looked up.
type aframe struct {
	pc, sp, fp     uint64
	topmost, exact bool
}

// afde is an FDE and where its FREs are.
type afde struct {
	start                uint64
	size, count          uint32
	info, info2, repSize uint8
	fres                 int
}

func (a *appendix) order() binary.ByteOrder {
	if a.b[0] == 0xde {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func (a *appendix) u16(at int) uint16 { return a.order().Uint16(a.b[at:]) }
func (a *appendix) u32(at int) uint32 { return a.order().Uint32(a.b[at:]) }
func (a *appendix) u64(at int) uint64 { return a.order().Uint64(a.b[at:]) }

// fde reads an FDE ("SFrame FDE").
func (a *appendix) fde(i int) afde {
	version, flags := a.b[2], a.b[3]
	end := 28 + int(a.b[7])
	fdes, fres := end+int(a.u32(0x14)), end+int(a.u32(0x18))
	var f afde
	field := fdes + 20*i
	switch version {
	case 1:
		field = fdes + 17*i
		f.info = a.b[field+16]
	case 2:
		f.info, f.repSize = a.b[field+16], a.b[field+17]
	case 3:
		field = fdes + 16*i
		f.size = a.u32(field + 8)
		attr := fres + int(a.u32(field+12))
		f.count, f.info, f.info2, f.repSize = uint32(a.u16(attr)), a.b[attr+2], a.b[attr+3], a.b[attr+4]
		f.fres, f.start = attr+5, a.addr+a.u64(field)
	}
	if version < 3 {
		f.size, f.count = a.u32(field+4), a.u32(field+12)
		f.fres, f.start = fres+int(a.u32(field+8)), a.addr+uint64(int64(int32(a.u32(field))))
	}
	if flags&4 != 0 {
		f.start += uint64(field)
	}
	return f
}

// findFDE is the first half of sframe_find_fre.
func (a *appendix) findFDE(pc uint64) (afde, bool) {
	for i := range int(a.u32(0x08)) {
		if f := a.fde(i); pc >= f.start && pc-f.start < uint64(f.size) {
			return f, true
		}
	}
	return afde{}, false
}

// findFRE is the second half. It returns the info byte and the data words.
func (a *appendix) findFRE(f afde, pc uint64) (info uint8, words []int64, found bool) {
	off := pc - f.start
	if f.info>>4&1 == 1 {
		if f.repSize == 0 {
			return 0, nil, false
		}
		off %= uint64(f.repSize)
	}
	at := f.fres
	for range f.count {
		var start uint64
		switch f.info & 15 {
		case 0:
			start, at = uint64(a.b[at]), at+1
		case 1:
			start, at = uint64(a.u16(at)), at+2
		case 2:
			start, at = uint64(a.u32(at)), at+4
		}
		if start > off {
			break
		}
		found, info, words = true, a.b[at], nil
		at++
		for range info >> 1 & 15 {
			switch info >> 5 & 3 {
			case 0:
				words, at = append(words, int64(int8(a.b[at]))), at+1
			case 1:
				words, at = append(words, int64(int16(a.u16(at)))), at+2
			case 2:
				words, at = append(words, int64(int32(a.u32(at)))), at+4
			}
		}
	}
	return info, words, found
}

// lookUp finds the data for a frame: PC-1 for a caller, unless PC is the start of
// a signal trampoline.
func (a *appendix) lookUp(f aframe) (afde, uint64, bool) {
	pc := f.pc
	if !f.exact {
		pc--
		if t, ok := a.findFDE(f.pc); ok && a.signal(t) && t.start == f.pc {
			pc = f.pc
		}
	}
	d, ok := a.findFDE(pc)
	return d, pc, ok
}

func (a *appendix) signal(f afde) bool { return a.b[2] == 3 && f.info>>7 == 1 }

// next is get_next_frame.
func (a *appendix) next(f aframe) (aframe, unwind.Reason) {
	d, pc, ok := a.lookUp(f)
	if !ok {
		return f, unwind.NoFDE
	}
	info, words, ok := a.findFRE(d, pc)
	switch {
	case ok && len(words) == 0:
		return f, unwind.Outermost
	case !ok && d.count == 0 && a.signal(d):
		return f, unwind.SignalFrame
	case !ok && d.count == 0 && d.info2&31 == 0 && a.b[2] == 3:
		return f, unwind.Outermost
	case !ok:
		return f, unwind.NoFRE
	}
	var n aframe
	var cfa uint64
	var why unwind.Reason
	if d.info2&31 == 1 {
		n, cfa, why = a.flexible(f, words, info>>5&3)
	} else {
		n, cfa, why = a.standard(f, info, words)
	}
	if why != "" {
		return f, why
	}
	n.sp, n.exact = cfa, a.signal(d)
	abi := a.b[4]
	if abi == 4 {
		n.sp -= 160
	}
	if info>>7 == 1 && (abi == 1 || abi == 2) {
		// The code is above bit 47, except in bit 55.
		top := uint64(0)
		if n.pc>>55&1 == 1 {
			top = 0xffff_0000_0000_0000
		}
		n.pc = n.pc&0x0000_ffff_ffff_ffff | top
	}
	switch {
	case n.pc == 0:
		return f, unwind.ZeroPC
	case !n.exact && (n.sp < f.sp || n.sp == f.sp && !f.topmost):
		return f, unwind.NotAdvancing
	}
	return n, ""
}

// value reads a word of memory.
func (a *appendix) value(at uint64, why *unwind.Reason) uint64 {
	v, ok := a.read(at)
	if !ok && *why == "" {
		*why = unwind.Unreadable
	}
	return v
}

// standard applies an FRE of the default type ("Default FDE Type Interpretation").
func (a *appendix) standard(f aframe, info uint8, w []int64) (n aframe, cfa uint64, why unwind.Reason) {
	abi := a.b[4]
	base := f.fp
	if info&1 == 1 {
		base = f.sp
	}
	n.fp = f.fp
	saved := func(off int64) uint64 {
		if abi == 4 && a.b[2] == 2 && off&1 == 1 {
			return a.value2(f, uint32(off>>1), &why)
		}
		return a.value(cfa+uint64(off), &why)
	}
	fixedFP, fp := int64(int8(a.b[5])), 2
	switch abi {
	case 3:
		cfa = base + uint64(w[0])
		n.pc = a.value(cfa+uint64(int64(int8(a.b[6]))), &why)
		fp = 1
	default:
		cfa = base + uint64(w[0])
		if abi == 4 {
			cfa = base + uint64(w[0]*8+160)
		}
		if len(w) > 1 && !(abi == 4 && w[1] == 0) {
			n.pc = saved(w[1])
		} else if n.pc = a.reg(a.ra); !f.topmost {
			return n, cfa, unwind.UnsavedRA
		}
	}
	if len(w) > fp {
		n.fp = saved(w[fp])
	} else if fixedFP != 0 {
		n.fp = a.value(cfa+uint64(fixedFP), &why)
	}
	return n, cfa, why
}

// value2 reads a register of the frame.
func (a *appendix) value2(f aframe, n uint32, why *unwind.Reason) uint64 {
	switch {
	case n == a.sp:
		return f.sp
	case n == a.fp:
		return f.fp
	case f.topmost:
		return a.reg(n)
	}
	if *why == "" {
		*why = unwind.TopmostOnly
	}
	return 0
}

// flexible applies an FRE of the flexible type ("Flexible FDE Type
// Interpretation"). size is the code of the words' size.
func (a *appendix) flexible(f aframe, w []int64, size uint8) (n aframe, cfa uint64, why unwind.Reason) {
	control := func(k int) uint64 { return uint64(w[k]) & (1<<(8<<size) - 1) }
	rule := func(k int, off int64) uint64 {
		c := control(k)
		base := cfa
		if c&1 == 1 {
			base = a.value2(f, uint32(c>>3), &why)
		}
		if c>>1&1 == 1 && why == "" {
			return a.value(base+uint64(off), &why)
		}
		return base + uint64(off)
	}
	abi := a.b[4]
	off := w[1]
	if abi == 4 {
		off = off*8 + 160
	}
	if cfa = rule(0, off); why != "" {
		return n, cfa, why
	}
	k := 2
	switch {
	case len(w) > k && control(k) != 0:
		n.pc = rule(k, w[k+1])
		k += 2
	case abi == 3:
		n.pc = a.value(cfa+uint64(int64(int8(a.b[6]))), &why)
		k++
	case !f.topmost:
		return n, cfa, unwind.UnsavedRA
	default:
		n.pc = a.reg(a.ra)
		k++
	}
	n.fp = f.fp
	if fixed := int64(int8(a.b[5])); len(w) > k && control(k) != 0 {
		n.fp = rule(k, w[k+1])
	} else if fixed != 0 {
		n.fp = a.value(cfa+uint64(fixed), &why)
	}
	return n, cfa, why
}
