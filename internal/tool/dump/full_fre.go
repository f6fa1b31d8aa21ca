package dump

import "github.com/sframe-lint/sframe-lint/model"

// Widths of the columns for FREs.
const (
	ruleWidth = 12
	baseWidth = 6
)

// raColumn is the width of the RA column, with room for "signed".
func raColumn(abi model.ABIInfo) int {
	if abi.Pauth {
		return ruleWidth + len(" signed")
	}
	return ruleWidth
}

// wordsColumn is the width of the column of data words.
func wordsColumn(t model.FDEType) int {
	if t == model.SFRAME_FDE_TYPE_FLEX {
		return 24
	}
	return 12
}

// rows writes the FREs of an FDE, with their faults.
func (d *fullDumper) rows(f *model.FDE) {
	switch {
	case f.NumFREs() > 0:
		d.rowHeading(f)
	case f.HasAttr() && f.ClaimedFREs() == 0 && f.Section().Version().Info().OutermostFDE && f.Type() == model.SFRAME_FDE_TYPE_DEFAULT:
		d.str("  no FREs: ")
		if f.Signal() {
			d.str("an outermost frame by the manual, but in a signal frame CFI that was left out\n")
		} else {
			d.str("an outermost frame, or CFI that was left out\n")
		}
	}
	base, _ := pcs(f, 0, 0)
	width := pcsWidth(f)
	for r := range f.FREs() {
		if len(d.faults) > 0 {
			d.faultLines("  ", d.faultsOf(f.Index(), r.Index()))
		}
		d.row(&r, base, width)
		if !d.spill() {
			return
		}
	}
	d.faultLines("  ", d.faultsFrom(f.Index(), f.NumFREs()))
}

// pcsWidth is the width of the column of PC ranges in an FDE.
func pcsWidth(f *model.FDE) int {
	from, to := pcs(f, 0, f.Extent())
	return max(len("[0x,0x)")+2*max(hexLen(from), hexLen(to)), len(pcsTitle(f))) + 2
}

func pcsTitle(f *model.FDE) string {
	switch {
	case f.Mask():
		return "in a stub"
	case !f.Resolved():
		return "in the function"
	}
	return "PCs"
}

// pcs returns the addresses that an FRE covers. For a MASK FDE they are in the
// stub, as they repeat.
func pcs(f *model.FDE, start, end uint32) (from, to uint64) {
	base := f.Start()
	if !f.Resolved() || f.Mask() {
		base = 0
	}
	return base + uint64(start), base + uint64(end)
}

// cell writes a column with at least two blanks after it.
func (d *fullDumper) cell(text string, width int) {
	from := len(d.buf)
	d.str(text)
	d.gap(from, width)
}

// gap ends a column that began at from.
func (d *fullDumper) gap(from, width int) { d.pad(from, max(width, len(d.buf)-from+2)) }

func (d *fullDumper) rowHeading(f *model.FDE) {
	k, title, width := d.kindOf(f), pcsTitle(f), pcsWidth(f)
	if k.title == title && k.width == width {
		d.buf = append(d.buf, k.heading...)
		return
	}
	from := len(d.buf)
	d.str("  ")
	d.cell("offset", offsetWidth)
	d.cell("start", offsetWidth)
	d.cell(title, width)
	d.cell("CFA", ruleWidth)
	d.cell("RA", raColumn(d.sec.ABI()))
	d.cell("FP", ruleWidth)
	d.cell("base", baseWidth)
	d.cell("words", wordsColumn(f.Type()))
	d.str("bytes\n")
	k.title, k.width, k.heading = title, width, append(k.heading[:0], d.buf[from:]...)
}

// row writes an FRE; base is the base of its PCs, and width that of their column.
func (d *fullDumper) row(r *model.FRE, base uint64, width int) {
	slot, hit := d.cache.find(r)
	if !hit {
		from := len(d.buf)
		d.meaning(*r)
		slot.cut = len(d.buf) - from
		d.str(" ")
		info := r.InfoSpan()
		d.bytes(d.s.Data[info.Off:r.Span().End()])
		d.str("\n")
		slot.keep(d.buf[from:])
		d.buf = d.buf[:from]
	}
	at := r.StartSpan()
	start, end := r.Start(), r.End()
	b := appendColumns(d.buf, uint64(at.Off), uint64(start), base+uint64(start), base+uint64(end), width)
	b = append(b, slot.text[:slot.cut]...)
	b = appendBytes(b, d.s.Data[at.Off:at.End()])
	d.buf = append(b, slot.text[slot.cut:]...)
}

// appendColumns appends the columns of an FRE before its meaning: where it is in the section, where it
// starts, and its range of PCs in a column of a width.
func appendColumns(b []byte, off, start, from, to uint64, width int) []byte {
	b = append(b, "  "...)
	end := len(b) + offsetWidth
	b = appendHex(b, 4, off)
	b = appendBlanks(b, max(end, len(b)+2))
	end = len(b) + offsetWidth
	b = appendHex(b, 1, start)
	b = appendBlanks(b, max(end, len(b)+2))
	end = len(b) + width
	b = appendHex(append(b, '['), 1, from)
	b = appendHex(append(b, ','), 1, to)
	b = append(b, ')')
	return appendBlanks(b, max(end, len(b)+2))
}

// meaning writes the meaning of the FRE's contents.
func (d *fullDumper) meaning(r model.FRE) {
	row, abi := r.Row(), d.sec.ABI()
	cfa, ra, fp := row.CFA.Format(abi), row.RA.Format(abi), row.FP.Format(abi)
	if row.Outermost() && r.NumWords() == 0 {
		cfa, fp = "-", "-" // the FRE says nothing about them
	}
	if r.MangledRA() {
		ra += " signed"
	}
	d.cell(cfa, ruleWidth)
	d.cell(ra, raColumn(abi))
	d.cell(fp, ruleWidth)
	switch {
	case r.NumWords() == 0, r.FDEType() != model.SFRAME_FDE_TYPE_DEFAULT:
		d.cell("-", baseWidth) // the bit has no meaning
	default:
		d.cell(r.Base().String(), baseWidth)
	}
	from := len(d.buf)
	d.words(r)
	d.gap(from, wordsColumn(r.FDEType()))
}

// words writes the data words, signed; the control words of a flexible FDE
// as bits.
func (d *fullDumper) words(r model.FRE) {
	if r.NumWords() == 0 {
		d.str("-")
		return
	}
	pair := false // the next word is an offset
	for k := range r.NumWords() {
		if k > 0 {
			d.str(" ")
		}
		if r.Flex() && !pair {
			ctl := r.Control(k)
			d.hex(uint64(ctl))
			pair = ctl != 0
		} else {
			d.dec(int64(r.Word(k)))
			pair = false
		}
	}
}
