package model

// FRE is a frame row entry: a handle, to be passed by value. It covers the
// bytes of code from Start to End.
type FRE struct {
	f   FDE
	rec *freRec
	idx int32
}

// FDE returns the FDE that the row belongs to.
func (r FRE) FDE() FDE { return r.f }

// Index returns the row's place among its FDE's rows, from 0.
func (r FRE) Index() int { return int(r.idx) }

// Start returns the offset in bytes of the first PC that the row covers,
// from the start of the function (of the stub for a MASK FDE).
func (r FRE) Start() uint32 { return r.rec.start }

// End returns the offset just past the row's PCs: the start of the next row
// or the end of what the FDE covers.
func (r FRE) End() uint32 {
	if j := int(r.idx) + 1; j < r.f.NumFREs() {
		return r.f.FRE(j).Start()
	}
	return r.f.Extent()
}

// Info returns the info byte.
func (r FRE) Info() uint8 { return r.rec.info }

// Base returns the CFA's base register of a default-type row.
func (r FRE) Base() BaseReg { return BaseReg(r.rec.info & FREInfoBaseBit) }

// NumWords returns the number of data words.
func (r FRE) NumWords() int { return int(r.rec.info >> FREInfoCountShift & MaxWords) }

// WordSize returns the size code of the data words.
func (r FRE) WordSize() WordSize { return WordSize(r.rec.info >> FREInfoSizeShift & 3) }

// MangledRA tells whether the return address is signed (AArch64).
func (r FRE) MangledRA() bool { return r.rec.info&FREInfoMangledBit != 0 }

// Word returns the k-th data word, sign-extended, 0 <= k < NumWords().
func (r FRE) Word(k int) int32 {
	if k >= r.NumWords() {
		panic("model: data word index out of range")
	}
	return r.f.s.words[int(r.rec.word)+k]
}

// Control returns the k-th data word as the unsigned control word of a
// flexible FDE.
func (r FRE) Control(k int) uint32 { return uint32(r.Word(k)) & r.WordSize().Mask() }

// Words appends the data words, sign-extended, to dst.
func (r FRE) Words(dst []int32) []int32 {
	w := int(r.rec.word)
	return append(dst, r.f.s.words[w:w+r.NumWords()]...)
}

// Span returns the bytes of the row.
func (r FRE) Span() Span {
	n := r.f.FREType().Width() + 1 + r.NumWords()*r.WordSize().Width()
	return Span{r.off(), int64(n)}
}

func (r FRE) off() int64 { return r.f.s.FRESubsection().Off + int64(r.rec.off) }

// StartSpan returns the bytes of the start offset.
func (r FRE) StartSpan() Span { return Span{r.off(), int64(r.f.FREType().Width())} }

// InfoSpan returns the info byte's place.
func (r FRE) InfoSpan() Span { return Span{r.off() + int64(r.f.FREType().Width()), 1} }

// WordSpan returns the bytes of the k-th data word.
func (r FRE) WordSpan(k int) Span {
	w := int64(r.WordSize().Width())
	return Span{r.InfoSpan().End() + int64(k)*w, w}
}

// WordsSpan returns the bytes of all data words.
func (r FRE) WordsSpan() Span {
	return Span{r.InfoSpan().End(), int64(r.NumWords() * r.WordSize().Width())}
}
