package dump

import (
	"debug/elf"
	"errors"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// ErrNothing means that a section has no header of a known version. Then objdump also prints no contents.
var ErrNothing = errors.New("no SFrame header of a known version")

// Objdump writes the section as `objdump --sframe` does, from the line "Contents of the SFrame section" on. It
// follows binutils 2.47 for versions 2 and 3, and binutils 2.40 for version 1, even if they differ from the
// specification:
//
//   - In a relocatable file, 2.47 applies the relocation and then treats the field as in a linked file: without
//     SFRAME_F_FDE_FUNC_START_PCREL the addresses are off by the offset of the start field. 2.40 ignores the
//     relocations.
//   - When 2.47 adds the offset of a start field, it ignores sfh_fdeoff.
//   - An RA word of 0 is "U" (padding) for every ABI, not only for s390x.
//   - 2.40 prints no fixed offsets, and "u" for RA and FP if they are fixed.
//
// The text is the same byte for byte, with these exceptions:
//
//   - If objdump prints nothing or crashes because the section is damaged, Objdump writes the parts that could be
//     decoded.
//   - 2.47 applies every relocation of a relocatable file, even to fields other than starts. Objdump applies only
//     those of starts.
//   - For concatenated sections of s390x, 2.47 prints nothing: if it swaps the byte order, it rejects bytes after
//     the FREs. Objdump prints the first section.
//   - objdump finds only the first section named ".sframe". Objdump prints any section.
func Objdump(w io.Writer, o *reader.Object, s *reader.SFrame) error {
	sec := s.Section
	if sec == nil || !sec.Version().Known() {
		return ErrNothing
	}
	d := &objdumper{printer: newPrinter(w), hdr: sec.Header(), abi: sec.ABI()}
	d.starts = newRelocated(o, s)
	d.v1 = d.hdr.Version == model.SFRAME_VERSION_1
	d.regWords = d.abi.LSBRegs && d.hdr.Version.Info().WordRegs
	name := s.Name
	if name == "" {
		name = ".sframe" // a raw section
	}
	d.printf("Contents of the SFrame section %s:\n", cleanName(cleanText(name)))
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

	v1       bool
	regWords bool // odd RA and FP words are registers
}

func (d *objdumper) header() {
	h := d.hdr
	d.printf("  Header :\n\n    Version: SFRAME_VERSION_%d\n", uint8(h.Version))
	d.str("    Flags: ")
	d.flags()
	if h.FixedFPOffset != 0 && !d.v1 {
		d.printf("    CFA fixed FP offset: %d\n", h.FixedFPOffset)
	}
	if h.FixedRAOffset != 0 && !d.v1 {
		d.printf("    CFA fixed RA offset: %d\n", h.FixedRAOffset)
	}
	d.printf("    Num FDEs: %d\n    Num FREs: %d\n", int32(h.NumFDEs), int32(h.NumFREs))
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
	flex := f.Flex()
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
	if f.Mask() {
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

// relocated finds the function starts that objdump prints.
type relocated struct {
	hdr      model.Header
	addr     uint64           // of the section
	apply    bool             // apply relocations
	sections []reader.Section // of the ELF file
}

func newRelocated(o *reader.Object, s *reader.SFrame) *relocated {
	r := &relocated{hdr: s.Section.Header(), addr: s.Section.Addr()}
	if o != nil && o.ELF != nil && o.ELF.Type == elf.ET_REL {
		r.sections = o.ELF.Sections
		r.apply = r.hdr.Version != model.SFRAME_VERSION_1
	}
	return r
}

// of returns the start of a function: the value of the field after relocation,
// relative to the field or the section according to the flag.
func (r *relocated) of(f model.FDE) uint64 {
	field := uint64(f.RawStart())
	if r.apply && f.Resolved() {
		field = f.Start() - r.addr - uint64(f.Span().Off) // the start field is the entry's first
		if p := f.Place(); p > 0 && p < len(r.sections) {
			field += r.sections[p].Addr
		}
	}
	if r.hdr.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0 {
		// The field's place according to 2.47, which ignores sfh_fdeoff.
		field += uint64(f.Section().HeaderEnd()) + uint64(f.Index()*model.FDESize(r.hdr.Version))
	}
	return r.addr + field
}

// Widths of objdump's columns.
const (
	cfaWidth = 10
	fpWidth  = 10
	raWidth  = 13
)

// row writes an FRE; start is the base of the FRE's start.
func (d *objdumper) row(r model.FRE, start uint64) {
	d.str("    ")
	d.buf = appendDigits(d.buf, 16, start+uint64(r.Start()))
	d.str("  ")
	d.cached(&r, func() { d.rules(r) })
}

// rules writes the contents of an FRE, to the end of the line.
func (d *objdumper) rules(r model.FRE) {
	switch {
	case r.NumWords() == 0:
		d.str("RA undefined")
	case r.Flex():
		d.flexRow(r)
	default:
		d.defaultRow(r)
	}
	d.str("\n")
}

// defaultRow writes the words of an FRE of the default type. Their meaning
// depends on the header's fixed offsets, not on the ABI.
func (d *objdumper) defaultRow(r model.FRE) {
	from := len(d.buf)
	d.str(baseNames[r.Base()])
	d.dec(int64(d.cfaOffset(r.Word(0))))
	d.pad(from, cfaWidth)
	k := 1
	ra, hasRA := int32(0), false
	if d.hdr.FixedRAOffset == 0 {
		if hasRA = k < r.NumWords(); hasRA {
			ra = r.Word(k)
		}
		k++
	}
	from = len(d.buf)
	switch {
	case d.hdr.FixedFPOffset != 0 && d.v1:
		d.str("u")
	case d.hdr.FixedFPOffset != 0:
		d.slot(int32(d.hdr.FixedFPOffset), false)
	case k < r.NumWords():
		d.slot(r.Word(k), d.regWords)
	default:
		d.str("u")
	}
	d.pad(from, fpWidth)
	from = len(d.buf)
	switch {
	case d.hdr.FixedRAOffset != 0 && !d.v1:
		d.str("f")
	case !hasRA:
		d.str("u")
	case ra == model.SFRAME_FRE_RA_OFFSET_INVALID && !d.v1:
		d.str("U")
	default:
		d.slot(ra, d.regWords)
	}
	d.endRow(r, from)
}

// baseNames are the CFA bases with objdump's sign, which it also writes before
// negative offsets.
var baseNames = [...]string{model.SFRAME_BASE_REG_FP: "fp+", model.SFRAME_BASE_REG_SP: "sp+"}

// cfaOffset undoes the ABI's scaling, with objdump's 32 bits.
func (d *objdumper) cfaOffset(w int32) int32 {
	return w*int32(d.abi.CFAScale) + int32(d.abi.CFAAdjust)
}

func (d *objdumper) slot(w int32, regs bool) {
	if regs && w&1 != 0 {
		d.str("r")
		d.dec(int64(w >> 1))
		return
	}
	d.str("c")
	d.signed(int64(w))
}

// endRow ends the line after RA. The mark of a signed RA, or its blanks,
// belong to the column.
func (d *objdumper) endRow(r model.FRE, from int) {
	if r.MangledRA() {
		d.str("[s]")
	} else {
		d.str("   ")
	}
	d.pad(from, raWidth)
}

// flexRow writes a flexible FRE.
func (d *objdumper) flexRow(r model.FRE) {
	cfa, k := flexRule(r, 0)
	ra, k := flexRule(r, k)
	fp, _ := flexRule(r, k)
	cfa.off = d.cfaOffset(cfa.off)

	from := len(d.buf)
	d.flexEntity(cfa)
	d.pad(from, cfaWidth)
	from = len(d.buf)
	switch {
	case fp.kind == flexPair:
		d.flexEntity(fp)
	case fp.kind == flexPadding && d.hdr.FixedFPOffset != 0:
		d.slot(int32(d.hdr.FixedFPOffset), false)
	default:
		d.str("u")
	}
	d.pad(from, fpWidth)
	from = len(d.buf)
	switch {
	case ra.kind == flexPair:
		d.flexEntity(ra)
	case ra.kind == flexPadding:
		d.str("U")
	case d.hdr.FixedRAOffset != 0:
		d.str("f")
	default:
		d.str("u")
	}
	d.endRow(r, from)
}

type flexForm uint8

const (
	flexAbsent  flexForm = iota // the FRE has no words for it
	flexPadding                 // a single word of 0
	flexPair                    // a control word and an offset
)

// flexWords are the words of one entity of a flexible FRE.
type flexWords struct {
	kind flexForm
	ctl  uint32
	off  int32
}

// flexRule returns the entity that starts at word k and the start of the next
// one. A control word without an offset counts as absent.
func flexRule(r model.FRE, k int) (flexWords, int) {
	n := r.NumWords()
	if k >= n {
		return flexWords{}, n
	}
	ctl := r.Control(k)
	switch {
	case ctl == 0:
		return flexWords{kind: flexPadding}, k + 1
	case k+1 >= n:
		return flexWords{}, n
	}
	return flexWords{flexPair, ctl, r.Word(k + 1)}, k + 2
}

// flexEntity writes base and offset. It omits the parentheses of a load from
// memory if the CFA is the base.
func (d *objdumper) flexEntity(e flexWords) {
	if e.ctl&model.FlexRegP == 0 {
		d.str("c")
		d.signed(int64(e.off))
		return
	}
	if e.ctl&model.FlexDerefP != 0 {
		d.str("(")
	}
	switch reg := e.ctl >> model.FlexRegShift; reg {
	case d.abi.SP:
		d.str("sp")
	case d.abi.FP:
		d.str("fp")
	default:
		d.str("r")
		d.dec(int64(reg))
	}
	d.signed(int64(e.off))
	if e.ctl&model.FlexDerefP != 0 {
		d.str(")")
	}
}
