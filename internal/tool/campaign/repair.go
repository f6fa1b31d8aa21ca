package campaign

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/generator/breaks"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// repair makes one thing of a section consistent with the rest: a field of the header, or a field of all
// FDEs or FREs that have a wrong value in it.
type repair struct {
	thing string // the field
	how   string // the old and the new value
	parts []part
	size  int64 // zero bytes are appended up to this size
	hides bool  // nothing is left of what it repairs: it counts if no other repair does
}

// part is a number in a section.
type part struct {
	sp    model.Span
	value uint64
}

// Bounds of what is repaired: files are minimal.
const (
	mostFDEs = 64
	mostFREs = 64
	mostGrow = 1 << 16
)

// repairs lists the repairs of a section in a file for an ABI, in a fixed order: what others depend on first.
func repairs(f *reader.SFrame, abi model.ABIInfo, version model.Version) []repair {
	x := &repairer{f: f, s: f.Section, abi: abi}
	if x.s == nil {
		x.unreadable(version)
		return x.all
	}
	x.header()
	x.functions()
	x.rows()
	return x.all
}

type repairer struct {
	f   *reader.SFrame
	s   *model.Section
	abi model.ABIInfo
	all []repair
}

// unreadable repairs what comes before a header that can be decoded.
func (x *repairer) unreadable(version model.Version) {
	size := int64(len(x.f.Data))
	if n := int64(version.Info().HeaderSize); size < n {
		x.all = append(x.all, repair{thing: sectionSize, how: fmt.Sprintf("the section has %d bytes, its header %d", size, n), size: n})
	}
	for field, v := range map[model.HeaderField]uint64{model.HdrMagic: model.SFRAME_MAGIC, model.HdrVersion: uint64(version)} {
		if sp := field.Span(); sp.End() <= size {
			x.all = append(x.all, repair{thing: field.String(), how: fmt.Sprintf("%s is not 0x%x", field, v), parts: []part{{sp, v}}})
		}
	}
	slices.SortFunc(x.all, func(a, b repair) int { return int(a.size - b.size) })
}

// What is repaired besides single fields: the size, and what several fields of the header say together.
const (
	sectionSize = "the size of the section"
	fdesBeyond  = "the FDEs are beyond the end of the section (sfh_num_fdes, sfh_fdeoff)"
	fresBeyond  = "the FREs are beyond the end of the section (sfh_fre_len, sfh_freoff)"
)

// set adds a repair of a field of the header, which is called like the field if thing is "".
func (x *repairer) set(field model.HeaderField, v int64, thing string) {
	h := x.s.Header()
	if was := h.Value(field); v >= 0 && uint64(v) != was && field <= x.s.Version().Info().LastField {
		x.all = append(x.all, repair{thing: cmp.Or(thing, field.String()), how: fmt.Sprintf("%s is %d (0x%x), not %d", field, was, was, v), parts: []part{{field.Span(), uint64(v)}},
			hides: v == 0 && (field == model.HdrNumFDEs || field == model.HdrFRELen)})
	}
}

// header adds the repairs of the header and of the size of the section.
func (x *repairer) header() {
	s, h, size := x.s, x.s.Header(), x.s.Size()
	info := s.Version().Info()
	x.set(model.HdrABI, int64(x.abi.ID), "")
	x.set(model.HdrFlags, int64(h.Flags&info.Flags|info.NeedFlags), "")
	if s.HeaderEnd() > size {
		x.set(model.HdrAuxLen, 0, "")
	}
	entry := int64(max(model.FDESize(s.Version()), 1))
	fdes, fres := s.HeaderEnd()+int64(h.FDEOff), s.HeaderEnd()+int64(h.FREOff)
	if end := fdes + int64(h.NumFDEs)*entry; end > size {
		x.grow(fdesBeyond, end)
		x.set(model.HdrFDEOff, 0, fdesBeyond)
		x.set(model.HdrNumFDEs, max(0, size-fdes)/entry, fdesBeyond)
	}
	if end := fres + int64(h.FRELen); end > size {
		x.grow(fresBeyond, end)
		x.set(model.HdrFREOff, int64(h.FDEOff)+int64(s.NumFDEs())*entry, fresBeyond)
		x.set(model.HdrFRELen, max(0, size-fres), fresBeyond)
	} else if fres < fdes+int64(s.NumFDEs())*entry {
		x.set(model.HdrFREOff, int64(h.FDEOff)+int64(s.NumFDEs())*entry, "")
	}
	if h.NumFREs != uint32(s.ClaimedFREs()) {
		x.set(model.HdrNumFREs, int64(s.ClaimedFREs()), "")
	}
	if used := x.usedBytes(); used > 0 && used != int64(h.FRELen) {
		x.set(model.HdrFRELen, used, "")
	}
	if fres > size {
		fres = fdes + int64(s.NumFDEs())*entry // as repaired
	}
	x.room(fres)
}

