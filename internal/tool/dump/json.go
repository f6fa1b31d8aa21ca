package dump

import (
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sframe-lint/sframe-lint/internal/evidence/fields"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// JSON writes the contents of [Full] as one JSON object and a newline. docs/schema/dump.schema.json describes all
// members. Absent values have no member.
//
// Offsets in the section and sizes are numbers, in bytes. Addresses and values from ELF headers are strings like
// "0x401000", because some JSON readers cannot represent 64-bit numbers. Raw bytes are strings of hexadecimal digits.
//
// The start and end of an FRE count from the start of its function, or of each stub in a MASK FDE. from and to are
// the corresponding addresses in the function or the first stub.
func JSON(w io.Writer, o *reader.Object, s *reader.SFrame, opts Selection) error {
	p := newPrinter(w)
	d := &jsonDumper{jsonPrinter: &jsonPrinter{printer: p, data: s.Data}, view: newView(o, s, opts)}
	d.open('{')
	d.put("schema", "sframe-lint/dump/1")
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
}

// object writes the facts about the file.
func (d *jsonDumper) object() {
	d.put("path", d.o.Path)
	if d.o.Member != "" {
		d.put("member", cleanText(d.o.Member))
	}
	d.put("base", d.o.Base, "size", d.o.Size, "status", string(d.o.Status))
	if faults, more := d.objectFaults(); len(faults) > 0 {
		d.faultList("object_faults", faults)
		d.put("object_faults_left_out", more)
	}
	if e := d.o.ELF; e != nil {
		d.key("elf")
		d.element("type", e.Type.String(), "machine", e.Machine.String(), "byte_order", byteOrder(e.BigEndian()), "flags", e.Flags)
	}
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
	d.put("offset", d.s.Offset, "size", len(d.s.Data))
	if d.sec != nil {
		d.put("address", d.sec.Addr())
	}
	e := d.o.ELF
	if e != nil {
		if h, ok := e.SectionOf(d.s); ok {
			d.put("index", d.s.Index, "name", cleanText(h.Name), "type", sectionType(h.Type), "flags", h.Flags.String(), "align", h.AddrAlign)
		}
		if d.s.RelocIndex > 0 {
			d.put("relocation_section", d.s.RelocIndex)
		}
	}
	d.close('}')
	if e != nil {
		list(d.jsonPrinter, "segments", d.segmentsOf(), func(i int) {
			p := e.Segments[i]
			d.element("index", i, "type", segmentType(p.Type), "flags", p.Flags.String(),
				"offset", p.Offset, "file_size", p.Filesz, "address", p.Vaddr, "memory_size", p.Memsz)
		})
	}
}

// header writes header and auxiliary header.
func (d *jsonDumper) header() {
	h := d.sec.Header()
	d.key("header")
	d.open('{')
	d.put("bytes", d.sec.HeaderSpan(), "byte_order", byteOrder(d.sec.BigEndian()), "version", h.Version, "flags", h.Flags)
	list(d.jsonPrinter, "flag_names", (h.Flags & model.DefinedFlags(h.Version)).Names(), func(name string) {
		d.comma()
		d.string(name)
		d.more = true
	})
	d.put("undefined_flags", fields.Undefined(h), "abi", h.ABI, "abi_name", d.sec.ABI().Name)
	for f := range h.Version.Info().HeaderFields() {
		if f > model.HdrABI {
			d.put(strings.TrimPrefix(f.String(), "sfh_"), int64(h.Value(f)))
		}
	}
	d.close('}')
	if a := d.sec.AuxSpan(); a.Len > 0 {
		d.put("aux", a)
	}
	d.put("decoded_fdes", d.sec.NumFDEs(), "decoded_fres", d.sec.NumFREs())
	d.faultList("faults", d.faultsFrom(-1, -1))
}

// writeRest writes the bytes and relocations that belong to no FDE.
func (d *jsonDumper) writeRest() {
	list(d.jsonPrinter, "stray_relocations", d.relocs, func(r reader.Reloc) {
		if !d.onStart(r) {
			d.reloc(r)
		}
	})
	list(d.jsonPrinter, "gaps", d.sec.Gaps(), func(g model.Gap) {
		d.open('{')
		d.put("offset", g.Off, "size", g.Len, "zero", !g.NonZero)
		if g.NonZero {
			d.put("bytes", g.Span)
		}
		d.close('}')
	})
}

func (d *jsonDumper) faultList(key string, faults []reader.Fault) {
	if len(faults) == 0 {
		return
	}
	list(d.jsonPrinter, key, faults, func(f reader.Fault) {
		d.open('{')
		d.put("offset", f.Span.Off, "size", f.Span.Len)
		if f.FRE >= 0 {
			d.put("fre", f.FRE)
		}
		d.put("text", FaultText(f))
		d.close('}')
	})
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

// list writes an array as a member.
func list[T any](j *jsonPrinter, key string, all []T, write func(T)) {
	j.key(key)
	j.open('[')
	for _, v := range all {
		write(v)
		if !j.spill() {
			return
		}
	}
	j.close(']')
}

// element writes an object as an element: see put.
func (j *jsonPrinter) element(members ...any) {
	j.open('{')
	j.put(members...)
	j.close('}')
}

// put writes members: names and values by turns. A uint64 is an address, which becomes a string: some JSON
// readers cannot represent 64-bit numbers. A span becomes its bytes as digits.
func (j *jsonPrinter) put(members ...any) {
	for i := 0; i < len(members); i += 2 {
		j.key(members[i].(string))
		switch v := members[i+1].(type) {
		case string:
			j.string(v)
		case bool:
			j.buf = strconv.AppendBool(j.buf, v)
		case uint64:
			j.str(`"`)
			j.hex(v)
			j.str(`"`)
		case model.Span:
			j.raw(v)
		default:
			if n := reflect.ValueOf(v); n.CanInt() {
				j.dec(n.Int())
			} else {
				j.dec(int64(n.Uint()))
			}
		}
		j.more = true
	}
}

// raw writes the bytes of a span as digits.
func (j *jsonPrinter) raw(sp model.Span) {
	j.str(`"`)
	sp = sp.Clip(int64(len(j.data)))
	for _, b := range j.data[sp.Off:sp.End()] {
		j.buf = append(j.buf, hexDigits[b>>4], hexDigits[b&15])
		if !j.spill() {
			return
		}
	}
	j.str(`"`)
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
}

// escape writes a 16-bit code unit as \u and its four hexadecimal digits.
func (j *jsonPrinter) escape(unit rune) {
	j.str(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		j.buf = append(j.buf, hexDigits[unit>>shift&15])
	}
}
