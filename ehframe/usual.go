package ehframe

import "github.com/sframe-lint/sframe-lint/internal/number"

// Nearly all entries of .eh_frame are FDEs with a 32-bit length, a start relative to
// itself, both of 4 bytes, and augmentation data of less than 128 bytes. The functions here
// read these in a fraction of the time that entry and decode take, with the same result.

// usualFDE is the size in bytes of such an FDE up to its augmentation data.
const usualFDE = 17

// step returns the end of the FDE at off; 0 if there is another entry or an unusual FDE.
func (s *Section) step(off int) int {
	b := s.in.Data[off:]
	if len(b) < 8 || s.in.Kind != EHFrame {
		return 0
	}
	n := uint64(number.U32(b, s.in.ABI.Big))
	if n < 4 || n > uint64(len(b)-4) || number.U32(b[4:], s.in.ABI.Big) == 0 {
		return 0
	}
	return off + 4 + int(n)
}

// usual adds the code that FDEs of a linked file describe, from the one at off on. It
// returns the place of the first entry that is not an FDE, is unusual or has another CIE.
func (s *Section) usual(out *intervals, section int32, off int, k *CIE) int {
	if !k.usual || s.in.Relocatable {
		return off
	}
	data, big, cie, list := s.in.Data, s.in.ABI.Big, int(k.Span.Off), out.list
	var last interval
	if n := len(list); n > 0 {
		last = list[n-1]
	}
	for off+usualFDE <= len(data) {
		b := data[off : off+usualFDE]
		n, aug := uint64(number.U32(b, big)), int(b[16])
		if n > uint64(len(data)-off-4) || 4+int(n) < usualFDE+aug || off+4-int(number.U32(b[4:], big)) != cie || aug >= 0x80 || aug > 0 && aug < k.leastData {
			break
		}
		raw := number.U32(b[8:], big)
		start := s.in.Addr + uint64(off) + 8 + uint64(int32(raw))
		end := start + uint64(number.U32(b[12:], big))
		if raw == 0 || end <= start {
			break
		}
		out.mixed = out.mixed || last.place > 0 || start < last.end
		last = interval{start, end, 0, section, int32(off), int32(off + usualFDE + aug)}
		list = append(list, last)
		off += 4 + int(n)
	}
	out.list = list
	return off
}

// findUsual finds whether FDEs of the CIE can be usual.
func (k *CIE) findUsual() {
	k.usual = k.Fault.Code == NoFault && k.sized && k.selector == 0 && k.Pointers == Pcrel|Sdata4
	if k.LSDA != Omit {
		k.usual = k.usual && k.LSDA.Width() > 0 && k.LSDA.Base() != Aligned
		k.leastData = k.LSDA.Width()
	}
}

// program returns the CIE of a valid FDE, and where its instructions end. last is the CIE
// of another one or nil.
func (s *Section) program(v *interval, last *CIE) (*CIE, int) {
	off, b := int(v.id), s.in.Data[v.id:v.id+8]
	if n := number.U32(b, s.in.ABI.Big); n != 0xffffffff && s.in.Kind == EHFrame && last != nil && off+4-int(number.U32(b[4:], s.in.ABI.Big)) == int(last.Span.Off) {
		return last, off + 4 + int(n)
	}
	f, _ := s.FDEAt(int64(off))
	return f.CIE, int(f.Program.End())
}