// room makes the FRE sub-section, which starts at fres, large enough for what FDEs say that they have there.
func (x *repairer) room(fres int64) {
	need, was := int64(0), int64(x.s.Header().FRELen)
	for fde := range x.s.FDEs() {
		if fde.Index() == mostFDEs {
			break
		}
		least := int64(fde.FREType().Width()+1) * int64(fde.ClaimedFREs())
		need = max(need, int64(fde.StartFREOff())+int64(x.s.Version().Info().AttrSize)+least)
	}
	if need > was && need <= mostGrow {
		x.all = append(x.all, repair{thing: model.HdrFRELen.String(), how: fmt.Sprintf("sfh_fre_len is %d, the FDEs need %d bytes", was, need),
			parts: []part{{model.HdrFRELen.Span(), uint64(need)}}, size: fres + need})
	}
}

// grow adds bytes to the section.
func (x *repairer) grow(thing string, end int64) {
	if size := x.s.Size(); end-size <= mostGrow {
		x.all = append(x.all, repair{thing: thing, how: fmt.Sprintf("the section has %d bytes, its header needs %d", size, end), size: end})
	}
}

// usedBytes returns the bytes of the FRE sub-section that functions use.
func (x *repairer) usedBytes() (end int64) {
	for fde := range x.s.FDEs() {
		end = max(end, fde.DataSpan().End()-x.s.FRESubsection().Off)
		if fde.Index() == mostFDEs {
			break
		}
	}
	return end
}

// fields adds a repair of a field of FDEs: want returns the value that it should have.
func (x *repairer) fields(field model.FDEField, want func(model.FDE) (uint64, bool)) {
	r := repair{thing: model.FieldName(model.SFRAME_VERSION_3, field)}
	for fde := range x.s.FDEs() {
		if fde.Index() == mostFDEs {
			break
		}
		if v, ok := want(fde); ok {
			r.hides = r.hides || field == model.FDENumFREs && v == 0
			r.add(x.s, fde.FieldSpan(field), v, fmt.Sprintf("%s of FDE %d", model.FieldName(x.s.Version(), field), fde.Index()))
		}
	}
	if len(r.parts) > 0 {
		x.all = append(x.all, r)
	}
}

// add adds a number that is to be changed, unless it is outside of the section or has the value.
func (r *repair) add(s *model.Section, sp model.Span, v uint64, name string) {
	if sp.Len == 0 || sp.Off < 0 || sp.End() > s.Size() {
		return
	}
	was := number.Get(s.ByteOrder(), s.Bytes(sp))
	if v &= 1<<(8*uint(sp.Len)-1)<<1 - 1; was == v {
		return
	}
	if r.parts = append(r.parts, part{sp, v}); len(r.parts) == 1 {
		r.how = fmt.Sprintf("%s is %d (0x%x), not %d", name, was, was, v)
	}
}

// functions adds the repairs of the FDEs.
func (x *repairer) functions() {
	info := x.s.Version().Info()
	cut := func(f model.FDE) bool {
		return int64(f.NumFREs()) < int64(f.ClaimedFREs()) || info.AttrSize > 0 && !f.HasAttr()
	}
	x.fields(model.FDEFuncSize, func(f model.FDE) (uint64, bool) {
		last := lastStart(f)
		return last + 1, !f.Mask() && (last >= uint64(f.Size()) && f.NumFREs() > 0 || f.Size() == 0)
	})
	x.fields(model.FDERepSize, func(f model.FDE) (uint64, bool) {
		last := lastStart(f)
		return last + 1, f.Mask() && last >= uint64(f.RepSize())
	})
	x.fields(model.FDEInfo, func(f model.FDE) (uint64, bool) {
		want := f.Info() &^ info.Reserved
		if f.FREType() > model.SFRAME_FRE_TYPE_ADDR4 {
			want &^= model.InfoFRETypeMask
		}
		return uint64(want), true
	})
	x.fields(model.FDEInfo2, func(f model.FDE) (uint64, bool) { return 0, info.Flex && f.Info2() != 0 })
	x.fields(model.FDEStartFREOff, func(f model.FDE) (uint64, bool) { return 0, cut(f) })
	x.fields(model.FDENumFREs, func(f model.FDE) (uint64, bool) { return uint64(f.NumFREs()), cut(f) })
	x.fields(model.FDEPadding, func(f model.FDE) (uint64, bool) { return 0, f.Padding() != 0 })
}

