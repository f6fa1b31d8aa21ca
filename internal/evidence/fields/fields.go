// Package fields divides the bytes of SFrame sections, and of ELF files and archives around them, into named fields.
// For a given place, it lists the fields of the structure there. It does not judge the values.
package fields

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/number"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Region selects the bytes to divide into fields. Span is in Section, or in the object if Section is nil. FDE and FRE
// are the indices of the FDE and FRE that contain the bytes, or -1.
type Region struct {
	Section  *reader.SFrame
	Span     model.Span
	FDE, FRE int
}

// maxPlain is the number of bytes without fields that are shown.
const maxPlain = 64

// Of returns the title and the fields of the structure in which at begins. read returns the bytes of a span of the
// object, or fewer if the object ends there. The cost does not grow with the input, except that Of visits each
// section header and the FREs of one function.
func Of(o *reader.Object, at Region, read func(model.Span) []byte) (title string, all []model.Field) {
	if sf := at.Section; sf != nil {
		read = func(sp model.Span) []byte {
			sp = sp.Clip(int64(len(sf.Data)))
			return sf.Data[sp.Off:sp.End()]
		}
		title, all = inSection(&at)
	} else {
		title, all = inFile(read, o, at.Span)
	}
	for i := range all {
		all[i].Bytes = bytes.Clone(read(all[i].Span))
	}
	return title, slices.DeleteFunc(all, func(x model.Field) bool { return len(x.Bytes) == 0 })
}

// plain is a run of bytes without fields.
func plain(sp model.Span) []model.Field {
	sp.Len = min(max(sp.Len, 1), maxPlain)
	return []model.Field{{Span: sp}}
}

// part is a field of a structure of fixed layout.
type part struct {
	name string
	size int64
}

// Structures of ELF64 and of archives, as their specifications call them.
var (
	elfHeader = []part{
		{"e_ident", 16}, {"e_type", 2}, {"e_machine", 2}, {"e_version", 4}, {"e_entry", 8}, {"e_phoff", 8}, {"e_shoff", 8},
		{"e_flags", 4}, {"e_ehsize", 2}, {"e_phentsize", 2}, {"e_phnum", 2}, {"e_shentsize", 2}, {"e_shnum", 2}, {"e_shstrndx", 2},
	}
	sectionHeader = []part{
		{"sh_name", 4}, {"sh_type", 4}, {"sh_flags", 8}, {"sh_addr", 8}, {"sh_offset", 8}, {"sh_size", 8},
		{"sh_link", 4}, {"sh_info", 4}, {"sh_addralign", 8}, {"sh_entsize", 8},
	}
	programHeader = []part{
		{"p_type", 4}, {"p_flags", 4}, {"p_offset", 8}, {"p_vaddr", 8}, {"p_paddr", 8}, {"p_filesz", 8}, {"p_memsz", 8}, {"p_align", 8},
	}
	relaEntry    = []part{{"r_offset", 8}, {"r_info", 8}, {"r_addend", 8}}
	memberHeader = []part{
		{"ar_name", 16}, {"ar_date", 12}, {"ar_uid", 6}, {"ar_gid", 6}, {"ar_mode", 8}, {"ar_size", 10}, {"ar_fmag", 2},
	}
)

const elfHeaderSize = 64

// inFile returns the structure of the object that a place begins in.
func inFile(read func(model.Span) []byte, o *reader.Object, at model.Span) (string, []model.Field) {
	start := read(model.Span{Len: elfHeaderSize})
	if bytes.HasPrefix(start, []byte("!<")) {
		return "the header of a member", textFields(read, at.Off-memberField(read, at.Off))
	}
	order := binary.ByteOrder(nil)
	switch {
	case o.ELF != nil:
		order = o.ELF.Order
	case bytes.HasPrefix(start, []byte("\x7fELF")) && len(start) == elfHeaderSize:
		order = orderOf(start)
	}
	if order == nil {
		return "the file", plain(at)
	}
	title, off, layout := "the ELF header", int64(0), elfHeader
	if at.Off >= elfHeaderSize {
		if title, off, layout = inELF(o, at.Off); title == "" {
			return "the file", plain(at)
		}
	}
	return title, fields(read, off, layout, order)
}

