package model

import (
	"iter"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
)

// FDE is a function descriptor entry. Pass it by value.
type FDE struct {
	s   *Section
	idx int32

	entry    Entry
	start    uint64 // resolved
	decoded  uint32 // FREs that could be decoded
	place    uint32
	resolved bool
}

// Entry has the fields of an FDE as they are on disk. A field that the version does not have is 0.
type Entry struct {
	RawStart    int64
	Size        uint32
	StartFREOff uint32
	NumFREs     uint32
	Padding     uint16
	Info, Info2 uint8
	RepSize     uint8
	HasAttr     bool // all fields could be read
}

// Read reads an FDE of version v from the first bytes of b. If the version has attributes, it reads the attribute
// from the FRE sub-section.
func (e *Entry) Read(v *VersionInfo, b, fres []byte, big bool) {
	*e = Entry{}
	var short fieldBytes
	p := short.of(b)
	if v.StartWidth == 8 {
		e.RawStart = int64(p.u64(v.at[FDEStart], big))
	} else {
		e.RawStart = int64(int32(p.u32(v.at[FDEStart], big)))
	}
	e.Size, e.StartFREOff = p.u32(v.at[FDEFuncSize], big), p.u32(v.at[FDEStartFREOff], big)
	if v.AttrSize > 0 {
		off := uint64(e.StartFREOff) // it precedes the FREs
		if off+uint64(v.AttrSize) > uint64(len(fres)) {
			return
		}
		p = short.of(fres[off:])
		e.NumFREs = uint32(p.u16(v.at[FDENumFREs], big))
	} else {
		e.NumFREs = p.u32(v.at[FDENumFREs], big)
		e.Padding = p.u16(v.at[FDEPadding], big) & v.padding
	}
	e.HasAttr, e.Info = true, p[v.at[FDEInfo]&31]
	if v.Flex {
		e.Info2 = p[v.at[FDEInfo2]&31]
	}
	if v.Stubs {
		e.RepSize = p[v.at[FDERepSize]&31]
	}
}

// fieldBytes has the bytes of an entry or an attribute, and any after them: it is so long that no
// access to a field is checked.
type fieldBytes [40]byte

// of returns the bytes at the start of b, or a copy if there are not so many.
func (p *fieldBytes) of(b []byte) *fieldBytes {
	if len(b) >= len(p) {
		return (*fieldBytes)(b)
	}
	*p = fieldBytes{}
	copy(p[:], b)
	return p
}

func (p *fieldBytes) u16(at uint8, big bool) uint16 {
	i := int(at & 31)
	return number.U16(p[i:i+2], big)
}

func (p *fieldBytes) u32(at uint8, big bool) uint32 {
	i := int(at & 31)
	return number.U32(p[i:i+4], big)
}

func (p *fieldBytes) u64(at uint8, big bool) uint64 {
	i := int(at & 31)
	return number.U64(p[i:i+8], big)
}

// Extent returns the size in bytes of the code that the FREs describe: the size of one stub for a MASK FDE, otherwise
// that of the function.
func (e *Entry) Extent() uint32 {
	if e.Info&InfoPCTypeBit != 0 && e.RepSize != 0 {
		return min(uint32(e.RepSize), e.Size)
	}
	return e.Size
}

// FDEs yields the FDEs that could be decoded, in their order on disk.
func (s *Section) FDEs() iter.Seq[FDE] {
	return func(yield func(FDE) bool) {
		for i := 0; i < s.NumFDEs() && !s.meter.ended.Load() && yield(s.FDE(i)); i++ {
		}
	}
}

// FDE returns the i-th FDE of the section, 0 <= i < NumFDEs().
func (s *Section) FDE(i int) (f FDE) {
	s.meter.visit()
	size := s.format.FDESize
	f.s, f.idx = s, int32(i)
	f.entry.Read(s.format, s.fdes.b[i*size:], s.fres.b, s.big)
	f.decoded = f.entry.NumFREs
	if s.rows != nil {
		f.decoded = s.rows[i]
	}
	if s.starts != nil {
		st := &s.starts[i]
		f.start, f.place, f.resolved = st.Addr, st.Place, st.OK
	} else {
		f.start, f.resolved = s.address(f.entry.RawStart, s.fdes.off+int64(i*size)), true
	}
	return f
}