// lastStart returns the highest start of a function's FREs.
func lastStart(f model.FDE) (last uint64) {
	for r := range f.FREs() {
		if last = max(last, uint64(r.Start())); r.Index() == mostFREs {
			break
		}
	}
	return last
}

// rows adds the repairs of the FREs.
func (x *repairer) rows() {
	starts, infos, words := repair{thing: "fre_start_address"}, repair{thing: "fre_info"}, repair{thing: "the data words of an FRE"}
	for fde := range x.s.FDEs() {
		if fde.Index() == mostFDEs {
			break
		}
		next := uint64(0)
		for r := range fde.FREs() {
			if r.Index() == mostFREs {
				break
			}
			name := fmt.Sprintf("of FRE %d of FDE %d", r.Index(), fde.Index())
			if uint64(r.Start()) < next || r.Index() == 0 {
				starts.add(x.s, r.StartSpan(), next, "fre_start_address "+name)
			}
			next = max(next, uint64(r.Start())) + 1
			infos.add(x.s, r.InfoSpan(), uint64(plainInfo(r.Info())), "fre_info "+name)
			for k := range r.NumWords() {
				v := uint64(0)
				if fde.Type() != model.SFRAME_FDE_TYPE_DEFAULT && k == 0 {
					v = uint64(x.abi.SP)<<3 | model.FlexRegP
				}
				words.add(x.s, r.WordSpan(k), v, fmt.Sprintf("data word %d %s", k, name))
			}
		}
	}
	x.undecoded(&infos)
	for _, r := range []repair{starts, infos, words} {
		if len(r.parts) > 0 {
			x.all = append(x.all, r)
		}
	}
}

// undecoded repairs the info byte of the first FRE of each function that can't be decoded, so that it has a word of a byte.
func (x *repairer) undecoded(infos *repair) {
	for fde := range x.s.FDEs() {
		if fde.Index() == mostFDEs {
			break
		}
		if int64(fde.NumFREs()) >= int64(fde.ClaimedFREs()) || fde.NumFREs() >= mostFREs || fde.FREType().Width() == 0 {
			continue
		}
		at := x.s.FRESubsection().Off + int64(fde.StartFREOff()) + int64(x.s.Version().Info().AttrSize)
		for r := range fde.FREs() {
			at = r.Span().End()
		}
		infos.add(x.s, model.Span{Off: at + int64(fde.FREType().Width()), Len: 1}, uint64(plainInfo(0)), fmt.Sprintf("fre_info of FRE %d of FDE %d", fde.NumFREs(), fde.Index()))
	}
}

// plainInfo returns an FRE's info byte with a size of data words that exists, and with a number of them that
// every ABI has.
func plainInfo(info uint8) uint8 {
	if info>>model.FREInfoSizeShift&3 == 3 {
		info &^= 3 << model.FREInfoSizeShift
	}
	if n := info >> model.FREInfoCountShift & model.MaxWords; n == 0 || n > 3 {
		info = info&^(model.MaxWords<<model.FREInfoCountShift) | 1<<model.FREInfoCountShift
	}
	return info
}

// repair returns a file in which repairs are made. Its section is in the smallest file if it grows.
func (in *Input) repair(o *reader.Object, kind breaks.Container, all ...repair) []byte {
	f := o.SFrames[0]
	section := slices.Clone(f.Data)
	order := number.Order(f.Section != nil && f.Section.BigEndian() || f.Section == nil && in.ABI.Big)
	was := len(section)
	for _, r := range all { // a later one may be of bytes that an earlier one adds
		if n := int(r.size) - len(section); n > 0 {
			section = append(section, make([]byte, n)...)
		}
	}
	for _, r := range all {
		for _, p := range r.parts {
			if p.sp.End() <= int64(len(section)) {
				number.Put(order, section[p.sp.Off:p.sp.End()], p.value)
			}
		}
	}
	another := len(section) > was
	switch {
	case o.ELF == nil:
		return section
	case another:
		return wrap(in.ABI, kind, section, in.Addr)
	}
	file := slices.Clone(in.Data)
	copy(file[f.Offset:], section)
	return file
}
