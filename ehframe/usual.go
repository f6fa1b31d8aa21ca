package ehframe

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
	n := uint64(u32(b, s.in.ABI.Big))
	if n < 4 || n > uint64(len(b)-4) || u32(b[4:], s.in.ABI.Big) == 0 {
		return 0
	}
	return off + 4 + int(n)
}

// usual decodes the FDE at off of a linked file to the code that it describes, and returns
// the end of the entry; 0 if there is another entry, an unusual FDE or one of another CIE.
func (s *Section) usual(off int, k *CIE) (v interval, end int) {
	if !k.usual || s.in.Relocatable {
		return v, 0
	}
	b, big := s.in.Data[off:], s.in.ABI.Big
	if end = s.step(off); end < off+usualFDE {
		return v, 0
	}
	raw, data := u32(b[8:], big), int(b[16])
	if off+4-int(u32(b[4:], big)) != int(k.Span.Off) || raw == 0 || data >= 0x80 || data > 0 && data < k.leastData || off+usualFDE+data > end {
		return v, 0
	}
	v = interval{start: s.in.Addr + uint64(off) + 8 + uint64(int32(raw)), id: int32(off), program: int32(off + usualFDE + data)}
	if v.end = v.start + uint64(u32(b[12:], big)); v.end <= v.start {
		return v, 0
	}
	return v, end
}

// findUsual finds whether FDEs of the CIE can be usual.
func (k *CIE) findUsual() {
	k.usual = k.Fault.Code == NoFault && k.sized && k.selector == 0 && k.Pointers == Pcrel|Sdata4
	if k.LSDA != Omit {
		k.usual = k.usual && k.LSDA.Width() > 0 && k.LSDA.Base() != Aligned
		k.leastData = k.LSDA.Width()
	}
}

// program returns the CIE of an FDE, and where its instructions end. last is the CIE of
// another one or nil.
func (s *Section) program(v *interval, last *CIE) (*CIE, int) {
	off := int(v.id)
	if end := s.step(off); end > 0 && last != nil && off+4-int(u32(s.in.Data[off+4:], s.in.ABI.Big)) == int(last.Span.Off) {
		return last, end
	}
	f, _ := s.FDEAt(int64(off))
	return f.CIE, int(f.Program.End())
}