// Function is what an FDE states about its function, without the attribute.
type Function struct {
	Start    uint64 // as [FDE.Start]
	Size     uint32 // bytes
	Place    int32  // as [FDE.Place]
	FDE      int32  // index
	Resolved bool   // Start is known
}

// Function returns the function of the i-th FDE, 0 <= i < NumFDEs(). It does not read the FREs, so it is faster than
// FDE where these are in another order.
func (s *Section) Function(i int) Function {
	s.meter.visit()
	at := i * s.format.FDESize
	var e Entry
	e.Read(s.format, s.fdes.b[at:], nil, s.big)
	f := Function{FDE: int32(i), Size: e.Size}
	if s.starts != nil {
		st := &s.starts[i]
		f.Start, f.Place, f.Resolved = st.Addr, int32(st.Place), st.OK
		return f
	}
	f.Start, f.Resolved = s.address(e.RawStart, s.fdes.off+int64(at)), true
	return f
}

// Functions yields the functions of all FDEs.
func (s *Section) Functions() iter.Seq[Function] {
	return func(yield func(Function) bool) {
		for i := 0; i < s.NumFDEs() && !s.meter.ended.Load() && yield(s.Function(i)); i++ {
		}
	}
}

// address returns the start that a field has without a relocation. A flag says what the
// field counts from ("SFrame Flags").
func (s *Section) address(raw, field int64) uint64 {
	start := s.addr + uint64(raw)
	if s.header.Flags&SFRAME_F_FDE_FUNC_START_PCREL != 0 {
		start += uint64(field)
	}
	return start
}

// Section returns the section that contains the FDE.
func (f FDE) Section() *Section { return f.s }

// Index returns the FDE's index in the FDE sub-section, from 0.
func (f FDE) Index() int { return int(f.idx) }

// Start returns the address of the function's first byte. In a relocatable file, it returns the offset in the section
// that Place names.
func (f FDE) Start() uint64 { return f.start }

// End returns the address just past the function. It wraps around if start and size do not fit 64 bits.
func (f FDE) End() uint64 { return f.start + uint64(f.entry.Size) }

// Place returns 0 if Start is a virtual address. In a relocatable file, it returns the index of the ELF section that
// Start counts from.
func (f FDE) Place() int { return int(f.place) }

// Resolved reports whether Start is known. In a relocatable file it is unknown
// if the start field has no usable relocation.
func (f FDE) Resolved() bool { return f.resolved }

// RawStart returns the start field as it is on disk.
func (f FDE) RawStart() int64 { return f.entry.RawStart }

// Size returns the size of the function in bytes.
func (f FDE) Size() uint32 { return f.entry.Size }

// StartFREOff returns the offset of the function's FREs in the FRE sub-section. In V3 it is the offset of the
// function's attribute.
func (f FDE) StartFREOff() uint32 { return f.entry.StartFREOff }

// ClaimedFREs returns the number of FREs that the FDE states.
func (f FDE) ClaimedFREs() uint32 { return f.entry.NumFREs }

// NumFREs returns the number of FREs that could be decoded.
func (f FDE) NumFREs() int { return int(f.decoded) }

// Outermost reports whether the FDE marks an outermost frame. Such an FDE has the default type, no FREs, and a
// version that gives this a meaning.
func (f FDE) Outermost() bool {
	return f.ClaimedFREs() == 0 && f.HasAttr() && f.s.Version().Info().OutermostFDE && f.Type() == SFRAME_FDE_TYPE_DEFAULT
}

// HasAttr reports whether info, rep_size and the number of FREs could be read. It can be false only in V3, which
// stores them in the FRE sub-section.
func (f FDE) HasAttr() bool { return f.entry.HasAttr }

// Info returns the info byte.
func (f FDE) Info() uint8 { return f.entry.Info }

// Info2 returns the second info byte of V3, or 0 in other versions.
func (f FDE) Info2() uint8 { return f.entry.Info2 }

