// Package plain is a decoder of SFrame sections, written only from the manual. It shares no code with the rest of the
// project, so it can check the expectations of the conformance suite and the results of unwinders. It is also an
// example of a decoder for the suite.
package plain

import (
	"errors"
	"fmt"
)

// Section is the content of a section, in the JSON of the suite.
type Section struct {
	Version   int        `json:"version"`
	ABI       string     `json:"abi,omitempty"`
	Flags     int        `json:"flags"`
	FixedFP   int        `json:"fixed_fp"`
	FixedRA   int        `json:"fixed_ra"`
	Functions []Function `json:"functions"`
}

// Function is an FDE.
type Function struct {
	Start   string `json:"start"`
	Size    uint32 `json:"size"`
	PCType  string `json:"pc_type"`
	RepSize *int   `json:"rep_size,omitempty"`
	Type    string `json:"fde_type,omitempty"`
	Signal  *bool  `json:"signal,omitempty"`
	Key     string `json:"pauth_key,omitempty"`
	Rows    []Row  `json:"rows"`

	start uint64
}

// Row is an FRE.
type Row struct {
	Start   uint32 `json:"start"`
	CFA     Value  `json:"cfa"`
	RA      Value  `json:"ra"`
	FP      Value  `json:"fp"`
	Mangled *bool  `json:"mangled_ra,omitempty"`
}

// Value states how to recover a value of the caller: a register or the CFA plus an offset, or the word of memory
// there.
type Value struct {
	Kind   Kind
	Memory bool
	Reg    int64 // DWARF number
	Offset int64
}

// Kind is the source of a recovered value.
type Kind int

// Kinds.
const (
	Undefined Kind = iota // there is no caller
	Unchanged             // still in the register
	FromCFA
	FromReg
)

// MarshalText writes the value in the notation of the suite: undefined, unchanged, r7+16, *(cfa-8).
func (v Value) MarshalText() ([]byte, error) {
	base := "cfa"
	switch v.Kind {
	case Undefined:
		return []byte("undefined"), nil
	case Unchanged:
		return []byte("unchanged"), nil
	case FromReg:
		base = fmt.Sprint("r", v.Reg)
	}
	if v.Memory {
		return fmt.Appendf(nil, "*(%s%+d)", base, v.Offset), nil
	}
	return fmt.Appendf(nil, "%s%+d", base, v.Offset), nil
}

var errEnd = errors.New("the data end too early")

// ErrMeaning is the cause of errors after which a decoder could continue: the bytes have a place but no meaning.
var ErrMeaning = errors.New("no meaning")

func meaningless(what string) error { return fmt.Errorf("%s: %w", what, ErrMeaning) }

// data reads fields from an offset on; the first read beyond the end sets err.
type data struct {
	b   []byte
	at  uint64
	end uint64 // of what may be read
	big bool
	err error
}

func (d *data) uint(n int) uint64 {
	if d.err != nil || d.at > d.end || d.end-d.at < uint64(n) {
		d.err = errEnd
		return 0
	}
	var v uint64
	for i, c := range d.b[d.at:][:n] {
		if d.big {
			v = v<<8 | uint64(c)
		} else {
			v |= uint64(c) << (8 * i)
		}
	}
	d.at += uint64(n)
	return v
}

func (d *data) int(n int) int64 {
	unused := 64 - 8*n
	return int64(d.uint(n)) << unused >> unused
}

var abis = []string{"", "aarch64-be", "aarch64", "amd64", "s390x"}

// sp and fp are the DWARF numbers of the registers, by ABI.
var sp, fp = []int64{0, 31, 31, 7, 15}, []int64{0, 29, 29, 6, 11}

// header is what the rest of a section depends on.
type header struct {
	version, flags, abi        int
	fixedFP, fixedRA           int64
	fdes, freLen               uint64
	end, fdeStart, fre, freEnd uint64
}

// Decode decodes the section at an address. If parts of it have no meaning, it returns the other parts and an error
// that is [ErrMeaning].
func Decode(b []byte, addr uint64) (*Section, error) {
	d := &data{b: b, end: uint64(len(b))}
	h, meaning := readHeader(d)
	if meaning != nil && !errors.Is(meaning, ErrMeaning) {
		return nil, meaning
	}
	s := &Section{
		Version: h.version, ABI: abis[h.abi], Flags: h.flags, FixedFP: int(h.fixedFP), FixedRA: int(h.fixedRA),
		Functions: []Function{},
	}
	for i := range h.fdes {
		f, err := h.function(d, addr, i)
		switch {
		case errors.Is(err, ErrMeaning):
			meaning = err
		case err != nil:
			return nil, fmt.Errorf("FDE %d: %w", i, err)
		}
		s.Functions = append(s.Functions, *f)
	}
	return s, meaning
}

