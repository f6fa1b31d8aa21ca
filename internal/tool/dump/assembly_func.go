package dump

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/tool/asm"
	"github.com/sframe-lint/sframe-lint/model"
)

// function writes an FDE and the FREs that no function before it has.
func (a *assembly) function(f *model.FDE) {
	name := a.unique(f)
	own, rows := a.ownRows(f)
	a.str(".func " + name + " ")
	a.hex(a.start(f))
	a.str(" ")
	a.hex(uint64(f.Size()))
	if raw := f.RawStart(); a.relocatable() && raw != 0 {
		a.printf(" start=%d", raw)
	}
	count, width := int64(rows), 1 // as the assembler chooses it
	switch {
	case own:
		width = a.narrowest(f, count)
		a.shared = owner{name, f.StartFREOff(), count, width}
	case a.shared.name != "" && a.shared.off == f.StartFREOff():
		a.printf(" fres=%s", a.shared.name)
		count, width = a.shared.count, a.shared.width
	default:
		a.printf(" fres=0x%x", f.StartFREOff())
	}
	a.numFREs += count
	if f.HasAttr() && (own || a.info.AttrSize == 0) {
		if w := f.FREType().Width(); w != 0 && w != width {
			width = w
			a.printf(" addr%d", w)
		}
		if own {
			a.shared.width = width
		}
		a.attributes(f, count, width)
	}
	a.cover(f.Span())
	a.str("\n")
	if own {
		a.data(f, rows)
	}
}

// ownRows returns whether the text has data of the function, and not before: then how many FREs.
func (a *assembly) ownRows(f *model.FDE) (own bool, rows int) {
	at := a.sec.FRESubsection().Off + int64(f.StartFREOff())
	switch {
	case a.info.AttrSize > 0:
		if !f.HasAttr() || a.has(at) {
			return false, 0
		}
	case f.NumFREs() > 0 && a.has(at):
		return false, 0
	}
	for r := range f.FREs() {
		if a.has(r.Span().Off) {
			break
		}
		rows++
	}
	return true, rows
}

// start returns the start that the assembler turns into the field.
func (a *assembly) start(f *model.FDE) uint64 {
	if a.relocatable() {
		if f.Resolved() {
			return f.Start()
		}
		return 0
	}
	start := a.sec.Addr() + uint64(f.RawStart())
	if a.sec.Header().Flags&model.SFRAME_F_FDE_FUNC_START_PCREL != 0 {
		start += uint64(f.FieldSpan(model.FDEStart).Off)
	}
	return start
}

// attributes writes what the fields say besides start and size.
func (a *assembly) attributes(f *model.FDE, count int64, width int) {
	info, rep := uint8(0), uint8(0)
	if f.Mask() {
		info |= model.InfoPCTypeBit
		a.str(" mask")
		if rep = f.RepSize(); rep != 0 {
			a.printf("=%d", rep)
		}
	}
	if f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B {
		info |= model.InfoPauthKeyBit
		a.str(" key_b")
	}
	if f.Signal() {
		info |= model.InfoSignalBit
		a.str(" signal")
	}
	info2 := uint8(0)
	if f.Flex() {
		info2 = uint8(model.SFRAME_FDE_TYPE_FLEX)
		a.str(" flex")
	}
	info |= map[int]uint8{1: 0, 2: 1, 4: 2}[width]
	for _, x := range [...]struct {
		field     model.FDEField
		want, got int64
	}{
		{model.FDENumFREs, int64(f.ClaimedFREs()), count}, {model.FDEInfo, int64(f.Info()), int64(info)},
		{model.FDEInfo2, int64(f.Info2()), int64(info2)}, {model.FDERepSize, int64(f.RepSize()), int64(rep)},
		{model.FDEPadding, int64(f.Padding()), 0},
	} {
		if x.want != x.got {
			a.printf(" %s=0x%x", asm.FieldName(x.field), x.want)
		}
	}
}

