package dump

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// fde writes an FDE and its FREs.
func (d *fullDumper) fde(f *model.FDE) {
	d.str("\nFDE [")
	d.dec(int64(f.Index()))
	d.str("]")
	if name, off, ok := d.function(f); ok {
		d.str(" ")
		d.name(name)
		if off != 0 {
			d.str("+")
			d.hex(off)
		}
	}
	d.str("\n")
	d.entry(f)
	d.start(f)
	d.info(f)
	d.reserved(f)
	d.faultLines("  ", d.faultsOf(f.Index(), -1))
	d.rows(f)
}

// entry writes the bytes of the entry, field by field, and of the attribute.
func (d *fullDumper) entry(f *model.FDE) {
	d.fields("  entry       ", f.Span().Off, d.own)
	if a := f.AttrSpan(); a.Len > 0 {
		d.fields("  attribute   ", a.Off, d.rest)
	}
}

// layOut finds the fields of the version.
func (d *fullDumper) layOut() {
	if d.sec == nil {
		return
	}
	v := d.sec.Version().Info()
	for _, at := range v.FDEFields() {
		if at.Attr {
			d.rest = append(d.rest, at)
		} else {
			d.own = append(d.own, at)
		}
	}
	d.freOff, d.reservedBits = v.Field(model.FDEStartFREOff).Name, v.Reserved
}

// fields writes fields that follow one another from off on.
func (d *fullDumper) fields(label string, off int64, fields []model.FieldLayout) {
	d.str(label)
	b := appendHex(d.buf, 4, uint64(off))
	sep := "  "
	for i := range fields {
		sp := model.Span{Off: off + fields[i].Off, Len: fields[i].Len}.Clip(int64(len(d.s.Data)))
		b = appendBytes(append(b, sep...), d.s.Data[sp.Off:sp.End()])
		sep = " | "
	}
	d.buf = append(b, '\n')
}

// name writes the name of a function.
func (d *fullDumper) name(name []byte) {
	for _, c := range name {
		if c < ' ' || c >= 0x7f || c == '\\' || len(name) > escape.MaxName {
			d.str(cleanName(cleanText(string(name))))
			return
		}
	}
	d.buf = append(d.buf, name...)
}

// start writes the function's start and how it was found.
func (d *fullDumper) start(f *model.FDE) {
	switch {
	case d.relocatable():
		for _, r := range d.relocsIn(f.FieldSpan(model.FDEStart)) {
			d.line("relocation", "%s", d.relocText(r))
			if !d.spill() { // a field may have very many
				return
			}
		}
		if !f.Resolved() {
			d.line("start", "unknown (field %d)", f.RawStart())
			d.note("  ", "no relocation gives the start of the function")
			break
		}
		_, name, _ := d.section(f)
		d.line("start", "0x%x in [%d] %s (field %d)", f.Start(), f.Place(), cleanName(name), f.RawStart())
	case !f.Resolved():
		d.line("start", "unknown (field %d)", f.RawStart())
	default:
		d.str("  start       ")
		d.hex(f.Start())
		d.str(" (field ")
		d.dec(f.RawStart())
		if d.sec.Header().Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0 {
			d.str(", from the field)")
		} else {
			d.str(", from the section)")
		}
		d.inSection(f)
		d.str("\n")
	}
	d.str("  range       ")
	if f.Resolved() {
		d.pcs(f.Start(), f.End())
		d.str(", ")
	}
	d.byteCount(f.Size())
	d.str(stubs(f))
	d.str("\n")
}

// pcs writes a range of addresses.
func (d *fullDumper) pcs(from, to uint64) {
	d.str("[")
	d.hex(from)
	d.str(",")
	d.hex(to)
	d.str(")")
}

func (d *fullDumper) byteCount(n uint32) {
	d.dec(int64(n))
	if n == 1 {
		d.str(" byte")
	} else {
		d.str(" bytes")
	}
}

// inSection writes the section that an FDE's start lies in.
func (d *fullDumper) inSection(f *model.FDE) {
	i, name, ok := d.section(f)
	switch {
	case ok && i != d.placeOf: // section 0 has no code
		d.placeOf, d.place = i, fmt.Sprintf(", in [%d] %s", i, cleanName(name))
		fallthrough
	case ok:
		d.str(d.place)
	case d.o.ELF != nil && len(d.o.ELF.Sections) > 0:
		d.str(", in no section")
	}
}