func readHeader(d *data) (h header, err error) {
	switch d.uint(2) {
	case 0xdee2:
	case 0xe2de:
		d.big = true
	default:
		return h, errors.New("magic number")
	}
	h.version, h.flags, h.abi = int(d.uint(1)), int(d.uint(1)), int(d.uint(1))
	h.fixedFP, h.fixedRA = d.int(1), d.int(1)
	aux := d.uint(1)
	h.fdes = d.uint(4)
	d.uint(4)
	h.freLen = d.uint(4)
	fdeOff, freOff := d.uint(4), d.uint(4)
	switch {
	case d.err != nil:
		return h, d.err
	case h.version < 1 || h.version > 3:
		return h, errors.New("version")
	case h.abi < 1 || h.abi >= len(abis):
		h.abi, err = 0, meaningless("ABI")
	}
	h.end = 28 + aux
	h.fdeStart, h.fre = h.end+fdeOff, h.end+freOff
	h.freEnd = h.fre + h.freLen
	size := uint64(len(d.b))
	if h.end > size || h.fdeStart+h.fdes*[]uint64{0, 17, 20, 16}[h.version] > size || h.freEnd > size {
		return h, errEnd
	}
	return h, err
}

func (h *header) aarch64() bool { return h.abi == 1 || h.abi == 2 }

// function decodes the i-th FDE.
func (h *header) function(d *data, addr, i uint64) (*Function, error) {
	f := &Function{PCType: "inc", Rows: []Row{}}
	d.end = uint64(len(d.b))
	d.at = h.fdeStart + i*[]uint64{0, 17, 20, 16}[h.version]
	field := d.at
	var start int64
	if h.version == 3 {
		start = d.int(8)
	} else {
		start = d.int(4)
	}
	f.start = addr + uint64(start)
	if h.flags&4 != 0 && h.version > 1 {
		f.start += field
	}
	f.Start = fmt.Sprintf("0x%x", f.start)
	f.Size = uint32(d.uint(4))
	rows := h.fre + d.uint(4)
	var count, info, info2, rep uint64
	switch h.version {
	case 1:
		count, info = d.uint(4), d.uint(1)
	case 2:
		count, info, rep = d.uint(4), d.uint(1), d.uint(1)
	case 3:
		d.at, d.end = rows, h.freEnd
		count, info, info2, rep = d.uint(2), d.uint(1), d.uint(1), d.uint(1)
		rows = d.at
	}
	if d.err != nil {
		return nil, d.err
	}
	if info>>4&1 == 1 {
		f.PCType = "mask"
	}
	if h.aarch64() {
		f.Key = string("ab"[info>>5&1])
	}
	if h.version > 1 {
		n := int(rep)
		f.RepSize = &n
	}
	if h.version == 3 {
		signal := info>>7 == 1
		f.Signal = &signal
		if f.Type = "default"; info2&31 == 1 {
			f.Type = "flexible"
		} else if info2&31 > 1 {
			return nil, errors.New("FDE type")
		}
	}
	return f, h.rows(d, f, rows, count, info&15)
}

// rows decodes the FREs of a function.
func (h *header) rows(d *data, f *Function, at, count, freType uint64) error {
	if count > 0 && freType > 2 {
		return errors.New("FRE type")
	}
	d.at, d.end = at, h.freEnd
	var meaning error
	for j := range count {
		r := Row{Start: uint32(d.uint(1 << freType))}
		info := d.uint(1)
		if d.err != nil {
			return fmt.Errorf("FRE %d: %w", j, d.err)
		}
		n, size := int(info>>1&15), info>>5&3
		if n > 0 && size == 3 {
			return fmt.Errorf("FRE %d: size of the data words", j)
		}
		if h.aarch64() {
			m := info>>7 == 1
			r.Mangled = &m
		}
		err := h.words(d, f, &r, n, 1<<size, info&1 == 1)
		switch {
		case errors.Is(err, ErrMeaning):
			meaning = err
		case err != nil:
			return fmt.Errorf("FRE %d: %w", j, err)
		}
		f.Rows = append(f.Rows, r)
	}
	return meaning
}

