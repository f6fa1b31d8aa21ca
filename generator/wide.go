package generator

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// widen changes a function to something that the manual allows and hardly any tool
// writes. Each change is taken back if the function is not valid with it.
func (g *maker) widen(f *Func) {
	edits := []func(*maker, *Func) bool{
		editRowStart, editFirstRow, editRepSize, editNoRows, editBits,
		onRow(editCFAOffset), onRow(editCFAOffset), onRow(editCFABase), onRow(editSlot), onRow(editSlot),
		onRow(editRule), onRow(editRule), editOutermost, editFlexible, onRow(editWords),
	}
	if g.c.Rows >= 255 && g.chance(50) {
		g.tryEdit(f, editCount)
	}
	for range 1 + g.rnd.IntN(5) {
		g.tryEdit(f, edits[g.rnd.IntN(len(edits))])
	}
}

// tryEdit makes a change, unless it makes the function invalid.
func (g *maker) tryEdit(f *Func, edit func(*maker, *Func) bool) {
	was := *f
	was.Rows = slices.Clone(f.Rows)
	flexible := f.FDEType
	if edit(g, f) {
		if f.FDEType == flexible && flexible == model.SFRAME_FDE_TYPE_DEFAULT {
			g.p.refit(f)
		}
		if g.p.validEdit(f) == nil && !g.contradicts(f) {
			return
		}
	}
	*f = was
}

// contradicts reports whether a function has the CFA of one that was just called, but
// another RA or FP: the code in a file would prove that wrong.
func (g *maker) contradicts(f *Func) bool {
	if len(f.Rows) == 0 {
		return false
	}
	entry, r := g.entry().rules(), f.Rows[0].Rules
	return r.CFA == entry.CFA && r != entry
}

// anyRow returns a row that has rules, nil if there is none.
func (g *maker) anyRow(f *Func) *Row {
	if len(f.Rows) == 0 {
		return nil
	}
	r := &f.Rows[g.rnd.IntN(len(f.Rows))]
	if r.Rules.RA.Kind == model.Undefined || r.Words != nil {
		return nil
	}
	return r
}

// onRow makes a change of a row one of a function that has such a row.
func onRow(edit func(*maker, *Func, *Row) bool) func(*maker, *Func) bool {
	return func(g *maker, f *Func) bool {
		r := g.anyRow(f)
		return r != nil && edit(g, f, r)
	}
}

// editRowStart moves a row, up to the end of the function.
func editRowStart(g *maker, f *Func) bool {
	if len(f.Rows) < 2 {
		return false
	}
	j := len(f.Rows) - 1
	if g.chance(30) {
		j = 1 + g.rnd.IntN(j)
	}
	hi := int64(f.Extent())
	if j+1 < len(f.Rows) {
		hi = int64(f.Rows[j+1].Start) - 1
	}
	lo := int64(f.Rows[j-1].Start) + 1
	if hi > 65535 && g.chance(50) {
		lo = max(lo, 65535)
	}
	v, ok := g.corner(lo, hi, g.abi.MinInsn)
	if ok && g.chance(10) && j == len(f.Rows)-1 {
		v = hi
	}
	f.Rows[j].Start = uint32(v)
	return ok
}

// editCount adds rows up to the number that the knobs allow, if that is a large one.
func editCount(g *maker, f *Func) bool {
	want, insn := int(g.mostRows()), uint32(g.abi.MinInsn)
	if want < 255 || len(f.Rows) == 0 || f.Extent()/insn < uint32(want) {
		return false
	}
	for j := range f.Rows {
		f.Rows[j].Start = uint32(j) * insn
	}
	for n := len(f.Rows); len(f.Rows) < want; {
		r := f.Rows[len(f.Rows)%n]
		r.Start = uint32(len(f.Rows)) * insn
		f.Rows = append(f.Rows, r)
	}
	return true
}

// editFirstRow lets the first row start later than the function.
func editFirstRow(g *maker, f *Func) bool {
	if len(f.Rows) == 0 {
		return false
	}
	hi := int64(f.Extent())
	if len(f.Rows) > 1 {
		hi = int64(f.Rows[1].Start) - 1
	}
	v, ok := g.corner(1, hi, g.abi.MinInsn)
	f.Rows[0].Start = uint32(v)
	return ok
}

// editRepSize gives the function a size of stubs, needed or not.
func editRepSize(g *maker, f *Func) bool {
	if !g.p.Version.Info().Stubs {
		return false
	}
	most := min(255, int64(f.Size))
	a := int64(1)
	if f.PCType == model.SFRAME_FDE_PCTYPE_MASK {
		a = g.abi.MinInsn // no instruction is in two stubs
	}
	v, ok := g.corner(a, most, a)
	if ok && g.chance(20) {
		v = (1 + g.rnd.Int64N(most/a)) * a
	}
	f.RepSize = uint8(v)
	return ok
}