// stubs describes how the stub of a MASK FDE divides the function.
func stubs(f *model.FDE) string {
	if !f.Mask() || f.RepSize() == 0 {
		return ""
	}
	n, rep := f.Size(), uint32(f.RepSize())
	text := fmt.Sprintf(": %d stubs of %s", n/rep, byteCount(rep))
	if n/rep == 1 {
		text = ": a stub of " + byteCount(rep)
	}
	if n%rep != 0 {
		text += ", and " + byteCount(n%rep)
	}
	return text
}

// relocText names a relocation of a start field.
func (d *fullDumper) relocText(r reader.Reloc) string {
	name := d.relocName(r.Type)
	if name == "" {
		name = fmt.Sprintf("type %d", r.Type)
	}
	sym := cleanName(d.symbol(r))
	if sym == "" {
		sym = fmt.Sprintf("symbol %d", r.Symbol)
	}
	sign, addend := '+', uint64(r.Addend)
	if r.Addend < 0 {
		sign, addend = '-', -addend
	}
	return fmt.Sprintf("0x%04x  %s %s %c 0x%x", r.Offset, name, sym, sign, addend)
}

// info writes the meaning of the info bytes and the place of the FREs.
func (d *fullDumper) info(f *model.FDE) {
	if !f.HasAttr() {
		d.line("FREs", "unknown (%s 0x%x)", d.freOff, f.StartFREOff())
		return
	}
	k := d.kindOf(f)
	d.str("  FREs        ")
	d.dec(int64(f.ClaimedFREs()))
	d.str(k.freType)
	d.hex(uint64(d.sec.FRESubsection().Off + int64(f.StartFREOff()) + f.AttrSpan().Len))
	d.str(" (")
	d.str(d.freOff)
	d.str(" ")
	d.hex(uint64(f.StartFREOff()))
	d.str(k.info)
}

// fdeText is the text that depends on info, info2 and rep_size of an FDE.
type fdeText struct {
	of            [3]uint8
	freType, info string

	// The heading of the FREs, which also depends on these two.
	title   string
	width   int
	heading []byte
}

// kindOf returns the text of an FDE. A section has few of them.
func (d *fullDumper) kindOf(f *model.FDE) *fdeText {
	k := &d.kinds[int(f.Info())%len(d.kinds)]
	if of := [3]uint8{f.Info(), f.Info2(), f.RepSize()}; of != k.of || k.info == "" {
		*k = fdeText{of: of, freType: fmt.Sprintf(", %v, at ", f.FREType()), info: infoText(f)}
	}
	return k
}

// infoText returns the line with the meaning of the info bytes and rep_size, after the end
// of the previous one.
func infoText(f *model.FDE) string {
	v := f.Section().Version()
	text := fmt.Sprintf(")\n  info        PC type %v", f.PCType())
	if f.Section().ABI().Pauth || f.PauthKey() != model.SFRAME_AARCH64_PAUTH_KEY_A {
		key := "A"
		if f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B {
			key = "B"
		}
		text += ", pauth key " + key
	}
	if v.Info().Flex {
		text += ", FDE type " + strings.TrimPrefix(f.Type().String(), "FDE type ")
	}
	if f.Signal() {
		text += ", signal frame"
	}
	if v.Info().Stubs {
		text += fmt.Sprintf(", %s %d", model.FieldName(v, model.FDERepSize), f.RepSize())
	}
	return text + "\n"
}

// reserved notes the set bits that the version reserves.
func (d *fullDumper) reserved(f *model.FDE) {
	v := f.Section().Version()
	if bits := f.Info() & d.reservedBits; bits != 0 {
		d.note("  ", "reserved bits 0x%02x of %s are set", bits, model.FieldName(v, model.FDEInfo))
	}
	if bits := f.Info2() & model.Info2Reserved; bits != 0 {
		d.note("  ", "reserved bits 0x%02x of %s are set", bits, model.FieldName(v, model.FDEInfo2))
	}
	if f.Padding() != 0 {
		d.note("  ", "%s is 0x%04x", model.FieldName(v, model.FDEPadding), f.Padding())
	}
}

// strayRelocs lists the relocations that apply to bytes other than a start
// field.
func (d *fullDumper) strayRelocs() {
	first := true
	for _, r := range d.relocs {
		if d.onStart(r) {
			continue
		}
		if first {
			d.str("\nRelocations not at start fields\n")
			first = false
		}
		d.note("  ", "%s", d.relocText(r))
		if !d.spill() {
			return
		}
	}
}
