package dump

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sframe-lint/sframe-lint/internal/evidence/fields"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// JSON writes the same as [Full] as one JSON object and a newline. Offsets
// in the section and sizes are numbers, in bytes; addresses and what comes
// from ELF headers are strings like "0x401000", because some JSON readers
// cannot represent 64-bit numbers; raw bytes are strings of hexadecimal
// digits. Absent values have no member. docs/schema/dump.schema.json describes all members.
//
// The start and end of an FRE count from the start of its function, or of each stub in a MASK
// FDE; from and to are the addresses of that in the function or in the first stub.
func JSON(w io.Writer, o *reader.Object, s *reader.SFrame, opts Selection) error {
	p := newPrinter(w)
	d := &jsonDumper{jsonPrinter: &jsonPrinter{printer: p, data: s.Data}, view: newView(o, s, opts), cache: new(rowCache)}
	d.open('{')
	d.text("schema", "sframe-lint/dump/1")
	d.object()
	d.section()
	if d.sec != nil {
		d.header()
		d.fdes()
		if !opts.filtered() {
			d.writeRest()
		}
	} else {
		d.faultList("faults", d.s.Faults)
	}
	d.close('}')
	d.str("\n")
	return d.flush()
}

type jsonDumper struct {
	*jsonPrinter
	*view
	cache *rowCache
}

// object writes the facts about the file.
func (d *jsonDumper) object() {
	d.text("path", d.o.Path)
	if d.o.Member != "" {
		d.text("member", cleanText(d.o.Member))
	}
	d.num("base", d.o.Base)
	d.num("size", d.o.Size)
	d.text("status", string(d.o.Status))
	if faults, more := d.objectFaults(); len(faults) > 0 {
		d.key("object_faults")
		d.open('[')
		for _, f := range faults {
			d.fault(f, FaultText(f))
		}
		d.close(']')
		d.num("object_faults_left_out", int64(more))
	}
	e := d.o.ELF
	if e == nil {
		return
	}
	d.key("elf")
	d.open('{')
	d.text("type", e.Type.String())
	d.text("machine", e.Machine.String())
	d.text("byte_order", byteOrder(e.BigEndian()))
	d.num("flags", int64(e.Flags))
	d.close('}')
}

func byteOrder(big bool) string {
	if big {
		return "big"
	}
	return "little"
}

// section writes the section's ELF header and segments.
func (d *jsonDumper) section() {
	d.key("section")
	d.open('{')
	d.num("offset", d.s.Offset)
	d.num("size", int64(len(d.s.Data)))
	if d.sec != nil {
		d.addr("address", d.sec.Addr())
	}
	if d.o.ELF != nil {
		if h, ok := d.o.ELF.SectionOf(d.s); ok {
			d.num("index", int64(d.s.Index))
			d.text("name", cleanText(h.Name))
			d.text("type", sectionType(h.Type))
			d.text("flags", h.Flags.String())
			d.addr("align", h.AddrAlign)
		}
		if d.s.RelocIndex > 0 {
			d.num("relocation_section", int64(d.s.RelocIndex))
		}
	}
	d.close('}')
	if d.o.ELF == nil {
		return
	}
	d.key("segments")
	d.open('[')
	for _, i := range d.segmentsOf() {
		p := d.o.ELF.Segments[i]
		d.open('{')
		d.num("index", int64(i))
		d.text("type", segmentType(p.Type))
		d.text("flags", p.Flags.String())
		d.addr("offset", p.Offset)
		d.addr("file_size", p.Filesz)
		d.addr("address", p.Vaddr)
		d.addr("memory_size", p.Memsz)
		d.close('}')
		d.spill()
	}
	d.close(']')
}

// header writes header and auxiliary header.
func (d *jsonDumper) header() {
	h := d.sec.Header()
	d.key("header")
	d.open('{')
	d.raw("bytes", d.sec.HeaderSpan())
	d.text("byte_order", byteOrder(d.sec.BigEndian()))
	d.num("version", int64(h.Version))
	d.num("flags", int64(h.Flags))
	d.key("flag_names")
	d.open('[')
	for _, name := range (h.Flags & model.DefinedFlags(h.Version)).Names() {
		d.comma()
		d.string(name)
	}
	d.close(']')
	d.num("undefined_flags", int64(fields.Undefined(h)))
	d.num("abi", int64(h.ABI))
	d.text("abi_name", d.sec.ABI().Name)
	for f := range h.Version.Info().HeaderFields() {
		if f > model.HdrABI {
			d.num(strings.TrimPrefix(f.String(), "sfh_"), int64(h.Value(f)))
		}
	}
	d.close('}')
	if a := d.sec.AuxSpan(); a.Len > 0 {
		d.raw("aux", a)
	}
	d.num("decoded_fdes", int64(d.sec.NumFDEs()))
	d.num("decoded_fres", int64(d.sec.NumFREs()))
	d.faultList("faults", d.faultsFrom(-1, -1))
}