// editNoRows removes the rows, and may make the function empty.
func editNoRows(g *maker, f *Func) bool {
	if g.chance(70) {
		return false
	}
	f.Rows, f.FDEType = nil, model.SFRAME_FDE_TYPE_DEFAULT
	if g.chance(20) {
		f.Size = 0
	}
	return true
}

// editBits sets bits that no other rule depends on.
func editBits(g *maker, f *Func) bool {
	switch g.rnd.IntN(3) {
	case 0:
		f.Signal = !f.Signal
	case 1:
		f.PauthKey ^= 1
	default:
		r := g.anyRow(f)
		if r == nil {
			return false
		}
		r.Mangled = !r.Mangled
	}
	return true
}

// editCFAOffset gives a data word of a CFA a corner.
func editCFAOffset(g *maker, _ *Func, r *Row) bool {
	r.Rules.CFA.Offset = g.word(g.abi.CFAScale) + g.abi.CFAAdjust
	return true
}

// editCFABase gives a CFA another base, or lets it be in memory.
func editCFABase(g *maker, _ *Func, r *Row) bool {
	switch g.rnd.IntN(4) {
	case 0:
		r.Rules.CFA.Reg = g.abi.SP
	case 1:
		r.Rules.CFA.Reg = g.abi.FP
	case 2:
		r.Rules.CFA.Reg = g.register(g.abi.AddrRegs)
	default:
		r.Rules.CFA.Deref = !r.Rules.CFA.Deref
	}
	return true
}

// register draws a register, often the first or the last.
func (g *maker) register(n uint32) uint32 {
	switch g.rnd.IntN(4) {
	case 0:
		return 0
	case 1:
		return n - 1
	}
	return g.rnd.Uint32N(n)
}

// editSlot saves RA, FP or both in slots of the frame.
func editSlot(g *maker, _ *Func, r *Row) bool {
	a := int64(1)
	if g.abi.LSBRegs || g.chance(60) {
		a = g.abi.SlotAlign
	}
	v, _ := g.corner(-1<<31, 1<<31-1, a)
	what := g.rnd.IntN(3)
	if what != 1 && g.abi.TracksRA() {
		r.Rules.RA = slot(v)
	}
	if what != 0 {
		r.Rules.FP = slot(v)
	}
	return true
}

// editRule draws a rule for RA or FP from all that there are.
func editRule(g *maker, _ *Func, r *Row) bool {
	v := model.Recovery{Kind: model.InRegister, Deref: g.chance(50), Reg: g.register(g.abi.HoldRegs)}
	if v.Deref || g.chance(20) {
		v.Reg %= g.abi.AddrRegs
		v.Offset = g.word(1)
		if g.abi.LSBRegs {
			v.Offset -= v.Offset % g.abi.SlotAlign
		}
	}
	if g.chance(50) {
		r.Rules.RA = v
	} else {
		r.Rules.FP = v
	}
	return true
}

// editOutermost states that RA is undefined at a row in the middle of the function.
func editOutermost(g *maker, f *Func) bool {
	r := g.anyRow(f)
	if r == nil || !g.p.Version.Errata2() {
		return false
	}
	r.Rules, r.Mangled = noCaller, false
	return true
}

// editFlexible uses the flexible type where the default type does.
func editFlexible(g *maker, f *Func) bool {
	f.FDEType = model.SFRAME_FDE_TYPE_FLEX
	return len(f.Rows) > 0 && !slices.ContainsFunc(f.Rows, func(r Row) bool { return r.Words != nil })
}

// editWords writes a row with words or bits that change nothing: padding at the
// end, a set base bit, a register number without reg_p.
func editWords(g *maker, f *Func, r *Row) bool {
	l, err := g.p.rowWords(f.FDEType, r)
	if err != nil {
		return false
	}
	words, base := slices.Clone(l.Word[:l.N]), l.Base
	flexible := f.FDEType == model.SFRAME_FDE_TYPE_FLEX
	switch fp := 3; {
	case flexible && g.chance(40):
		base = model.SFRAME_BASE_REG_SP
	case flexible && len(words) == 2, !flexible && g.abi.RAPadding && len(words) == 1:
		words = append(words, 0)
	case flexible && len(words) > 2:
		if words[2] != 0 { // RA has a pair of its own
			fp = 4
		}
		if fp >= len(words) || r.Rules.FP.Kind != model.FromCFA {
			return false
		}
		words[fp] |= int64(1+g.rnd.IntN(15)) << model.FlexRegShift
	default:
		return false
	}
	r.Words, r.Base = words, base
	return true
}
