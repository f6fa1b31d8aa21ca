package generator

import (
	"fmt"
	"math"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// Encode writes a section with the plan's layout or, without one, with no gaps and the narrowest FRE types and words,
// varied by Plan.Style. It does not check validity. Errors: a value does not fit, a rule cannot be expressed, the
// layout is wrong.
func Encode(p *Plan) ([]byte, error) {
	f, err := WrapNone(p)
	if err != nil {
		return nil, err
	}
	return f.Bytes, nil
}

// WrapNone is [Encode] and returns a file with only the section.
func WrapNone(p *Plan) (*File, error) {
	l := p.Layout
	if l == nil {
		var err error
		if l, err = Arrange(p); err != nil {
			return nil, err
		}
	}
	e := &encoder{p: p, l: l, out: output{big: p.BigEndian}}
	if err := e.check(); err != nil {
		return nil, err
	}
	e.out.buf = make([]byte, l.Size)
	if p.Layout != nil {
		e.out.taken = make([]byte, l.Size)
	}
	for _, x := range l.Fill {
		e.out.at(x.Off)
		e.out.bytes(x.Bytes)
	}
	e.header()
	for i := range p.Funcs {
		if err := e.function(i); err != nil {
			return nil, fmt.Errorf("FDE %d: %w", i, err)
		}
	}
	return &File{Bytes: e.out.buf, Plan: p, Layout: l}, e.out.err
}

// format is how a version writes a function. It is taken from the manual, not from the table
// of the model: a mistake there must not hide in what the generator writes.
type format struct {
	start   int  // bytes of the start field
	count   int  // bytes of the number of FREs
	attr    bool // an attribute before the FREs has number, info, info2 and rep_size
	repSize bool
	padding bool // 2 bytes at the end of the FDE
}

var formats = [...]format{
	model.SFRAME_VERSION_1: {start: 4, count: 4},
	model.SFRAME_VERSION_2: {start: 4, count: 4, repSize: true, padding: true},
	model.SFRAME_VERSION_3: {start: 8, count: 2, repSize: true, attr: true},
}

type encoder struct {
	p   *Plan
	l   *Layout
	out output
}

// check checks that the plan fits the header and the layout fits the plan.
func (e *encoder) check() error {
	p, l := e.p, e.l
	switch {
	case model.FDESize(p.Version) == 0:
		return fmt.Errorf("version %d has no known layout", p.Version)
	case len(p.Aux) > math.MaxUint8:
		return fmt.Errorf("an auxiliary header of %d bytes; sfh_auxhdr_len has 1 byte", len(p.Aux))
	case int64(len(p.Funcs)) > math.MaxUint32:
		return fmt.Errorf("%d FDEs; sfh_num_fdes has 4 bytes", len(p.Funcs))
	case len(l.Funcs) != len(p.Funcs):
		return fmt.Errorf("a layout of %d FDEs for a plan of %d", len(l.Funcs), len(p.Funcs))
	case l.Size < int64(p.Version.Info().HeaderSize) || l.Size > maxSize:
		return fmt.Errorf("a layout of %d bytes", l.Size)
	}
	for i := range p.Funcs {
		if n, m := len(l.Funcs[i].Words), len(p.Funcs[i].Rows); n != m {
			return fmt.Errorf("FDE %d: a layout of %d rows for a plan of %d", i, n, m)
		}
	}
	return nil
}

func (e *encoder) header() {
	p, l, o := e.p, e.l, &e.out
	o.at(0)
	o.bytes(elf64.Encode(number.Order(o.big), uint16(model.SFRAME_MAGIC), p.Version, p.Flags, p.ABI, p.FixedFP, p.FixedRA, uint8(len(p.Aux)),
		uint32(len(p.Funcs)), l.NumFREs, l.FRELen, l.FDEOff, l.FREOff))
	o.bytes(p.Aux)
}

// entryOff and dataOff return the offsets of an FDE and of a function's rows.
func (e *encoder) entryOff(i int) int64 {
	return e.headerEnd() + int64(e.l.FDEOff) + int64(i)*int64(model.FDESize(e.p.Version))
}

func (e *encoder) dataOff(i int) int64 {
	return e.headerEnd() + int64(e.l.FREOff) + int64(e.l.Funcs[i].StartFREOff)
}

func (e *encoder) headerEnd() int64 { return int64(e.p.Version.Info().HeaderSize + len(e.p.Aux)) }

func (e *encoder) function(i int) error {
	f, l := &e.p.Funcs[i], &e.l.Funcs[i]
	raw := l.RawStart
	if !e.p.Relocatable {
		raw = e.p.rawStart(f, e.entryOff(i))
	}
	if err := e.checkFunc(f, l, raw); err != nil {
		return err
	}
	x := formats[e.p.Version]
	e.out.at(e.entryOff(i))
	e.out.uint(uint64(raw), x.start)
	e.out.u32(f.Size)
	e.out.u32(l.StartFREOff)
	if !x.attr {
		e.description(x, f, l)
	}
	e.out.shared = true
	defer func() { e.out.shared = false }()
	e.out.at(e.dataOff(i))
	if x.attr {
		e.description(x, f, l)
	}
	return e.rows(f, l)
}

// description writes the fields that are either at the end of the FDE or in the attribute.
func (e *encoder) description(x format, f *Func, l *FuncLayout) {
	e.out.uint(uint64(len(f.Rows)), x.count)
	e.out.u8(info(f, l))
	if x.attr {
		e.out.u8(uint8(f.FDEType) | l.Reserved2)
	}
	if x.repSize {
		e.out.u8(f.RepSize)
	}
	if x.padding {
		e.out.uint(uint64(l.Padding), 2)
	}
}

// rawStart returns the value of the start field: the start relative to the
// section or, with the PCREL flag, to the field ("SFrame Flags").
func (p *Plan) rawStart(f *Func, field int64) int64 {
	raw := f.Start - p.Addr
	if p.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0 {
		raw -= uint64(field)
	}
	return int64(raw)
}

// checkFunc checks that the function's values fit the version's fields.
func (e *encoder) checkFunc(f *Func, l *FuncLayout, raw int64) error {
	x := formats[e.p.Version]
	switch {
	case x.start == 4 && raw != int64(int32(raw)):
		return fmt.Errorf("the start is %d bytes away; the field has 4 bytes", raw)
	case int64(len(f.Rows)) >= 1<<(8*x.count):
		return fmt.Errorf("%d rows; %s has %d bytes", len(f.Rows), model.FieldName(e.p.Version, model.FDENumFREs), x.count)
	case !x.attr && f.Signal:
		return fmt.Errorf("%v has no signal frames", e.p.Version)
	case !x.attr && f.FDEType != model.SFRAME_FDE_TYPE_DEFAULT:
		return fmt.Errorf("%v has no FDE types", e.p.Version)
	case uint8(f.FDEType) > model.Info2FDETypeMask:
		return fmt.Errorf("FDE type %d does not fit 5 bits", f.FDEType)
	case f.PCType > model.SFRAME_FDE_PCTYPE_MASK:
		return fmt.Errorf("PC type %d does not fit a bit", f.PCType)
	case f.PauthKey > model.SFRAME_AARCH64_PAUTH_KEY_B:
		return fmt.Errorf("key %d does not fit a bit", f.PauthKey)
	case !x.repSize && f.RepSize != 0:
		return fmt.Errorf("%v has no rep_size", e.p.Version)
	case uint8(l.FREType) > model.InfoFRETypeMask || l.FREType.Width() == 0 && len(f.Rows) > 0:
		return fmt.Errorf("rows of FRE type %d have no known width", l.FREType)
	}
	return nil
}

// info returns the info byte.
func info(f *Func, l *FuncLayout) uint8 {
	b := uint8(l.FREType) | l.Reserved
	if f.PCType == model.SFRAME_FDE_PCTYPE_MASK {
		b |= model.InfoPCTypeBit
	}
	if f.PauthKey == model.SFRAME_AARCH64_PAUTH_KEY_B {
		b |= model.InfoPauthKeyBit
	}
	if f.Signal {
		b |= model.InfoSignalBit
	}
	return b
}

func (e *encoder) rows(f *Func, l *FuncLayout) error {
	var seen lastWords
	for j := range f.Rows {
		r := &f.Rows[j]
		k, err := seen.of(e.p, f.FDEType, r)
		words := &seen.words[k]
		switch {
		case err != nil:
		case r.Start > l.FREType.MaxStart():
			err = fmt.Errorf("start 0x%x does not fit %v", r.Start, l.FREType)
		case !words.Fit(l.Words[j]):
			err = fmt.Errorf("data words %d do not fit word size %d", words.Word[:words.N], l.Words[j])
		}
		if err != nil {
			return fmt.Errorf("FRE %d: %w", j, err)
		}
		e.out.uint(uint64(r.Start), l.FREType.Width())
		e.out.u8(freInfo(words.N, l.Words[j], words.Base, r.Mangled))
		for _, w := range words.Word[:words.N] {
			e.out.uint(uint64(w), l.Words[j].Width())
		}
	}
	return e.out.err
}

func freInfo(n int, size model.WordSize, base model.BaseReg, mangled bool) uint8 {
	b := uint8(base) | uint8(n)<<model.FREInfoCountShift | uint8(size)<<model.FREInfoSizeShift
	if mangled {
		b |= model.FREInfoMangledBit
	}
	return b
}
