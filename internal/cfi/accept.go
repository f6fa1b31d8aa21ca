package cfi

import (
	"math/bits"

	"github.com/sframe-lint/sframe-lint/internal/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// acceptor merges the FREs of a function with the rows of its CFI, and accepts the function where
// they agree and are plain: FREs of the default type, and the instructions that compilers write. It
// refuses all others, which a [comparer] compares.
type acceptor struct {
	s   *Section
	cie *CIE
	ok  bool // functions of the CIE may be accepted

	// Of the section with FREs.
	fres          *model.Section
	fp            uint32    // register
	bases         [2]uint64 // frame.base by the bit for it
	scale, adjust int64     // of the CFA
	ra, savedFP   place     // where an FRE does not say
	tracks        bool      // FREs may have a word for RA
	padded        bool      // where 0 says nothing
	regs          bool      // odd words are registers
	pauth, big    bool

	// Of the CIE.
	data, program  []byte // of the section, up to the end of the function's instructions
	codeBy         uint64
	dataBy         int64
	raReg          uint32
	start          frame
	p              int // the next instruction
	now            frame
	remembered     [mostNested]frame
	nested         int
	functions, sum int // accepted ones, and their rows
}

// frame is what an FRE or a row of CFI says.
type frame struct {
	cfa    int64 // the offset from the register of base
	ra, fp place
	base   uint64 // twice the number of a register, and 1 if RA is signed
}

// signed is the bit of frame.base that says that RA is signed.
const signed = 1

// baseOf returns frame.base.
func baseOf(reg uint32, isSigned bool) uint64 {
	base := uint64(reg) << 1
	if isSigned {
		base |= signed
	}
	return base
}

// place is where RA or FP is: in memory at an offset from the CFA between -far and far, or one of these.
type place int64

const (
	far       = 1 << 40
	inRegs    = far << 1 // plus the number of a register
	unchanged = far << 2
	elsewhere = far << 3 // what no FRE that is accepted says
)

// mostNested is how many states a program that is accepted may remember at a time.
const mostNested = 8

// use prepares for functions of a CIE.
func (a *acceptor) use(s *Section, k *CIE) {
	a.s, a.cie, a.ok = s, k, false
	abi := &s.in.ABI
	if k == nil || k.Fault.Code != NoFault || k.startErr.Code != NoFault || k.CodeAlign-1 >= 1<<16 || !abi.Known() ||
		abi.ID != a.fres.Header().ABI || k.RA != abi.RA || k.start.cfa.Kind != Register || k.start.sign&RAUnknown != 0 {
		return
	}
	a.ok, a.data, a.codeBy, a.dataBy, a.raReg = true, s.in.Data, k.CodeAlign, k.DataAlign, k.RA
	a.start = frame{cfa: k.start.cfa.Offset, base: baseOf(k.start.cfa.Reg, k.start.sign&RASigned != 0),
		ra: placeOf(k.start.ra, k.RA), fp: placeOf(k.start.fp, abi.FP)}
}

// read prepares for the FREs of a section.
func (a *acceptor) read(s *model.Section) {
	abi, h := s.ABI(), s.Header()
	a.fres, a.big, a.pauth = s, s.BigEndian(), abi.Pauth
	a.fp, a.scale, a.adjust = abi.FP, abi.CFAScale, abi.CFAAdjust
	a.bases = [2]uint64{model.SFRAME_BASE_REG_FP: baseOf(abi.FP, false), model.SFRAME_BASE_REG_SP: baseOf(abi.SP, false)}
	a.tracks, a.padded, a.regs = abi.TracksRA(), abi.RAPadding, abi.LSBRegs && s.Version().Info().WordRegs
	a.ra, a.savedFP = unchanged, unchanged
	if !a.tracks {
		a.ra = place(h.FixedRAOffset)
	}
	if h.FixedFPOffset != 0 {
		a.savedFP = place(h.FixedFPOffset)
	}
}

// placeOf returns the place of the register self by a rule of CFI.
func placeOf(r Rule, self uint32) place {
	switch {
	case r.Kind == Unspecified, r.Kind == SameValue, r.Kind == Register && r.Reg == self:
		return unchanged
	case r.Kind == Register:
		return inRegs + place(r.Reg)
	case r.Kind == Offset && r.Offset < far && r.Offset > -far:
		return place(r.Offset)
	}
	return elsewhere
}

// placeIn returns the place that a data word gives.
func (a *acceptor) placeIn(word int64) place {
	if a.regs && word&1 != 0 {
		return inRegs + place(uint32(word>>1))
	}
	return place(word)
}

// accept reports whether the FREs of a function of size bytes agree with the instructions from p to end.
func (a *acceptor) accept(f *model.FDE, at, p, end int, size uint64) bool {
	a.p, a.program, a.now, a.nested = p, a.data[:end], a.start, 0
	width, left, rows := f.FREType().Width(), f.NumFREs(), 0
	startBits := 8 * width
	v := a.fres.Window(at)
	if a.begins(v, startBits) != 0 {
		return false
	}
	var cfa int64
	var ra, fp place
	var base, pos, freEnd, rowEnd uint64
	for pos < size {
		if pos == freEnd {
			var words int
			if cfa, ra, fp, base, words = a.fre(v>>startBits, at+width+1); words == 0 {
				return false
			}
			at += width + 1 + words
			freEnd = size
			if left--; left > 0 {
				v = a.fres.Window(at)
				if freEnd = a.begins(v, startBits); freEnd <= pos {
					return false
				}
			}
		}
		if pos == rowEnd {
			by := a.execute()
			if by == 0 {
				return false
			}
			if rowEnd = size; by < size-pos {
				rowEnd = pos + by
			}
		}
		if now := &a.now; cfa != now.cfa || fp != now.fp || ra != now.ra || base != now.base {
			return false
		}
		rows++
		pos = min(freEnd, rowEnd)
	}
	a.functions++
	a.sum += rows
	return true
}

// begins returns the start of an FRE by its first bytes.
func (a *acceptor) begins(v uint64, startBits int) uint64 {
	if a.big {
		return bits.ReverseBytes64(v) >> (64 - startBits)
	}
	return v & (1<<startBits - 1)
}

// fre decodes the info byte and the data words of an FRE. v has the bytes from the info byte on, of
// which at least 4 are known; the words are at at. It returns their length in bytes, 0 if they are
// not plain.
func (a *acceptor) fre(v uint64, at int) (cfa int64, ra, fp place, base uint64, size int) {
	info := uint8(v)
	n, wide := int(info>>model.FREInfoCountShift&model.MaxWords), info>>model.FREInfoSizeShift&3
	if n == 0 || n > 3 || wide > 2 {
		return 0, 0, 0, 0, 0
	}
	first, second, third := int64(int8(v>>8)), int64(int8(v>>16)), int64(int8(v>>24))
	if wide > 0 {
		words := a.words(at, wide)
		first, second, third = words[0], words[1], words[2]
	}
	size = n << wide
	if a.tracks {
		if ra = a.ra; n > 1 && !(a.padded && second == model.SFRAME_FRE_RA_OFFSET_INVALID) {
			ra = a.placeIn(second)
		}
		second = third
		n--
	} else {
		ra = a.ra
	}
	if fp = a.savedFP; n > 1 {
		fp = a.placeIn(second)
	}
	base = a.bases[info&model.FREInfoBaseBit]
	if a.pauth && info&model.FREInfoMangledBit != 0 {
		base |= signed
	}
	return first*a.scale + a.adjust, ra, fp, base, size
}

// words returns three data words of 2 or 4 bytes; those that an FRE does not have are any number.
func (a *acceptor) words(at int, wide uint8) (out [3]int64) {
	for k := range out {
		w := uint32(a.fres.Window(at + k<<wide))
		if a.big {
			w = bits.ReverseBytes32(w) >> (32 - 8<<wide)
		}
		if out[k] = int64(int32(w)); wide == 1 {
			out[k] = int64(int16(w))
		}
	}
	return out
}

// execute executes the instructions up to one that advances, and returns by how much; the largest
// number at the end of the program, 0 if they are not plain.
func (a *acceptor) execute() (by uint64) {
	b, p := a.program, a.p
	for p < len(b) {
		op := b[p]
		p++
		switch op & 0xc0 {
		case cfaAdvanceLoc:
			if by = uint64(op&0x3f) * a.codeBy; by != 0 {
				a.p = p
				return by
			}
			continue
		case cfaOffset:
			if p < len(b) && b[p] < 0x80 {
				if !a.set(uint32(op&0x3f), a.at(int64(b[p])*a.dataBy)) {
					return 0
				}
				p++
				continue
			}
		case 0:
			switch {
			case op == cfaNop:
				continue
			case op == cfaDefCFAOffset && p < len(b) && b[p] < 0x80:
				a.now.cfa = int64(b[p])
				p++
				continue
			case op >= cfaAdvanceLoc1 && op <= cfaAdvanceLoc4:
				a.p = p
				delta, ok := a.delta(1 << (op - cfaAdvanceLoc1))
				if !ok {
					return 0
				}
				if by = delta * a.codeBy; by != 0 {
					return by
				}
				p = a.p
				continue
			}
		}
		if a.p = p; !a.seldom(op) {
			return 0
		}
		p = a.p
	}
	a.p = p
	return ^uint64(0)
}

// seldom executes an instruction of those that execute does not.
func (a *acceptor) seldom(op byte) bool {
	now := &a.now
	switch op & 0xc0 {
	case cfaOffset:
		off, ok := a.uleb()
		return ok && a.set(uint32(op&0x3f), a.at(int64(off)*a.dataBy))
	case cfaRestore:
		return a.restore(uint32(op & 0x3f))
	}
	switch op {
	case cfaRememberState:
		if a.nested == mostNested {
			return false
		}
		a.remembered[a.nested] = *now
		a.nested++
		return true
	case cfaRestoreState:
		if a.nested == 0 {
			return false
		}
		a.nested--
		*now = a.remembered[a.nested]
		return true
	case cfaAArch64NegateRAState, cfaAArch64NegateRAStateWithPC:
		now.base ^= signed
		return a.pauth
	}
	first, ok := a.uleb()
	if !ok || first > 1<<32-1 { // a CFA is not so far, either
		return false
	}
	reg := uint32(first)
	switch op {
	case cfaDefCFARegister:
		now.base = baseOf(reg, now.base&signed != 0)
		return true
	case cfaRestoreExtended:
		return a.restore(reg)
	case cfaSameValue:
		return a.set(reg, unchanged)
	case cfaUndefined:
		return a.set(reg, elsewhere)
	case cfaGNUArgsSize:
		return true
	case cfaDefCFAOffset:
		now.cfa = int64(first)
		return true
	}
	second, ok := a.uleb()
	switch op {
	case cfaDefCFA:
		now.base, now.cfa = baseOf(reg, now.base&signed != 0), int64(second)
	case cfaOffsetExtended:
		ok = ok && a.set(reg, a.at(int64(second)*a.dataBy))
	case cfaRegister:
		ok = ok && second <= 1<<32-1 && a.set(reg, placeOf(Rule{Kind: Register, Reg: uint32(second)}, reg))
	default:
		return false
	}
	return ok
}

// at returns the place at an offset from the CFA.
func (a *acceptor) at(off int64) place {
	if off >= far || off <= -far {
		return elsewhere
	}
	return place(off)
}

// set gives a register its place. It reports false for one whose rule says more.
func (a *acceptor) set(reg uint32, at place) bool {
	switch reg {
	case a.fp:
		a.now.fp = at
	case a.raReg:
		a.now.ra = at
	case aarch64RASignState:
		return !a.pauth
	}
	return true
}

// restore gives a register the place that the CIE gives it.
func (a *acceptor) restore(reg uint32) bool {
	switch reg {
	case a.fp:
		a.now.fp = a.start.fp
	case a.raReg:
		a.now.ra = a.start.ra
	case aarch64RASignState:
		return !a.pauth
	}
	return true
}

// delta reads a number of n bytes.
func (a *acceptor) delta(n int) (uint64, bool) {
	if len(a.program)-a.p < n {
		return 0, false
	}
	v := number.Window(a.program[a.p:])
	a.p += n
	if a.s.in.ABI.Big {
		return bits.ReverseBytes64(v) >> (64 - 8*n), true
	}
	return v & (1<<(8*n) - 1), true
}

// uleb reads an unsigned LEB128 number of less than 64 bits.
func (a *acceptor) uleb() (uint64, bool) {
	v := uint64(0)
	for shift := 0; a.p < len(a.program) && shift < 63; shift += 7 {
		b := a.program[a.p]
		a.p++
		if v |= uint64(b&0x7f) << shift; b < 0x80 {
			return v, true
		}
	}
	return 0, false
}