// FREType returns the type of the FREs, which is the width of their start offsets.
func (f FDE) FREType() FREType { return FREType(f.entry.Info & InfoFRETypeMask) }

// Mask reports whether the function is a run of stubs, so that the FREs are those of each.
func (f FDE) Mask() bool { return f.PCType() == SFRAME_FDE_PCTYPE_MASK }

// PCType returns how PCs are compared with the starts of the FREs.
func (f FDE) PCType() PCType {
	if f.entry.Info&InfoPCTypeBit != 0 {
		return SFRAME_FDE_PCTYPE_MASK
	}
	return SFRAME_FDE_PCTYPE_INC
}

// PauthKey returns the key that signs return addresses (AArch64).
func (f FDE) PauthKey() PauthKey {
	if f.entry.Info&InfoPauthKeyBit != 0 {
		return SFRAME_AARCH64_PAUTH_KEY_B
	}
	return SFRAME_AARCH64_PAUTH_KEY_A
}

// Signal reports whether the function is a signal frame (V3).
func (f FDE) Signal() bool {
	return f.s.format.Signal && f.entry.Info&InfoSignalBit != 0
}

// Flex reports whether the FREs of the function are flexible.
func (f FDE) Flex() bool { return f.Type() == SFRAME_FDE_TYPE_FLEX }

// Type returns how the FREs' data words are interpreted.
func (f FDE) Type() FDEType {
	if !f.s.format.Flex {
		return SFRAME_FDE_TYPE_DEFAULT
	}
	return FDEType(f.entry.Info2 & Info2FDETypeMask)
}

// RepSize returns the size in bytes of the repeated stub of a MASK FDE. V1 has no such field.
func (f FDE) RepSize() uint8 { return f.entry.RepSize }

// Padding returns sfde_func_padding2 (V2 only).
func (f FDE) Padding() uint16 { return f.entry.Padding }

// Extent returns the size in bytes of the code that the FREs describe: the size of one stub for a MASK FDE, otherwise
// that of the function.
func (f FDE) Extent() uint32 { return f.entry.Extent() }

// Span returns the bytes of the entry in the FDE sub-section.
func (f FDE) Span() Span {
	n := int64(f.s.format.FDESize)
	return Span{f.s.FDESubsection().Off + int64(f.idx)*n, n}
}

// AttrSpan returns the bytes of the attribute. The span is empty in V1 and V2.
func (f FDE) AttrSpan() Span {
	if f.s.format.AttrSize == 0 || !f.entry.HasAttr {
		return Span{}
	}
	return Span{f.dataOff(), int64(f.s.format.AttrSize)}
}

// dataOff is where the FDE's part of the FRE sub-section starts.
func (f FDE) dataOff() int64 { return f.s.FRESubsection().Off + int64(f.entry.StartFREOff) }

// FieldSpan returns the bytes of a field. The span is empty if the version has no such field.
func (f FDE) FieldSpan(field FDEField) Span {
	at := f.s.format.Field(field)
	if at.Len == 0 {
		return Span{}
	}
	base := f.Span().Off
	if at.Attr {
		base = f.dataOff()
	}
	return Span{base + at.Off, at.Len}
}

// FRESpan returns the bytes of the decoded FREs, without the attribute.
func (f FDE) FRESpan() Span {
	return Span{f.dataOff() + f.AttrSpan().Len, int64(len(f.FREData()))}
}

// FREData returns the bytes that FRESpan describes.
func (f *FDE) FREData() []byte {
	if f.decoded == 0 {
		return nil
	}
	from, width := int(f.entry.StartFREOff)+f.s.format.AttrSize, int(f.FREType().Width())
	b := f.s.fres.b[from:]
	end := 0
	for range f.decoded {
		end += width + 1 + WordBytes(b[end+width])
	}
	return b[:end]
}

// DataSpan returns the bytes of the FDE in the FRE sub-section: the FREs and, in V3, the attribute before them.
func (f FDE) DataSpan() Span {
	return Span{f.dataOff(), f.FRESpan().End() - f.dataOff()}
}