// words decodes and interprets the n data words of a row.
func (h *header) words(d *data, f *Function, r *Row, n, size int, fromSP bool) error {
	signed, unsigned := make([]int64, n), make([]uint64, n)
	for k := range n {
		signed[k] = d.int(size)
		unsigned[k] = uint64(signed[k]) & (1<<(8*size) - 1)
	}
	switch {
	case d.err != nil:
		return d.err
	case n == 0 && h.version == 1:
		return meaningless("no data words")
	case n == 0:
		return nil
	}
	r.RA.Kind, r.FP.Kind = Unchanged, Unchanged
	if h.abi == 3 || h.fixedRA != 0 {
		r.RA = slot(h.fixedRA)
	}
	if h.fixedFP != 0 {
		r.FP = slot(h.fixedFP)
	}
	if f.Type == "flexible" {
		return h.flexible(r, signed, unsigned)
	}
	return h.standard(r, signed, fromSP)
}

func (h *header) standard(r *Row, w []int64, fromSP bool) error {
	base := fp[h.abi]
	if fromSP {
		base = sp[h.abi]
	}
	r.CFA = Value{Kind: FromReg, Reg: base, Offset: h.cfaOffset(w[0])}
	saved := func(v int64) Value {
		if h.abi == 4 && h.version == 2 && v&1 == 1 {
			return Value{Kind: FromReg, Reg: v >> 1}
		}
		return slot(v)
	}
	w = w[1:]
	if h.abi != 3 && len(w) > 0 {
		if h.abi != 4 || w[0] != 0 {
			r.RA = saved(w[0])
		}
		w = w[1:]
	}
	if len(w) > 0 {
		r.FP = saved(w[0])
		w = w[1:]
	}
	if len(w) > 0 {
		return meaningless("too many data words")
	}
	return nil
}

// cfaOffset undoes the scaling of s390x.
func (h *header) cfaOffset(v int64) int64 {
	if h.abi == 4 {
		return v*8 + 160
	}
	return v
}

func (h *header) flexible(r *Row, w []int64, u []uint64) error {
	for _, entity := range []*Value{&r.CFA, &r.RA, &r.FP} {
		isCFA := entity == &r.CFA
		switch {
		case len(w) == 0 && !isCFA:
			return nil
		case len(w) > 0 && u[0] == 0 && !isCFA:
			w, u = w[1:], u[1:]
			continue
		case len(w) < 2:
			return errors.New("a control word without an offset")
		}
		control, off := u[0], w[1]
		if isCFA {
			off = h.cfaOffset(off)
		}
		*entity = Value{Kind: FromCFA, Memory: control&2 != 0, Offset: off}
		if control&1 == 1 {
			entity.Kind, entity.Reg = FromReg, int64(control>>3)
		} else if isCFA {
			return errors.New("the CFA has no base register")
		}
		w, u = w[2:], u[2:]
	}
	if len(w) > 0 {
		return meaningless("words are left over")
	}
	return nil
}

// slot is the word at an offset from the CFA.
func slot(off int64) Value { return Value{Kind: FromCFA, Memory: true, Offset: off} }

// Found is the answer to a look-up.
type Found struct {
	Function *string `json:"function"` // its start; null without a function
	Row      *Row    `json:"row"`      // null without a row
}

// Lookup finds the function and the row of a PC.
func (s *Section) Lookup(pc uint64) Found {
	f := s.Find(pc)
	if f == nil || f.PCType == "mask" && (f.RepSize == nil || *f.RepSize == 0) {
		return Found{}
	}
	return Found{&f.Start, f.At(pc)}
}

// Find returns the function of a PC, nil if there is none.
func (s *Section) Find(pc uint64) *Function {
	for i := range s.Functions {
		if f := &s.Functions[i]; f.Covers(pc) {
			return f
		}
	}
	return nil
}

// Covers reports whether a PC is in the function.
func (f *Function) Covers(pc uint64) bool { return pc >= f.start && pc-f.start < uint64(f.Size) }

// At returns the row of a PC in the function, nil if there is none ("The SFrame FDE PC Types").
func (f *Function) At(pc uint64) (row *Row) {
	off := pc - f.start
	if f.PCType == "mask" {
		if f.RepSize == nil || *f.RepSize == 0 {
			return nil
		}
		off %= uint64(*f.RepSize)
	}
	for j := range f.Rows {
		if uint64(f.Rows[j].Start) <= off {
			row = &f.Rows[j]
		}
	}
	return row
}
