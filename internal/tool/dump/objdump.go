package dump

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// ErrNothing means that a section has no header of a known version, for which
// objdump prints no contents either.
var ErrNothing = errors.New("no SFrame header of a known version")

// Objdump writes the section as `objdump --sframe` does, from the line
// "Contents of the SFrame section" on: versions 2 and 3 as binutils 2.47, version 1 as
// binutils 2.40. It reproduces behaviour that
// differs from the specification:
//
//   - In a relocatable file, 2.47 applies the relocation and then treats the
//     field as in a linked file: without SFRAME_F_FDE_FUNC_START_PCREL the
//     addresses are off by the offset of the start field. 2.40 ignores the
//     relocations.
//   - sfh_fdeoff does not count where 2.47 adds the offset of a start field.
//   - An RA word of 0 is "U" (padding) for every ABI, not only for s390x.
//   - 2.40 prints no fixed offsets, and "u" for RA and FP if they are fixed.
//
// The text is the same byte for byte, with these exceptions:
//
//   - If objdump prints nothing or crashes because the section is damaged, Objdump
//     writes the parts that could be decoded.
//   - 2.47 applies every relocation of a relocatable file, also those that change other fields
//     than a start. Objdump applies only those of starts.
//   - Of concatenated sections of s390x, 2.47 prints nothing, as it rejects bytes
//     after the FREs where it swaps the byte order. Objdump prints the first one.
//   - objdump finds only the first section named ".sframe". Objdump prints any section.
func Objdump(w io.Writer, o *reader.Object, s *reader.SFrame) error {
	sec := s.Section
	if sec == nil || !sec.Version().Known() {
		return ErrNothing
	}
	d := &objdumper{printer: newPrinter(w), hdr: sec.Header(), abi: sec.ABI(), cache: new(rowCache)}
	d.starts = newRelocated(o, s)
	d.v1 = d.hdr.Version == model.SFRAME_VERSION_1
	d.regWords = d.abi.LSBRegs && d.hdr.Version.Info().WordRegs
	name := s.Name
	if name == "" {
		name = ".sframe" // a raw section
	}
	fmt.Fprintf(d, "Contents of the SFrame section %s:\n", cleanName(cleanText(name)))
	d.header()
	d.str("\n  Function Index :\n")
	for f := range sec.FDEs() {
		d.function(f)
		if !d.spill() {
			break
		}
	}
	return d.flush()
}

type objdumper struct {
	*printer
	hdr    model.Header
	abi    model.ABIInfo
	starts *relocated
	cache  *rowCache

	v1       bool
	regWords bool // odd RA and FP words are registers
}

// Write lets fmt append to the gathered text.
func (p *printer) Write(b []byte) (int, error) {
	p.buf = append(p.buf, b...)
	return len(b), nil
}

func (d *objdumper) header() {
	h := d.hdr
	fmt.Fprintf(d, "  Header :\n\n    Version: SFRAME_VERSION_%d\n", uint8(h.Version))
	d.str("    Flags: ")
	d.flags()
	if h.FixedFPOffset != 0 && !d.v1 {
		fmt.Fprintf(d, "    CFA fixed FP offset: %d\n", h.FixedFPOffset)
	}
	if h.FixedRAOffset != 0 && !d.v1 {
		fmt.Fprintf(d, "    CFA fixed RA offset: %d\n", h.FixedRAOffset)
	}
	fmt.Fprintf(d, "    Num FDEs: %d\n    Num FREs: %d\n", int32(h.NumFDEs), int32(h.NumFREs))
}

func (d *objdumper) flags() {
	f := d.hdr.Flags
	sep := ",\n           "
	if d.v1 && f&model.SFRAME_F_FRAME_POINTER != 0 {
		f &^= model.SFRAME_F_FDE_SORTED // 2.40 overwrites the first name
	}
	known := model.SFRAME_F_FDE_SORTED | model.SFRAME_F_FRAME_POINTER | model.SFRAME_F_FDE_FUNC_START_PCREL
	d.str(strings.Join((f & known).Names(), sep))
	if f == 0 {
		d.str("NONE")
	}
	d.str("\n")
}

func (d *objdumper) function(f model.FDE) {
	start := d.starts.of(f)
	d.str("\n    func idx [")
	d.dec(int64(f.Index()))
	d.str("]: pc = ")
	d.hex(start)
	d.str(", size = ")
	d.dec(int64(int32(f.Size())))
	d.str(" bytes")
	signal := !d.v1 && f.Info()&model.InfoSignalBit != 0
	flex := f.Type() == model.SFRAME_FDE_TYPE_FLEX
	switch {
	case signal && flex:
		d.str(`, attr = "SF"`)
	case signal:
		d.str(`, attr = "S"`)
	case flex:
		d.str(`, attr = "F"`)
	}
	if d.abi.Pauth && f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B {
		d.str(", pauth = B key")
	}
	if f.PCType() == model.SFRAME_FDE_PCTYPE_MASK {
		d.str("\n    STARTPC[m]      CFA       FP        RA           \n")
		start = 0
	} else {
		d.str("\n    STARTPC         CFA       FP        RA           \n")
	}
	for r := range f.FREs() {
		d.row(r, start)
		if !d.spill() {
			return
		}
	}
}
