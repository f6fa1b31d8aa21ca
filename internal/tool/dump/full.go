package dump

import (
	"bytes"
	"debug/elf"
	"fmt"
	"io"

	"github.com/sframe-lint/sframe-lint/internal/evidence/fields"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Full writes the contents of a section and the facts about it in its file: the file, the ELF section and segments,
// header fields, FDEs and FREs with offsets, raw bytes and meanings, relocations, and unclaimed bytes.
//
// Offsets count from the start of the section, in bytes. Ranges exclude their end. A line that begins with "!!"
// describes an error at its place. With a filter in opts, Full omits unclaimed bytes and FDEs that do not match.
func Full(w io.Writer, o *reader.Object, s *reader.SFrame, opts Selection) error {
	d := &fullDumper{printer: newPrinter(w), view: newView(o, s, opts)}
	d.layOut()
	d.file()
	d.elfSection()
	if d.sec == nil {
		d.faultLines("", d.s.Faults)
		d.unread()
		return d.flush()
	}
	d.header()
	for f := range d.sec.FDEs() {
		if d.shows(&f) {
			d.fde(&f)
		}
		if !d.spill() {
			return d.err
		}
	}
	if !opts.filtered() {
		d.strayRelocs()
		d.gaps()
	}
	return d.flush()
}

type fullDumper struct {
	*printer
	*view

	// What FDEs have in common, so that each is formatted once.
	own, rest    []model.FieldLayout // fields in the entry, and those in an attribute
	freOff       string              // name of the field
	reservedBits uint8               // of info
	kinds        [16]fdeText         // by the low bits of info
	placeOf      int                 // section that place describes
	place        string
}

// labelWidth is the width of the label before a value.
const labelWidth = 12

// line writes a label and its value on a line.
func (d *fullDumper) line(label, format string, args ...any) {
	d.label(label)
	d.printf(format, args...)
	d.str("\n")
}

// label writes the label that begins a line.
func (d *fullDumper) label(label string) {
	d.str("  ")
	from := len(d.buf)
	d.str(label)
	d.pad(from, labelWidth)
}

// note writes a line that describes an error.
func (d *fullDumper) note(indent, format string, args ...any) {
	d.str(indent + "!! ")
	d.printf(format, args...)
	d.str("\n")
}

// byteCount writes a number of bytes with its unit.
func byteCount[T uint32 | int64](n T) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

func (d *fullDumper) faultLines(indent string, faults []reader.Fault) {
	for _, f := range faults {
		d.note(indent, "%s", FaultText(f))
		if !d.spill() {
			return
		}
	}
}

// span writes the bytes of a span, in hexadecimal.
func (d *fullDumper) span(sp model.Span) {
	sp = sp.Clip(int64(len(d.s.Data)))
	d.bytes(d.s.Data[sp.Off:sp.End()])
}

// offset writes an offset as 0x and at least four digits.
func (d *fullDumper) offset(off int64) { d.buf = appendHex(d.buf, 4, uint64(off)) }

// file writes the heading of the file or archive member.
func (d *fullDumper) file() {
	name := cleanName(d.o.Path)
	if d.o.Member != "" {
		name += "(" + cleanName(cleanText(d.o.Member)) + ")"
	}
	d.str(name)
	switch e := d.o.ELF; {
	case d.o.Foreign != "":
		d.printf(": %s, %d bytes\n", cleanName(d.o.Foreign), d.o.Size)
	case e == nil:
		d.printf(": raw section, %d bytes\n", d.o.Size)
	default:
		order := "little-endian"
		if e.BigEndian() {
			order = "big-endian"
		}
		d.printf(": ELF64 %s, %v, %v, flags 0x%x, %d bytes", order, e.Type, e.Machine, e.Flags, d.o.Size)
		if d.o.Base != 0 {
			d.printf(" at 0x%x", d.o.Base)
		}
		d.str("\n")
	}
	faults, more := d.objectFaults()
	for _, f := range faults {
		d.note("", "%s", FaultText(f))
	}
	if more > 0 {
		d.note("", "%d more faults", more)
	}
	d.str("\n")
}

// elfSection writes the section's ELF header and segments.
func (d *fullDumper) elfSection() {
	e := d.o.ELF
	if e == nil {
		d.str("Section")
		if d.s.Index > 0 {
			d.printf(" [%d] %s", d.s.Index, cleanName(cleanText(d.s.Name)))
		}
		d.printf(": %d bytes\n", len(d.s.Data))
		d.address()
		return
	}
	h, ok := e.SectionOf(d.s)
	if !ok {
		d.printf("Segment contents: %d bytes at file offset 0x%x\n", len(d.s.Data), d.s.Offset)
		d.address()
		d.segments()
		return
	}
	d.printf("Section [%d] %s: %d bytes at file offset 0x%x\n", d.s.Index, cleanName(cleanText(h.Name)), h.Size, h.Offset)
	d.line("type", "%s", sectionType(h.Type))
	d.line("flags", "%v (0x%x)", h.Flags, uint64(h.Flags))
	d.line("address", "0x%x", h.Addr)
	d.line("align", "%d", h.AddrAlign)
	d.segments()
	if d.s.RelocIndex > 0 && d.s.RelocIndex < len(e.Sections) {
		d.line("relocations", "[%d] %s, %d entries", d.s.RelocIndex, cleanName(cleanText(e.Sections[d.s.RelocIndex].Name)), len(d.s.Relocs))
	} else if e.Relocatable() {
		d.line("relocations", "none")
	}
}

func (d *fullDumper) address() {
	if d.sec != nil {
		d.line("address", "0x%x", d.sec.Addr())
	}
}

// segments writes the program headers that concern the section.
func (d *fullDumper) segments() {
	for _, i := range d.segmentsOf() {
		p := d.o.ELF.Segments[i]
		d.line("segment", "[%d] %s, %v: file offset 0x%x, %d bytes, address 0x%x, %d bytes in memory",
			i, segmentType(p.Type), p.Flags, p.Offset, p.Filesz, p.Vaddr, p.Memsz)
		if !d.spill() {
			return
		}
	}
}

// unread writes the beginning of a section of which nothing could be decoded.
func (d *fullDumper) unread() {
	const shown = 256
	n := int64(len(d.s.Data))
	if n == 0 {
		return
	}
	d.hexLines("  ", model.Span{Len: min(n, shown)})
	if n > shown {
		d.printf("  ... %d more bytes\n", n-shown)
	}
}

// sectionType returns the name of a section type; debug/elf lacks SFrame's.
func sectionType(t elf.SectionType) string {
	if t == reader.SHT_GNU_SFRAME {
		return "SHT_GNU_SFRAME (0x6ffffff4)"
	}
	return fmt.Sprintf("%v (0x%x)", t, uint32(t))
}

func segmentType(t elf.ProgType) string {
	if t == reader.PT_GNU_SFRAME {
		return "PT_GNU_SFRAME"
	}
	return t.String()
}

// Widths of the header's columns.
const (
	offsetWidth = 8
	fieldBytes  = 13
	fieldWidth  = 25
)

// header writes header, auxiliary header and the places of the sub-sections.
func (d *fullDumper) header() {
	d.printf("\nHeader %v\n", d.sec.HeaderSpan())
	for _, f := range fields.Header(d.sec) {
		d.str("  ")
		from := len(d.buf)
		d.offset(f.Off)
		d.gap(from, offsetWidth)
		from = len(d.buf)
		d.span(f.Span)
		d.pad(from, fieldBytes)
		from = len(d.buf)
		d.str(f.Name)
		d.pad(from, fieldWidth)
		d.str(f.Value)
		d.str("\n")
	}
	if a := d.sec.AuxSpan(); a.Len > 0 {
		d.printf("Auxiliary header %v\n", a)
		d.hexLines("  ", a)
	}
	if d.sec.Version().Known() {
		d.subsections()
	}
	d.headerNotes()
}

func (d *fullDumper) subsections() {
	h := d.sec.Header()
	d.printf("FDE sub-section %v, %d entries of %d bytes\n", d.sec.FDESubsection(), h.NumFDEs, model.FDESize(h.Version))
	d.printf("FRE sub-section %v, %d bytes\n", d.sec.FRESubsection(), h.FRELen)
}

// headerNotes notes errors of the header and its counts.
func (d *fullDumper) headerNotes() {
	h := d.sec.Header()
	if bits := fields.Undefined(h); bits != 0 {
		d.note("", "bits 0x%02x of %v are undefined", uint8(bits), model.HdrFlags)
	}
	if !d.sec.ABI().Known() {
		d.note("", "ABI %d is unknown: the meaning of the FREs is unknown, too", uint8(h.ABI))
	}
	d.faultLines("", d.faultsFrom(-1, -1))
	if !h.Version.Known() {
		return // nothing has been counted
	}
	if n := uint64(d.sec.NumFDEs()); n != uint64(h.NumFDEs) {
		d.note("", "%d of %d FDEs could be decoded", n, h.NumFDEs)
	}
	if n := d.sec.ClaimedFREs(); n != uint64(h.NumFREs) {
		d.note("", "the FDEs have %d FREs in total, but sfh_num_fres is %d", n, h.NumFREs)
	}
	if n := uint64(d.sec.NumFREs()); n != uint64(h.NumFREs) {
		d.note("", "%d FREs could be decoded", n)
	}
}

// gaps writes the bytes that belong to nothing.
func (d *fullDumper) gaps() {
	gaps := d.sec.Gaps()
	if len(gaps) == 0 {
		return
	}
	d.str("\nBytes that belong to nothing\n")
	for _, g := range gaps {
		if g.NonZero {
			d.printf("  %v, %s\n", g.Span, byteCount(g.Len))
			d.hexLines("    ", g.Span)
		} else {
			d.printf("  %v, %s, all zero\n", g.Span, byteCount(g.Len))
		}
		if !d.spill() {
			return
		}
	}
}

// hexLines writes bytes, 16 on a line; a star stands for lines that repeat the
// previous one.
func (d *fullDumper) hexLines(indent string, sp model.Span) {
	const perLine = 16
	var prev []byte
	starred := false
	for off := sp.Off; off < sp.End(); off += perLine {
		here := model.Span{Off: off, Len: min(perLine, sp.End()-off)}
		line := d.s.Data[here.Off:here.End()]
		if bytes.Equal(line, prev) && here.End() < sp.End() {
			if !starred {
				d.str(indent + "*\n")
			}
			starred = true
			continue
		}
		prev, starred = line, false
		d.str(indent)
		d.offset(off)
		d.str("  ")
		d.span(here)
		d.str("\n")
		if !d.spill() {
			return
		}
	}
}
