package dump

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// fde writes an FDE and its FREs.
func (d *fullDumper) fde(f model.FDE) {
	d.printf("\nFDE [%d]", f.Index())
	if name, off, ok := d.function(f); ok {
		d.str(" ")
		d.str(clean(name))
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
func (d *fullDumper) entry(f model.FDE) {
	own := []model.FDEField{model.FDEStart, model.FDEFuncSize, model.FDEStartFREOff}
	rest := []model.FDEField{model.FDENumFREs, model.FDEInfo, model.FDEInfo2, model.FDERepSize, model.FDEPadding}
	if f.Section().Version().Info().AttrSize == 0 {
		d.fields("entry", f, f.Span().Off, append(own, rest...))
		return
	}
	d.fields("entry", f, f.Span().Off, own)
	if a := f.AttrSpan(); a.Len > 0 {
		d.fields("attribute", f, a.Off, rest)
	}
}

// fields writes fields that follow one another from off on.
func (d *fullDumper) fields(label string, f model.FDE, off int64, fields []model.FDEField) {
	d.str("  ")
	from := len(d.buf)
	d.str(label)
	d.pad(from, labelWidth)
	d.offset(off)
	sep := "  "
	for _, field := range fields {
		if sp := f.FieldSpan(field); sp.Len > 0 {
			d.str(sep)
			d.bytes(sp)
			sep = " | "
		}
	}
	d.str("\n")
}

// start writes the function's start and how it was found.
func (d *fullDumper) start(f model.FDE) {
	field := f.FieldSpan(model.FDEStart)
	switch {
	case d.relocatable():
		for _, r := range d.relocsIn(field) {
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
		d.line("start", "0x%x in [%d] %s (field %d)", f.Start(), f.Place(), clean(name), f.RawStart())
	case !f.Resolved():
		d.line("start", "unknown (field %d)", f.RawStart())
	case f.Section().Header().Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0:
		d.line("start", "0x%x (field %d, from the field)%s", f.Start(), f.RawStart(), d.inSection(f))
	default:
		d.line("start", "0x%x (field %d, from the section)%s", f.Start(), f.RawStart(), d.inSection(f))
	}
	if f.Resolved() {
		d.line("range", "[0x%x,0x%x), %s%s", f.Start(), f.End(), byteCount(f.Size()), stubs(f))
	} else {
		d.line("range", "%s%s", byteCount(f.Size()), stubs(f))
	}
}

func (d *fullDumper) inSection(f model.FDE) string {
	if i, name, ok := d.section(f); ok {
		return fmt.Sprintf(", in [%d] %s", i, clean(name))
	}
	if d.o.ELF != nil && len(d.o.ELF.Sections) > 0 {
		return ", in no section"
	}
	return ""
}

// stubs describes how the stub of a MASK FDE divides the function.
func stubs(f model.FDE) string {
	if f.PCType() != model.SFRAME_FDE_PCTYPE_MASK || f.RepSize() == 0 {
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
	sym := clean(d.symbol(r))
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
func (d *fullDumper) info(f model.FDE) {
	v := f.Section().Version()
	if !f.HasAttr() {
		d.line("FREs", "unknown (%s 0x%x)", model.FieldName(v, model.FDEStartFREOff), f.StartFREOff())
		return
	}
	at := f.Section().FRESubsection().Off + int64(f.StartFREOff()) + f.AttrSpan().Len
	d.line("FREs", "%d, %v, at 0x%x (%s 0x%x)", f.ClaimedFREs(), f.FREType(), at, model.FieldName(v, model.FDEStartFREOff), f.StartFREOff())
	text := fmt.Sprintf("PC type %v", f.PCType())
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
	d.line("info", "%s", text)
}

// reserved notes the set bits that the version reserves.
func (d *fullDumper) reserved(f model.FDE) {
	v := f.Section().Version()
	if bits := f.Info() & v.Info().Reserved; bits != 0 {
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
