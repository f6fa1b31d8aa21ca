package model

import (
	"encoding/binary"
	"iter"
)

// FRE is a frame row entry, to be passed by value. It covers the bytes of
// code from Start to End.
type FRE struct {
	s       *Section
	fde     int32
	idx     int32
	count   int32  // FREs that the FDE has
	at      int32  // of the FRE in the FRE sub-section
	start   uint32 // of the PCs
	extent  uint32 // of the FDE
	info    uint8
	width   uint8 // of the start offset
	fdeType FDEType
}

// FREs yields the FREs that could be decoded, in their order on disk.
func (f FDE) FREs() iter.Seq[FRE] {
	return func(yield func(FRE) bool) {
		for r, ok := f.first(); ok && !r.s.meter.ended.Load() && yield(r); ok = r.advance() {
		}
	}
}

// FRE returns the j-th FRE, 0 <= j < NumFREs(). FREs vary in size, so it reads all FREs before this one. To visit
// all, use FREs.
func (f FDE) FRE(j int) FRE {
	r, ok := f.first()
	for ; ok && j > 0; j-- {
		r, ok = r.Next()
	}
	if !ok || j < 0 {
		panic("model: FRE index out of range")
	}
	return r
}

// FREAt is FRE for a caller that has the offset of the j-th FRE in the FRE sub-section.
func (f FDE) FREAt(j int, off int64) FRE { return f.row(int32(j), int32(off)) }

func (f *FDE) first() (FRE, bool) {
	if f.decoded == 0 {
		return FRE{}, false
	}
	return f.row(0, int32(f.entry.StartFREOff)+int32(f.s.format.AttrSize)), true
}

func (f *FDE) row(j, at int32) FRE {
	r := FRE{s: f.s, fde: f.idx, idx: j, count: int32(f.decoded), at: at, extent: f.Extent(),
		width: uint8(f.FREType().Width()), fdeType: f.Type()}
	r.load()
	return r
}

func (r *FRE) load() {
	r.s.meter.visit()
	r.start = r.s.fres.uint(int(r.at), int(r.width))
	r.info = r.s.fres.b[int(r.at)+int(r.width)]
}

// Next returns the next FRE of the same FDE.
func (r FRE) Next() (FRE, bool) {
	if !r.advance() {
		return FRE{}, false
	}
	return r, true
}

// advance steps to the next FRE, if there is one.
func (r *FRE) advance() bool {
	if r.idx+1 >= r.count {
		return false
	}
	r.at += int32(r.len())
	r.idx++
	r.load()
	return true
}

// WordBytes returns the size in bytes of all data words of an FRE with this info byte.
func WordBytes(info uint8) int {
	return int(info>>FREInfoCountShift&MaxWords) * WordSize(info>>FREInfoSizeShift&3).Width()
}

// len returns the bytes of the FRE.
func (r *FRE) len() int { return int(r.width) + 1 + WordBytes(r.info) }

// FDE returns the FDE that the FRE belongs to.
func (r FRE) FDE() FDE { return r.s.FDE(int(r.fde)) }

// FDEIndex returns the index of the FDE that the FRE belongs to. It does not decode the FDE.
func (r FRE) FDEIndex() int { return int(r.fde) }

// Flex reports whether the FRE is flexible.
func (r FRE) Flex() bool { return r.fdeType == SFRAME_FDE_TYPE_FLEX }

// FDEType returns the type of the FDE that the FRE belongs to. It does not decode the FDE.
func (r FRE) FDEType() FDEType { return r.fdeType }

// Index returns the FRE's index among those of its FDE, from 0.
func (r FRE) Index() int { return int(r.idx) }

// Start returns the offset in bytes of the first PC that the FRE covers. It counts from the start of the function or,
// for a MASK FDE, of the stub.
func (r FRE) Start() uint32 { return r.start }

// End returns the offset just past the last PC that the FRE covers. This is the start of the next FRE or the end of
// the code that the FDE covers.
func (r FRE) End() uint32 {
	if r.idx+1 < r.count {
		return r.s.fres.uint(int(r.at)+r.len(), int(r.width))
	}
	return r.extent
}

// Info returns the info byte.
func (r FRE) Info() uint8 { return r.info }

// Base returns the base register of the CFA. Only FREs of the default type have it.
func (r FRE) Base() BaseReg { return BaseReg(r.info & FREInfoBaseBit) }

// NumWords returns the number of data words.
func (r FRE) NumWords() int { return int(r.info >> FREInfoCountShift & MaxWords) }

// WordSize returns the size code of the data words.
func (r FRE) WordSize() WordSize { return WordSize(r.info >> FREInfoSizeShift & 3) }

// MangledRA reports whether the return address is signed (AArch64).
func (r FRE) MangledRA() bool { return r.info&FREInfoMangledBit != 0 }

