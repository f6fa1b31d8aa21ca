package dump

import (
	"debug/elf"
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/evidence/fields"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

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