// inELF returns the ELF structure at an offset, its start and its layout; "" for none.
func inELF(o *reader.Object, at int64) (title string, off int64, layout []part) {
	if o.ELF == nil {
		return "", 0, nil
	}
	for i := range o.ELF.Sections {
		if s := &o.ELF.Sections[i]; s.Header.Contains(at) {
			return strings.TrimSpace(fmt.Sprintf("section header %d %s", i, escape.Cut(s.Name, escape.MaxName))), s.Header.Off, sectionHeader
		}
	}
	for i := range o.ELF.Segments {
		if p := &o.ELF.Segments[i]; p.Header.Contains(at) {
			return fmt.Sprintf("program header %d", i), p.Header.Off, programHeader
		}
	}
	for _, sf := range o.SFrames {
		i := sort.Search(len(sf.Relocs), func(i int) bool { return sf.Relocs[i].Entry.End() > at })
		if i < len(sf.Relocs) && sf.Relocs[i].Entry.Contains(at) {
			return fmt.Sprintf("relocation %d", i), sf.Relocs[i].Entry.Off, relaEntry
		}
	}
	return "", 0, nil
}

func orderOf(header []byte) binary.ByteOrder {
	if header[5] == 2 { // EI_DATA: ELFDATA2MSB
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// fields reads the fields of a structure at an offset.
func fields(read func(model.Span) []byte, off int64, layout []part, order binary.ByteOrder) []model.Field {
	var all []model.Field
	for _, p := range layout {
		x := model.Field{Span: model.Span{Off: off, Len: p.size}, Name: p.name}
		off += p.size
		if b := read(x.Span); p.size <= 8 && int64(len(b)) == p.size {
			x.Value = fmt.Sprintf("0x%x", number.Get(order, b))
		}
		all = append(all, x)
	}
	return all
}

// textFields reads the fields of the header of an archive member.
func textFields(read func(model.Span) []byte, off int64) []model.Field {
	var all []model.Field
	for _, p := range memberHeader {
		sp := model.Span{Off: off, Len: p.size}
		off += p.size
		all = append(all, model.Field{Span: sp, Name: p.name, Value: fmt.Sprintf("%q", read(sp))})
	}
	return all
}

// memberField returns how far into its member header an offset lies: the
// header ends with "`\n".
func memberField(read func(model.Span) []byte, off int64) int64 {
	const size = 60
	for back := range int64(size) {
		if tail := off - back + size - 2; tail >= 0 && string(read(model.Span{Off: tail, Len: 2})) == "`\n" {
			return back
		}
	}
	return 0
}

// inSection returns the node of the section that a finding begins in.
func inSection(f *Region) (string, []model.Field) {
	s, at := f.Section.Section, f.Span
	if s == nil || at.Off < s.HeaderSpan().End() {
		return "the header", Header(s)
	}
	if fde, ok := fdeAt(s, at.Off); ok {
		return fmt.Sprintf("FDE %d", fde.Index()), FDE(&fde, fde.Span())
	}
	if f.FDE >= 0 && f.FDE < s.NumFDEs() {
		fde := s.FDE(f.FDE)
		if fde.AttrSpan().Contains(at.Off) {
			return fmt.Sprintf("the attribute of FDE %d", f.FDE), FDE(&fde, fde.AttrSpan())
		}
		if f.FRE >= 0 && f.FRE < fde.NumFREs() {
			if r := fde.FRE(f.FRE); r.Span().Contains(at.Off) {
				return fmt.Sprintf("FRE %d of FDE %d", f.FRE, f.FDE), FRE(&r)
			}
		}
	}
	switch {
	case s.AuxSpan().Contains(at.Off):
		return "the auxiliary header", plain(at)
	case s.FRESubsection().Contains(at.Off):
		return "the FRE sub-section", plain(at)
	}
	return "bytes that no header, FDE or FRE claims", plain(at)
}

// fdeAt returns the FDE with an entry at an offset.
func fdeAt(s *model.Section, off int64) (f model.FDE, ok bool) {
	size, all := int64(model.FDESize(s.Version())), s.FDESubsection()
	if size == 0 || !all.Contains(off) || (off-all.Off)/size >= int64(s.NumFDEs()) {
		return f, false
	}
	f = s.FDE(int((off - all.Off) / size))
	return f, f.Span().Contains(off)
}

// Header returns the fields of the header of s. If s is nil, the fields have no values.
func Header(s *model.Section) (all []model.Field) {
	if s == nil {
		for f := range model.Version(0).Info().HeaderFields() {
			all = append(all, model.Field{Span: f.Span(), Name: f.String()})
		}
		return all
	}
	for f := range s.Version().Info().HeaderFields() {
		all = append(all, model.Field{Span: f.Span(), Name: f.String(), Value: headerValue(s, f)})
	}
	return all
}

// headerValue returns the meaning of a field of the header.
func headerValue(s *model.Section, f model.HeaderField) string {
	h := s.Header()
	switch n := h.Value(f); f {
	case model.HdrMagic:
		return "0xdee2, " + s.OrderName()
	case model.HdrVersion:
		if !h.Version.Known() {
			return fmt.Sprintf("%d, unknown", n)
		}
		return fmt.Sprintf("SFRAME_VERSION_%d", n)
	case model.HdrFlags:
		return flags(h)
	case model.HdrABI:
		if !s.ABI().Known() {
			return fmt.Sprintf("%d, unknown", n)
		}
		return fmt.Sprintf("%s, %s", s.ABI().Spec, s.ABI().Name)
	case model.HdrFixedFP, model.HdrFixedRA:
		if n == 0 {
			return "0, not fixed"
		}
		return fmt.Sprintf("%s at CFA%+d", [...]string{model.HdrFixedFP: "FP", model.HdrFixedRA: "RA"}[f], int64(n))
	case model.HdrAuxLen, model.HdrFRELen:
		return fmt.Sprintf("%d bytes", n)
	case model.HdrFDEOff, model.HdrFREOff:
		return fmt.Sprintf("0x%x after the header", n)
	default:
		return fmt.Sprint(n)
	}
}

// flags names the flags, the undefined ones by their bits.
func flags(h model.Header) string {
	if !h.Version.Known() {
		return fmt.Sprintf("0x%02x", uint8(h.Flags))
	}
	names := (h.Flags & model.DefinedFlags(h.Version)).Names()
	if bits := Undefined(h); bits != 0 {
		names = append(names, fmt.Sprintf("undefined 0x%02x", uint8(bits)))
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

// Undefined returns the flags that the header's version does not define. It returns 0 for an unknown version.
func Undefined(h model.Header) model.Flags {
	if !h.Version.Known() {
		return 0
	}
	return h.Flags &^ model.DefinedFlags(h.Version)
}

// FDE returns those fields of an FDE that lie in a span.
func FDE(f *model.FDE, in model.Span) (all []model.Field) {
	values := [...]string{
		model.FDEStart: fmt.Sprint(f.RawStart()), model.FDEFuncSize: fmt.Sprint(f.Size()),
		model.FDEStartFREOff: fmt.Sprint(f.StartFREOff()), model.FDENumFREs: fmt.Sprint(f.ClaimedFREs()),
		model.FDEInfo: fmt.Sprintf("0x%02x", f.Info()), model.FDEInfo2: fmt.Sprintf("0x%02x", f.Info2()),
		model.FDERepSize: fmt.Sprint(f.RepSize()), model.FDEPadding: fmt.Sprintf("0x%04x", f.Padding()),
	}
	for k, at := range f.Section().Version().Info().FDEFields() {
		if sp := f.FieldSpan(k); sp.Off >= in.Off && sp.End() <= in.End() {
			all = append(all, model.Field{Span: sp, Name: at.Name, Value: values[k]})
		}
	}
	return all
}

// FRE returns the fields of an FRE.
func FRE(r *model.FRE) []model.Field {
	all := []model.Field{
		{Span: r.StartSpan(), Name: "sfre_start_address", Value: fmt.Sprint(r.Start())},
		{Span: r.InfoSpan(), Name: "info", Value: fmt.Sprintf("0x%02x", r.Info())},
	}
	for k := range r.NumWords() {
		value := fmt.Sprint(r.Word(k))
		if r.Flex() {
			value += fmt.Sprintf(" (0x%x)", r.Control(k))
		}
		all = append(all, model.Field{Span: r.WordSpan(k), Name: fmt.Sprintf("word %d", k+1), Value: value})
	}
	return all
}