// Word returns the k-th data word, sign-extended, 0 <= k < NumWords().
func (r FRE) Word(k int) int32 {
	if k < 0 || k >= r.NumWords() {
		panic("model: data word index out of range")
	}
	w := r.WordSize().Width()
	return r.s.fres.sint(int(r.at)+int(r.width)+1+k*w, w)
}

// Control returns the k-th data word, unsigned, as a control word of a flexible FRE.
func (r FRE) Control(k int) uint32 { return uint32(r.Word(k)) & r.WordSize().Mask() }

// Words appends the data words, sign-extended, to dst.
func (r FRE) Words(dst []int32) []int32 {
	for k := range r.NumWords() {
		dst = append(dst, r.Word(k))
	}
	return dst
}

// Span returns the bytes of the FRE.
func (r FRE) Span() Span { return Span{r.off(), int64(r.len())} }

func (r FRE) off() int64 { return r.s.fres.off + int64(r.at) }

// StartSpan returns the bytes of the start offset.
func (r FRE) StartSpan() Span { return Span{r.off(), int64(r.width)} }

// InfoSpan returns the span of the info byte.
func (r FRE) InfoSpan() Span { return Span{r.off() + int64(r.width), 1} }

// WordSpan returns the bytes of the k-th data word.
func (r FRE) WordSpan(k int) Span {
	w := int64(r.WordSize().Width())
	return Span{r.InfoSpan().End() + int64(k)*w, w}
}

// WordsSpan returns the bytes of all data words.
func (r FRE) WordsSpan() Span {
	return Span{r.InfoSpan().End(), int64(r.NumWords() * r.WordSize().Width())}
}

// Content returns the first 8 bytes of the data words, as a little-endian number, and the size of all data words in
// bytes. FREs with equal content, info byte and FDE type have the same recovery rules.
func (r FRE) Content() (words uint64, n int) {
	n = r.NumWords() * r.WordSize().Width()
	b := r.s.fres.b[int(r.at)+int(r.width)+1:]
	if len(b) >= 8 {
		words = binary.LittleEndian.Uint64(b)
		if n < 8 {
			words &= 1<<(8*n&63) - 1
		}
		return words, n
	}
	for k := range min(n, len(b)) {
		words |= uint64(b[k]) << (8 * k)
	}
	return words, n
}

// FlexRole says which value an entity of a flexible FRE recovers.
type FlexRole uint8

// Roles, in the order in which a flexible FRE has them.
const (
	FlexCFA FlexRole = iota
	FlexRA
	FlexFP
)

func (r FlexRole) String() string { return [...]string{"CFA", "RA", "FP"}[r] }

// FlexEntity is the control word and the offset word for one value of a flexible FRE. A padding entity has no offset
// word.
type FlexEntity struct {
	Role    FlexRole
	Word    int    // index of the control word in the FRE
	Control uint32 // the control word
	Whole   bool   // the offset word exists
	Offset  int32  // bytes; the CFA's offset is scaled on s390x
}

// Padding reports whether the entity is a single word with value 0.
func (e FlexEntity) Padding() bool { return e.Role != FlexCFA && e.Control == 0 }

// RegP reports whether the base is a register; otherwise it is the CFA.
func (e FlexEntity) RegP() bool { return e.Control&FlexRegP != 0 }

// DerefP reports whether the value is loaded from the address base+offset.
func (e FlexEntity) DerefP() bool { return e.Control&FlexDerefP != 0 }

// Reserved reports whether the reserved bit is set.
func (e FlexEntity) Reserved() bool { return e.Control&FlexReserved != 0 }

// Reg returns the DWARF number of the base register.
func (e FlexEntity) Reg() uint32 { return e.Control >> FlexRegShift }

// FlexEntity decodes the entity for a role from control word k, 0 <= k < NumWords(), and returns the index of the
// next word. The entity of the CFA has two words; those of RA and FP have two words or one padding word.
func (r FRE) FlexEntity(role FlexRole, k int) (FlexEntity, int) {
	e := FlexEntity{Role: role, Word: k, Control: r.Control(k)}
	if k++; !e.Padding() && k < r.NumWords() {
		e.Whole, e.Offset = true, r.Word(k)
		k++
	}
	return e, k
}

// End returns the index of the word after the entity.
func (e FlexEntity) End() int {
	if e.Whole {
		return e.Word + 2
	}
	return e.Word + 1
}

// Entities yields the entities of a flexible FRE in the order of their words ("Flexible FDE Type Interpretation"). It
// ignores words after the last entity.
func (r FRE) Entities() iter.Seq[FlexEntity] {
	return func(yield func(FlexEntity) bool) {
		if r.fdeType != SFRAME_FDE_TYPE_FLEX {
			return
		}
		for role, k := FlexCFA, 0; role <= FlexFP && k < r.NumWords(); role++ {
			var e FlexEntity
			if e, k = r.FlexEntity(role, k); !yield(e) {
				return
			}
		}
	}
}
