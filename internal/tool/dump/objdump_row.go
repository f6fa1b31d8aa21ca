package dump

import "github.com/sframe-lint/sframe-lint/model"

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
	slot, hit := d.cache.find(&r)
	if hit {
		d.buf = append(d.buf, slot.text...)
		return
	}
	from := len(d.buf)
	d.rules(r)
	slot.keep(d.buf[from:])
}

// rules writes the contents of an FRE, to the end of the line.
func (d *objdumper) rules(r model.FRE) {
	switch {
	case r.NumWords() == 0:
		d.str("RA undefined")
	case r.FDEType() == model.SFRAME_FDE_TYPE_FLEX:
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
