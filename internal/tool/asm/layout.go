package asm

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
)

// funcLayout is where the parts of a function are.
type funcLayout struct {
	data  int64   // offset of its data in the section
	fde   int64   // offset of the FDE in the section
	rows  []int64 // offsets of the FREs in the section
	width int     // of their starts
	typ   model.FDEType
	count int64 // FREs
}

// layout puts a unit into bytes.
type layout struct {
	*unit
	limit   int64
	info    model.VersionInfo
	head    model.Header
	out     []byte
	end     int64 // offset just past what was written
	fdes    int64 // offset of the sub-section
	fres    int64
	freLen  int64
	numFREs int64
}

// section returns the bytes of the section.
func (u *unit) section(limit int64) *layout {
	u.funcs = slices.DeleteFunc(u.funcs, func(f *function) bool { return u.byName[f.name] != f })
	l := &layout{unit: u, limit: limit, info: u.version.Info(), head: u.defaults()}
	headerEnd := int64(l.info.HeaderSize + len(u.aux))
	l.fdes = headerEnd
	if u.fdesAt >= 0 {
		l.fdes = u.fdesAt
	}
	l.fres = l.fdes + int64(len(u.funcs)*l.info.FDESize)
	if u.fresAt >= 0 {
		l.fres = u.fresAt
	}
	if len(u.funcs) > 0 && l.info.FDESize == 0 {
		fail(u.funcs[0].at, "version %d has no known FDEs", u.version)
	}
	at := int64(0)
	for i, f := range u.funcs {
		f.index = i
		f.place = funcLayout{fde: l.fdes + int64(i*l.info.FDESize)}
		at = l.data(f, at)
	}
	for _, f := range u.funcs {
		l.fde(f)
	}
	l.header(headerEnd)
	for i := range u.writes {
		l.change(&u.writes[i])
	}
	size := l.end
	if u.size >= 0 {
		size = u.size
	}
	if size > l.limit {
		fail(pos{"section", 1, 1}, "it has more than %d bytes", l.limit)
	}
	l.extend(size)
	l.out = l.out[:size]
	return l
}

// extend makes the section at least so long.
func (l *layout) extend(size int64) {
	l.out = append(l.out, make([]byte, max(size-int64(len(l.out)), 0))...)
}

// defaults returns the header with those fields that data words depend on.
func (u *unit) defaults() model.Header {
	abi := model.LookupABI(u.abi)
	h := model.Header{Version: u.version, ABI: u.abi, FixedFPOffset: abi.FixedFP, FixedRAOffset: abi.FixedRA, Flags: u.version.Info().NeedFlags}
	for _, f := range [...]model.HeaderField{model.HdrFlags, model.HdrFixedFP, model.HdrFixedRA} {
		if v, ok := u.header[f]; ok {
			h.Set(f, uint64(v))
		}
	}
	return h
}

// put writes bytes at an offset.
func (l *layout) put(off int64, b []byte, at pos) {
	end := off + int64(len(b))
	if end > l.limit || off < 0 {
		fail(at, "its bytes end at 0x%x, beyond the limit of %d bytes", uint64(end), l.limit)
	}
	l.extend(end)
	copy(l.out[off:], b)
	l.end = max(l.end, end)
}

// putInt writes a number of some bytes at an offset.
func (l *layout) putInt(off int64, width int, v int64, at pos) {
	var b [8]byte
	number.Put(l.order(), b[:width], uint64(v))
	l.put(off, b[:width], at)
}

func (u *unit) order() binary.ByteOrder { return number.Order(u.big) }

// header writes the header and the auxiliary one.
func (l *layout) header(end int64) {
	h := l.head
	h.AuxLen = uint8(len(l.aux))
	h.NumFDEs, h.NumFREs, h.FRELen = uint32(len(l.funcs)), uint32(l.numFREs), uint32(l.freLen)
	h.FDEOff, h.FREOff = uint32(l.fdes-end), uint32(l.fres-end)
	if _, given := l.unit.header[model.HdrFlags]; !given && !l.relocatable && l.ascend() {
		h.Flags |= model.SFRAME_F_FDE_SORTED
	}
	for f := range l.info.HeaderFields() {
		v := int64(h.Value(f))
		if given, ok := l.unit.header[f]; ok {
			v = given
		}
		l.putInt(f.Span().Off, int(f.Span().Len), v, pos{})
	}
	l.put(int64(l.info.HeaderSize), l.aux, pos{})
}

func (u *unit) ascend() bool {
	return slices.IsSortedFunc(u.funcs, func(a, b *function) int { return cmp.Compare(uint64(a.start), uint64(b.start)) })
}

