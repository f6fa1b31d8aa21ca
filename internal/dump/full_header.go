package dump

import (
	"debug/elf"
	"fmt"
	"strings"

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
	for f := range d.sec.Version().Info().HeaderFields() {
		d.str("  ")
		from := len(d.buf)
		d.offset(f.Span().Off)
		d.gap(from, offsetWidth)
		from = len(d.buf)
		d.span(f.Span())
		d.pad(from, fieldBytes)
		from = len(d.buf)
		d.str(f.String())
		d.pad(from, fieldWidth)
		d.str(HeaderValue(d.sec, f))
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
	if bits := undefinedFlags(h); bits != 0 {
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

// HeaderValue returns the meaning of a header field.
func HeaderValue(s *model.Section, f model.HeaderField) string {
	h := s.Header()
	switch f {
	case model.HdrMagic:
		if s.BigEndian() {
			return "0xdee2, big-endian"
		}
		return "0xdee2, little-endian"
	case model.HdrVersion:
		if h.Version.Known() {
			return fmt.Sprintf("SFRAME_VERSION_%d", uint8(h.Version))
		}
		return fmt.Sprintf("%d, unknown", uint8(h.Version))
	case model.HdrFlags:
		return flagsText(h)
	case model.HdrABI:
		if s.ABI().Known() {
			return fmt.Sprintf("%s, %s", s.ABI().Spec, s.ABI().Name)
		}
		return fmt.Sprintf("%d, unknown", uint8(h.ABI))
	case model.HdrFixedFP:
		return fixedText("FP", h.FixedFPOffset)
	case model.HdrFixedRA:
		return fixedText("RA", h.FixedRAOffset)
	}
	return sizeText(h, f)
}

// sizeText returns the meaning of counts and offsets.
func sizeText(h model.Header, f model.HeaderField) string {
	switch f {
	case model.HdrAuxLen:
		return fmt.Sprintf("%d bytes", h.AuxLen)
	case model.HdrNumFDEs:
		return fmt.Sprintf("%d", h.NumFDEs)
	case model.HdrNumFREs:
		return fmt.Sprintf("%d", h.NumFREs)
	case model.HdrFRELen:
		return fmt.Sprintf("%d bytes", h.FRELen)
	case model.HdrFDEOff:
		return fmt.Sprintf("0x%x after the header", h.FDEOff)
	case model.HdrFREOff:
		return fmt.Sprintf("0x%x after the header", h.FREOff)
	}
	return fmt.Sprintf("0x%x", h.Value(f))
}

func fixedText(what string, off int8) string {
	if off == 0 {
		return "0, not fixed"
	}
	return fmt.Sprintf("%s at CFA%+d", what, off)
}

// flagsText names the flags, the undefined ones by their bits.
func flagsText(h model.Header) string {
	if !h.Version.Known() {
		return fmt.Sprintf("0x%02x", uint8(h.Flags))
	}
	names := flagList(h)
	if bits := undefinedFlags(h); bits != 0 {
		names = append(names, fmt.Sprintf("undefined 0x%02x", uint8(bits)))
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

// flagList returns the names of the flags that are set and that the version
// defines.
func flagList(h model.Header) []string {
	return (h.Flags & model.DefinedFlags(h.Version)).Names()
}

// undefinedFlags returns the bits that must be zero in a known version.
func undefinedFlags(h model.Header) model.Flags {
	if !h.Version.Known() {
		return 0
	}
	return h.Flags &^ model.DefinedFlags(h.Version)
}
