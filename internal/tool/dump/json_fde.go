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
	d.num("index", int64(f.Index()))
	d.num("offset", f.Span().Off)
	d.raw("bytes", f.Span())
	if a := f.AttrSpan(); a.Len > 0 {
		d.num("attr_offset", a.Off)
		d.raw("attr_bytes", a)
	}
	d.function(f)
	d.num("start_fre_off", int64(f.StartFREOff()))
	d.attributes(f)
	d.startRelocs(f)
	d.faultList("faults", d.faultsFrom(f.Index(), -1))
	d.rows(f)
	d.close('}')
}

// function writes the start and size of the function.
func (d *jsonDumper) function(f model.FDE) {
	d.num("raw_start", f.RawStart())
	d.bool("resolved", f.Resolved())
	if f.Resolved() {
		d.addr("start", f.Start())
		d.addr("end", f.End())
	}
	d.num("size", int64(f.Size()))
	if i, name, ok := d.view.section(&f); ok {
		d.num("section", int64(i))
		d.text("section_name", name)
	}
	if name, off, ok := d.view.function(&f); ok {
		d.text("function", cleanText(string(name)))
		if off != 0 {
			d.addr("function_offset", off)
		}
	}
}

// attributes writes the other fields of an FDE.
func (d *jsonDumper) attributes(f model.FDE) {
	if !f.HasAttr() {
		return
	}
	v := f.Section().Version()
	d.num("num_fres", int64(f.ClaimedFREs()))
	d.num("decoded_fres", int64(f.NumFREs()))
	d.num("info", int64(f.Info()))
	d.text("fre_type", f.FREType().String())
	d.text("pc_type", f.PCType().String())
	if f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B {
		d.text("pauth_key", "B")
	} else if f.Section().ABI().Pauth {
		d.text("pauth_key", "A")
	}
	info := v.Info()
	reserved := f.Info() & info.Reserved
	if info.Flex {
		d.num("info2", int64(f.Info2()))
		d.text("fde_type", f.Type().String())
		d.bool("signal", f.Signal())
	}
	if info.Stubs {
		d.num("rep_size", int64(f.RepSize()))
	}
	if info.Field(model.FDEPadding).Len > 0 {
		d.num("padding2", int64(f.Padding()))
	}
	d.num("reserved_info", int64(reserved))
	d.num("reserved_info2", int64(f.Info2()&model.Info2Reserved))
}

func (d *jsonDumper) startRelocs(f model.FDE) {
	relocs := d.relocsIn(f.FieldSpan(model.FDEStart))
	if len(relocs) == 0 {
		return
	}
	d.key("relocations")
	d.open('[')
	for _, r := range relocs {
		d.reloc(r)
		d.spill()
	}
	d.close(']')
}

func (d *jsonDumper) reloc(r reader.Reloc) {
	d.open('{')
	d.num("offset", r.Offset)
	d.num("type", int64(r.Type))
	if name := d.relocName(r.Type); name != "" {
		d.text("type_name", name)
	}
	d.num("symbol", int64(r.Symbol))
	if name := d.symbol(r); name != "" {
		d.text("symbol_name", name)
	}
	d.num("addend", r.Addend)
	d.close('}')
}

func (d *jsonDumper) rows(f model.FDE) {
	d.key("fres")
	d.open('[')
	for r := range f.FREs() {
		d.open('{')
		d.num("offset", r.Span().Off)
		d.raw("bytes", r.Span())
		d.num("start", int64(r.Start()))
		d.num("end", int64(r.End()))
		if f.Resolved() {
			d.addr("from", f.Start()+uint64(r.Start()))
			d.addr("to", f.Start()+uint64(r.End()))
		}
		slot, hit := d.cache.find(&r)
		if hit {
			d.buf = append(d.buf, slot.text...)
		} else {
			from := len(d.buf)
			d.meaning(r)
			slot.keep(d.buf[from:])
		}
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
		d.text("base", r.Base().String())
	}
	d.bool("mangled_ra", r.MangledRA())
	d.num("word_size", int64(r.WordSize().Width()))
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
	d.text("text", v.Format(d.sec.ABI()))
	d.text("kind", kindNames[v.Kind])
	if v.Kind == model.InRegister {
		d.num("register", int64(v.Reg))
	}
	if v.Kind == model.InRegister || v.Kind == model.FromCFA {
		d.num("offset", v.Offset)
		d.bool("deref", v.Deref)
	}
	d.close('}')
}