// writeRest writes the bytes and relocations that belong to no FDE.
func (d *jsonDumper) writeRest() {
	d.key("stray_relocations")
	d.open('[')
	for _, r := range d.relocs {
		if !d.onStart(r) {
			d.reloc(r)
		}
		d.spill()
	}
	d.close(']')
	d.key("gaps")
	d.open('[')
	for _, g := range d.sec.Gaps() {
		d.open('{')
		d.num("offset", g.Off)
		d.num("size", g.Len)
		d.bool("zero", !g.NonZero)
		if g.NonZero {
			d.raw("bytes", g.Span)
		}
		d.close('}')
		d.spill()
	}
	d.close(']')
}

func (d *jsonDumper) faultList(key string, faults []reader.Fault) {
	if len(faults) == 0 {
		return
	}
	d.key(key)
	d.open('[')
	for _, f := range faults {
		d.fault(f, FaultText(f))
		d.spill()
	}
	d.close(']')
}

func (d *jsonDumper) fault(f reader.Fault, text string) {
	d.open('{')
	d.num("offset", f.Span.Off)
	d.num("size", f.Span.Len)
	if f.FRE >= 0 {
		d.num("fre", int64(f.FRE))
	}
	d.text("text", text)
	d.close('}')
}

// jsonPrinter writes JSON (RFC 8259) piece by piece.
type jsonPrinter struct {
	*printer
	data []byte // of the section
	more bool   // an element precedes: write a comma
}

func (j *jsonPrinter) comma() {
	if j.more {
		j.str(",")
	}
	j.more = false
}

// open begins an object or array as an element, close ends it.
func (j *jsonPrinter) open(c byte) {
	j.comma()
	j.buf = append(j.buf, c)
}

func (j *jsonPrinter) close(c byte) {
	j.buf = append(j.buf, c)
	j.more = true
}

// key begins a member; its names need no escapes.
func (j *jsonPrinter) key(k string) {
	j.comma()
	j.str(`"`)
	j.str(k)
	j.str(`":`)
}

func (j *jsonPrinter) num(k string, v int64) {
	j.key(k)
	j.dec(v)
	j.more = true
}

func (j *jsonPrinter) bool(k string, v bool) {
	j.key(k)
	j.buf = strconv.AppendBool(j.buf, v)
	j.more = true
}

// addr writes an address as a string: some JSON readers cannot represent 64-bit
// numbers.
func (j *jsonPrinter) addr(k string, v uint64) {
	j.key(k)
	j.str(`"`)
	j.hex(v)
	j.str(`"`)
	j.more = true
}

// raw writes the bytes of a span as digits.
func (j *jsonPrinter) raw(k string, sp model.Span) {
	j.key(k)
	j.str(`"`)
	sp = sp.Clip(int64(len(j.data)))
	for _, b := range j.data[sp.Off:sp.End()] {
		j.buf = append(j.buf, hexDigits[b>>4], hexDigits[b&15])
		if !j.spill() {
			return
		}
	}
	j.str(`"`)
	j.more = true
}

func (j *jsonPrinter) text(k, v string) {
	j.key(k)
	j.string(v)
}

// string writes a value. Bytes that are not UTF-8 become U+FFFD; control
// characters become escapes.
func (j *jsonPrinter) string(v string) {
	j.str(`"`)
	for _, r := range v {
		switch {
		case r == '"' || r == '\\':
			j.buf = append(j.buf, '\\', byte(r))
		case r > 0xffff && !strconv.IsPrint(r):
			hi, lo := utf16.EncodeRune(r)
			j.escape(hi)
			j.escape(lo)
		case !strconv.IsPrint(r):
			j.escape(r)
		default:
			j.buf = utf8.AppendRune(j.buf, r)
		}
	}
	j.str(`"`)
	j.more = true
}

// escape writes a 16-bit code unit as \u and its four hexadecimal digits.
func (j *jsonPrinter) escape(unit rune) {
	j.str(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		j.buf = append(j.buf, hexDigits[unit>>shift&15])
	}
}