// narrowest returns the smallest width for the starts of the first FREs of a function.
func (a *assembly) narrowest(f *model.FDE, count int64) int {
	last := uint32(0)
	for r := range f.FREs() {
		if int64(r.Index()) >= count {
			break
		}
		last = max(last, r.Start())
	}
	return model.FRETypeFor(last).Width()
}

// data writes the first FREs of a function.
func (a *assembly) data(f *model.FDE, rows int) {
	if at := int64(f.StartFREOff()); at != a.at {
		a.printf("  .org 0x%x\n", at)
		a.at = at
	}
	a.cover(f.AttrSpan())
	if n := f.AttrSpan().Len; n > 0 {
		a.at += n
		a.freLen = max(a.freLen, a.at)
	}
	for r := range f.FREs() {
		if r.Index() >= rows {
			break
		}
		a.row(&r)
		a.cover(r.Span())
		a.at += r.Span().Len
		a.freLen = max(a.freLen, a.at)
		if !a.spill() {
			return
		}
	}
}

// row writes an FRE.
func (a *assembly) row(r *model.FRE) {
	a.str("  ")
	a.dec(int64(r.Start()))
	a.cached(r, func() {
		from := len(a.buf)
		a.str(": ")
		if !a.rules(r) {
			a.buf = append(a.buf[:from], ": "...)
			a.raw(r)
		}
		a.str("\n")
	})
}

// rules writes an FRE by its meaning. It reports whether that gives the same bytes.
func (a *assembly) rules(r *model.FRE) bool {
	row := r.Row()
	words, err := a.head.Words(r.FDEType(), row)
	size, ok := words.Size()
	if err != nil || !ok || words.N != r.NumWords() || words.Base != r.Base() {
		return false
	}
	for k, v := range words.Word[:words.N] {
		if v != int64(r.Word(k)) && v != int64(r.Control(k)) {
			return false
		}
	}
	if r.NumWords() == 0 {
		if a.str("outermost"); r.Info()&^model.FREInfoMangledBit != 0 {
			return false
		}
	} else {
		ra, fp := a.head.Absent()
		a.rule("cfa = ", row.CFA)
		if row.RA != ra {
			a.rule("; ra = ", row.RA)
		}
		if row.FP != fp {
			a.rule("; fp = ", row.FP)
		}
		if size != r.WordSize() {
			a.printf("; size %d", r.WordSize().Width())
		}
	}
	if r.MangledRA() {
		a.str("; signed")
	}
	return true
}

// rule writes how a value is recovered.
func (a *assembly) rule(what string, v model.Recovery) {
	a.str(what)
	a.str(strings.Replace(v.Format(a.abi), "CFA", "cfa", 1))
}

// raw writes an FRE by its words.
func (a *assembly) raw(r *model.FRE) {
	a.str("words")
	words := model.Words{N: r.NumWords()} // all have a sign, as in a text
	for k := range words.N {
		words.Word[k] = int64(r.Word(k))
		if k > 0 {
			a.str(",")
		}
		a.str(" ")
		a.dec(words.Word[k])
	}
	if r.NumWords() == 0 && r.WordSize() != 0 {
		a.printf("; info 0x%02x", r.Info())
		return
	}
	if size, _ := words.Size(); r.WordSize() != size {
		a.printf("; size %d", r.WordSize().Width())
	}
	if r.Base() == model.SFRAME_BASE_REG_SP {
		a.str("; base sp")
	}
	if r.MangledRA() {
		a.str("; signed")
	}
}

// unique returns a name for a function that no other one has: that of its symbol if possible.
func (a *assembly) unique(f *model.FDE) string {
	if a.names == nil {
		a.names = map[string]bool{}
	}
	name := ""
	if symbol, off, ok := a.view.function(f); ok && off == 0 && asm.Plain(string(symbol)) {
		name = string(symbol)
	}
	for n := f.Index(); name == "" || a.names[name]; n += a.sec.NumFDEs() {
		name = fmt.Sprintf("f%d", n)
	}
	a.names[name] = true
	return name
}
