package dump

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// fdes writes the FDEs, each on a line of its own.
func (d *jsonDumper) fdes() {
	d.key("fdes")
	d.open('[')
	for f := range d.sec.FDEs() {
		if !d.shows(&f) {
			continue
		}
		d.comma()
		d.str("\n")
		d.fde(f)
		if !d.spill() {
			return
		}
	}
	d.close(']')
}

func (d *jsonDumper) fde(f model.FDE) {
	d.open('{')
	d.put("index", f.Index(), "offset", f.Span().Off, "bytes", f.Span())
	if a := f.AttrSpan(); a.Len > 0 {
		d.put("attr_offset", a.Off, "attr_bytes", a)
	}
	d.function(f)
	d.put("start_fre_off", f.StartFREOff())
	d.attributes(f)
	if relocs := d.relocsIn(f.FieldSpan(model.FDEStart)); len(relocs) > 0 {
		list(d.jsonPrinter, "relocations", relocs, d.reloc)
	}
	d.faultList("faults", d.faultsFrom(f.Index(), -1))
	d.rows(f)
	d.close('}')
}

// function writes the start and size of the function.
func (d *jsonDumper) function(f model.FDE) {
	d.put("raw_start", f.RawStart(), "resolved", f.Resolved())
	if f.Resolved() {
		d.put("start", f.Start(), "end", f.End())
	}
	d.put("size", f.Size())
	if i, name, ok := d.view.section(&f); ok {
		d.put("section", i, "section_name", name)
	}
	if name, off, ok := d.view.function(&f); ok {
		d.put("function", cleanText(string(name)))
		if off != 0 {
			d.put("function_offset", off)
		}
	}
}

// attributes writes the other fields of an FDE.
func (d *jsonDumper) attributes(f model.FDE) {
	if !f.HasAttr() {
		return
	}
	d.put("num_fres", f.ClaimedFREs(), "decoded_fres", f.NumFREs(), "info", f.Info(),
		"fre_type", f.FREType().String(), "pc_type", f.PCType().String())
	if f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B {
		d.put("pauth_key", "B")
	} else if f.Section().ABI().Pauth {
		d.put("pauth_key", "A")
	}
	info := f.Section().Version().Info()
	if info.Flex {
		d.put("info2", f.Info2(), "fde_type", f.Type().String(), "signal", f.Signal())
	}
	if info.Stubs {
		d.put("rep_size", f.RepSize())
	}
	if info.Field(model.FDEPadding).Len > 0 {
		d.put("padding2", f.Padding())
	}
	d.put("reserved_info", f.Info()&info.Reserved, "reserved_info2", f.Info2()&model.Info2Reserved)
}

func (d *jsonDumper) reloc(r reader.Reloc) {
	d.open('{')
	d.put("offset", r.Offset, "type", r.Type)
	if name := d.relocName(r.Type); name != "" {
		d.put("type_name", name)
	}
	d.put("symbol", r.Symbol)
	if name := d.symbol(r); name != "" {
		d.put("symbol_name", name)
	}
	d.put("addend", r.Addend)
	d.close('}')
}

func (d *jsonDumper) rows(f model.FDE) {
	d.key("fres")
	d.open('[')
	for r := range f.FREs() {
		d.open('{')
		d.put("offset", r.Span().Off, "bytes", r.Span(), "start", r.Start(), "end", r.End())
		if f.Resolved() {
			d.put("from", f.Start()+uint64(r.Start()), "to", f.Start()+uint64(r.End()))
		}
		d.cached(&r, func() { d.meaning(r) })
		d.close('}')
		if !d.spill() {
			return
		}
	}
	d.close(']')
}

// meaning writes the meaning of the FRE's contents.
func (d *jsonDumper) meaning(r model.FRE) {
	if r.NumWords() > 0 && r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT {
		d.put("base", r.Base().String())
	}
	d.put("mangled_ra", r.MangledRA(), "word_size", r.WordSize().Width())
	d.key("words")
	d.open('[')
	for k := range r.NumWords() {
		d.comma()
		d.dec(int64(r.Word(k)))
		d.more = true
	}
	d.close(']')
	row := r.Row()
	d.recovery("cfa", row.CFA)
	d.recovery("ra", row.RA)
	d.recovery("fp", row.FP)
}

var kindNames = [...]string{
	model.Invalid: "invalid", model.Undefined: "undefined", model.Unchanged: "unchanged",
	model.InRegister: "register", model.FromCFA: "cfa",
}

func (d *jsonDumper) recovery(key string, v model.Recovery) {
	d.key(key)
	d.open('{')
	d.put("text", v.Format(d.sec.ABI()), "kind", kindNames[v.Kind])
	if v.Kind == model.InRegister {
		d.put("register", v.Reg)
	}
	if v.Kind == model.InRegister || v.Kind == model.FromCFA {
		d.put("offset", v.Offset, "deref", v.Deref)
	}
	d.close('}')
}