// fde writes the fields of a function.
func (l *layout) fde(f *function) {
	if f.fres != "" {
		other := l.byName[f.fres]
		if other == nil {
			fail(f.at, "there is no function %q", f.fres)
		}
		f.place.data, f.place.count = other.place.data, other.place.count
		if f.width == 0 {
			f.place.width = other.place.width
		}
		l.numFREs += f.place.count
	}
	values := [...]int64{
		model.FDEStart: l.startField(f), model.FDEFuncSize: f.size, model.FDEStartFREOff: f.place.data - l.fres, model.FDENumFREs: f.place.count,
		model.FDEInfo: int64(f.infoByte()), model.FDEInfo2: int64(f.place.typ), model.FDERepSize: f.rep, model.FDEPadding: 0,
	}
	for i, v := range values {
		field := model.FDEField(i)
		at := l.info.Field(field)
		given, set := f.fields[field]
		if set {
			v = given
		}
		switch {
		case at.Len == 0 && (set || v != 0 && field != model.FDERepSize):
			fail(f.at, "%v has no field %s", l.version, fieldNames[field])
		case at.Len == 0, at.Attr && !f.own():
			continue
		}
		fits(v, at.Len, f.at, at.Name)
		base := f.place.fde
		if at.Attr {
			base = f.place.data
		}
		l.putInt(base+at.Off, int(at.Len), v, f.at)
	}
}

// own reports whether the function has data of its own.
func (f *function) own() bool { return f.fres == "" && f.fresAt < 0 }

// startField returns the value of the start field.
func (l *layout) startField(f *function) int64 {
	if l.relocatable {
		return 0
	}
	v := f.start - l.addr
	if l.head.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0 {
		v -= f.place.fde + l.info.Field(model.FDEStart).Off
	}
	return v
}

func (f *function) infoByte() uint8 {
	b := map[int]uint8{0: 0, 1: 0, 2: 1, 4: 2}[f.place.width]
	if f.mask {
		b |= model.InfoPCTypeBit
	}
	if f.keyB {
		b |= model.InfoPauthKeyBit
	}
	if f.signal {
		b |= model.InfoSignalBit
	}
	return b
}

// change writes bytes or sets a field.
func (l *layout) change(w *write) {
	if w.path == "" {
		l.put(w.off, w.bytes, w.at)
		return
	}
	sp, ok := l.span(w.path)
	if !ok {
		fail(w.at, "there is no field %q", w.path)
	}
	fits(w.value, sp.Len, w.at, w.path)
	l.putInt(sp.Off, int(sp.Len), w.value, w.at)
}

// span returns the bytes of a field by its name: that of the header's field, FUNCTION.FIELD,
// FUNCTION.ROW.start, FUNCTION.ROW.info or FUNCTION.ROW.wordN.
func (l *layout) span(name string) (model.Span, bool) {
	for f := range l.info.HeaderFields() {
		if HeaderName(f)[1:] == name {
			return f.Span(), true
		}
	}
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return model.Span{}, false
	}
	if f := l.byName[name[:i]]; f != nil {
		field, ok := fieldOf(name[i+1:])
		at := l.info.Field(field)
		base := f.place.fde
		if at.Attr {
			base = f.place.data
		}
		return model.Span{Off: base + at.Off, Len: at.Len}, ok && at.Len > 0
	}
	j := strings.LastIndexByte(name[:i], '.')
	if j < 0 {
		return model.Span{}, false
	}
	f := l.byName[name[:j]]
	row, ok := parseNumber(name[j+1 : i])
	if f == nil || !ok || row < 0 || row >= int64(len(f.place.rows)) {
		return model.Span{}, false
	}
	return l.rowSpan(f, f.place.rows[row], name[i+1:])
}

// rowSpan returns the bytes of a part of the FRE at an offset.
func (l *layout) rowSpan(f *function, off int64, part string) (model.Span, bool) {
	w := int64(f.place.width)
	if off+w >= int64(len(l.out)) {
		return model.Span{}, false
	}
	info := l.out[off+w]
	size := int64(model.WordSize(info >> model.FREInfoSizeShift & 3).Width())
	switch part {
	case "start":
		return model.Span{Off: off, Len: w}, true
	case "info":
		return model.Span{Off: off + w, Len: 1}, true
	}
	k, found := strings.CutPrefix(part, "word")
	n, ok := parseNumber(k)
	if !found || !ok || n < 0 || n >= int64(info>>model.FREInfoCountShift&model.MaxWords) {
		return model.Span{}, false
	}
	return model.Span{Off: off + w + 1 + n*size, Len: size}, size > 0
}
