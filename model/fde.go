package model

// FDE is a function descriptor entry: a handle, to be passed by value.
type FDE struct {
	s   *Section
	rec *fdeRec
	idx int32
}

// Section returns the section that the FDE stands in.
func (f FDE) Section() *Section { return f.s }

// Index returns the FDE's place in the FDE sub-section, from 0.
func (f FDE) Index() int { return int(f.idx) }

// Start returns the address of the function's first byte. In a relocatable
// file it is the offset in the section that Place names.
func (f FDE) Start() uint64 { return f.rec.start }

// End returns the address just past the function; it wraps where start and
// size do not fit 64 bits.
func (f FDE) End() uint64 { return f.rec.start + uint64(f.rec.size) }

// Place returns what Start counts from: 0 for a virtual address, else the
// index of an ELF section header (relocatable files only).
func (f FDE) Place() int { return int(f.rec.place) }

// Resolved tells whether Start is known. It is not in a relocatable file
// where the start field has no usable relocation.
func (f FDE) Resolved() bool { return f.rec.state&fdeResolved != 0 }

// RawStart returns the start field as it stands on disk.
func (f FDE) RawStart() int64 { return f.rec.rawStart }

// Size returns the bytes of the function.
func (f FDE) Size() uint32 { return f.rec.size }

// StartFREOff returns the offset of the function's rows (V3: of its
// attribute) in the FRE sub-section.
func (f FDE) StartFREOff() uint32 { return f.rec.freOff }

// ClaimedFREs returns the FDE's own count of rows.
func (f FDE) ClaimedFREs() uint32 { return f.rec.claimed }

// NumFREs returns the number of rows that could be had.
func (f FDE) NumFREs() int { return int(f.rec.decoded) }

// HasAttr tells whether info, rep_size and the count of rows could be read;
// only V3 keeps them apart from the entry.
func (f FDE) HasAttr() bool { return f.rec.state&fdeHasAttr != 0 }

// Info returns the info byte.
func (f FDE) Info() uint8 { return f.rec.info }

// Info2 returns the second info byte of V3, 0 elsewhere.
func (f FDE) Info2() uint8 { return f.rec.info2 }

// FREType returns the width class of the rows' starts.
func (f FDE) FREType() FREType { return FREType(f.rec.info & InfoFRETypeMask) }

// PCType tells how PCs are compared with the rows.
func (f FDE) PCType() PCType {
	if f.rec.info&InfoPCTypeBit != 0 {
		return SFRAME_FDE_PCTYPE_MASK
	}
	return SFRAME_FDE_PCTYPE_INC
}

// PauthKey returns the key that signs return addresses (AArch64).
func (f FDE) PauthKey() PauthKey {
	if f.rec.info&InfoPauthKeyBit != 0 {
		return SFRAME_AARCH64_PAUTH_KEY_B
	}
	return SFRAME_AARCH64_PAUTH_KEY_A
}

// Signal tells whether the function is a signal frame (V3).
func (f FDE) Signal() bool {
	return f.s.header.Version == SFRAME_VERSION_3 && f.rec.info&InfoSignalBit != 0
}

// Type tells how the rows' data words are read.
func (f FDE) Type() FDEType {
	if f.s.header.Version != SFRAME_VERSION_3 {
		return SFRAME_FDE_TYPE_DEFAULT
	}
	return FDEType(f.rec.info2 & Info2FDETypeMask)
}

// RepSize returns the bytes of the repeated stub of a MASK FDE (not in V1).
func (f FDE) RepSize() uint8 { return f.rec.rep }

// Padding returns sfde_func_padding2 (V2 only).
func (f FDE) Padding() uint16 { return f.rec.padding }

// Span returns the bytes of the entry in the FDE sub-section.
func (f FDE) Span() Span {
	n := int64(FDESize(f.s.header.Version))
	return Span{f.s.FDESubsection().Off + int64(f.idx)*n, n}
}

// AttrSpan returns the bytes of the attribute (V3) or an empty span.
func (f FDE) AttrSpan() Span {
	if f.s.header.Version != SFRAME_VERSION_3 || !f.HasAttr() {
		return Span{}
	}
	return Span{f.s.FRESubsection().Off + int64(f.rec.freOff), AttrSize}
}

// FieldSpan returns the bytes of a field, an empty span where the version
// has no such field.
func (f FDE) FieldSpan(field FDEField) Span {
	t := fdeFields[f.s.header.Version]
	if t == nil || t[field].len == 0 {
		return Span{}
	}
	base := f.Span().Off
	if t[field].attr {
		base = f.s.FRESubsection().Off + int64(f.rec.freOff)
	}
	return Span{base + int64(t[field].off), int64(t[field].len)}
}

// FRESpan returns the bytes of the rows that could be had, without the
// attribute.
func (f FDE) FRESpan() Span {
	off := f.s.FRESubsection().Off + int64(f.rec.freOff)
	if f.s.header.Version == SFRAME_VERSION_3 {
		off += AttrSize
	}
	if f.rec.decoded == 0 {
		return Span{off, 0}
	}
	return Span{off, f.FRE(int(f.rec.decoded)-1).Span().End() - off}
}

// DataSpan returns the bytes that the FDE owns in the FRE sub-section: the
// attribute (V3) and the rows.
func (f FDE) DataSpan() Span {
	fres := f.FRESpan()
	off := f.s.FRESubsection().Off + int64(f.rec.freOff)
	return Span{off, fres.End() - off}
}

// FRE returns the j-th row, 0 <= j < NumFREs().
func (f FDE) FRE(j int) FRE {
	if uint(j) >= uint(f.rec.decoded) {
		panic("model: FRE index out of range")
	}
	return FRE{f, &f.s.fres[f.rec.firstFRE+uint32(j)], int32(j)}
}

// Extent returns the bytes of code that the rows describe: of one stub for
// a MASK FDE, of the function otherwise.
func (f FDE) Extent() uint32 {
	if f.PCType() == SFRAME_FDE_PCTYPE_MASK && f.rec.rep != 0 {
		return min(uint32(f.rec.rep), f.rec.size)
	}
	return f.rec.size
}
