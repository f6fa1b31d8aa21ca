package cfi

import (
	"math/bits"

	"github.com/sframe-lint/sframe-lint/model"
)

// function names an FDE of one of the sides.
type function struct{ section, id int32 }

func (v *interval) function() function { return function{v.section, v.id} }

// parts are the functions of which only one side covers a part, with an
// interval of the other side that covers another part; nil: there is none.
type parts struct{ fdes, cfi map[function]*interval }

// partsOf finds them. It returns none where the budget does not allow it.
func partsOf(a, b []interval, f *Frames) *parts {
	p := &parts{map[function]*interval{}, map[function]*interval{}}
	n, full := 0, false
	add := func(m map[function]*interval, v *interval) {
		if n%partsAtOnce == 0 {
			full = full || !f.keep(partsAtOnce*partCost)
		}
		if n++; !full {
			m[v.function()] = nil
		}
	}
	sweep(a, b, func(x, y *interval, _, _ uint64) {
		switch {
		case y == nil:
			add(p.fdes, x)
		case x == nil:
			add(p.cfi, y)
		}
	})
	if full {
		return &parts{}
	}
	mark := func(m map[function]*interval, v, by *interval) {
		if old, ok := m[v.function()]; ok && old == nil {
			m[v.function()] = by
		}
	}
	sweep(a, b, func(x, y *interval, _, _ uint64) {
		if x != nil && y != nil {
			mark(p.fdes, x, y)
			mark(p.cfi, y, x)
		}
	})
	return p
}

// partCost is about the bytes of a function in parts, of which partsAtOnce are counted at once.
const partsAtOnce, partCost = 1 << 10, 64

type comparer struct {
	s      *model.Section
	f      *Frames
	abi    model.ABIInfo
	report func(Difference)
	n      Comparison
	steps  int
	a, b   []interval             // SFrame, CFI
	parts  *parts                 // nil until part needs them
	open   []Difference           // what may be joined with the next one; Runs 0 for none
	last   [2 * numAspects]uint64 // the end of its last run
	of     function               // that open is about: an FDE, or CFI without one

	fde      model.FDE
	fres     freCursor
	cfi      FDE
	run      Runner
	row      Row
	more     bool // row is valid
	on       struct{ fde, cfi *interval }
	says     Recovered               // of row
	known    uint64                  // which of blocks are
	blocks   *[64]Recovered          // what row says, by the bits of the PC that decide it
	keyKnown bool                    // the key of this pair has been compared
	fresh    struct{ fde, cfi bool } // begin has not seen them
	pairs    int
	ended    bool // the budget has
}

// piece compares the PCs from start to end. a is the SFrame FDE, b the CFI.
func (c *comparer) piece(a, b *interval, start, end uint64) {
	if a == nil || b == nil {
		c.part(a, b, start, end)
		return
	}
	if c.stopped() {
		return
	}
	if c.load(a, b); !c.fde.HasAttr() {
		c.on.fde, c.on.cfi = nil, nil
		return
	}
	c.begin()
	difference := func(from, to uint64) Difference {
		return Difference{Place: a.place, Start: from, End: to, FDE: int(a.id), Section: int(b.section), CFI: c.cfi.Span}
	}
	c.n.Functions++
	if c.s.Version().Info().Signal && c.fde.Signal() != c.cfi.CIE.Signal {
		d := difference(start, end)
		d.Kind, d.Says = SignalDiffers, c.cfi.CIE.Signal
		c.add(d)
	}
	if c.fde.NumFREs() == 0 && c.s.Version().Info().Signal && c.fde.Signal() {
		return // CFI that could not be said
	}
	for pc := start; pc < end; {
		for c.more && c.row.End <= pc {
			c.nextRow()
		}
		fre, to := c.fres.at(pc)
		to = min(to, end, c.row.End)
		if !c.more || to <= pc || !c.affordable() {
			return
		}
		if c.says.PC != 0 {
			to = pc + 1
			c.says = c.at(pc)
		}
		c.n.Rows++
		if !c.agree(fre) {
			d := difference(pc, to)
			c.rows(&d, fre)
		}
		pc = to
	}
}

// stopped spends the work of a pair of functions, and reports whether the budget has
// ended.
func (c *comparer) stopped() bool {
	if c.pairs++; c.pairs%stepPairs == 0 && c.f.budget.Step(stepPairs) != nil {
		c.ended = true
	}
	return c.ended
}

// stepPairs is the number of pairs of functions that are compared between two looks at the budget.
const stepPairs = 1 << 10

// part reports PCs that only one side covers.
func (c *comparer) part(a, b *interval, start, end uint64) {
	if c.parts == nil {
		c.parts = partsOf(c.a, c.b, c.f)
	}
	d := Difference{Kind: NoCFI, Start: start, End: end, FDE: -1, Section: -1}
	other := b
	if a == nil {
		d.Kind, a = NoFDE, c.parts.cfi[b.function()]
	} else if other = c.parts.fdes[a.function()]; other != nil {
		b = other
	}
	if a != nil && b != nil {
		d.Kind = RangeDiffers
	}
	if d.Kind == NoFDE {
		c.neighbours(b, &d)
	}
	if a != nil {
		d.FDE, d.Place = int(a.id), a.place
	}
	if b != nil {
		fde, _ := c.f.Sections[b.section].FDEAt(int64(b.id))
		d.Section, d.Place, d.CFI = int(b.section), b.place, fde.Span
	}
	c.add(d)
}

// neighbours finds the functions that have CFI before and after one, and whether SFrame FDEs cover them.
func (c *comparer) neighbours(v *interval, d *Difference) {
	i, ordered := after(c.b, v.place, v.start), true
	for k, at := range [2]int{i - 2, i} {
		if at < 0 || at >= len(c.b) {
			continue
		}
		w := &c.b[at]
		j := after(c.a, w.place, w.start)
		if w.place != v.place || j == 0 || c.a[j-1].place != w.place || w.start >= c.a[j-1].end {
			continue
		}
		d.Neighbours[k], d.Near[k] = w.start, true
		// The linker keeps the order of the objects in both.
		ordered = ordered && w.section == v.section && (w.id < v.id) == (k == 0)
	}
	d.Both = ordered && d.Near == [2]bool{true, true}
}

// affordable takes one of the steps that no section's size bounds.
func (c *comparer) affordable() bool {
	if !c.fres.mask && c.says.PC == 0 {
		return true
	}
	c.steps--
	c.n.Cut = c.n.Cut || c.steps < 0
	return c.steps >= 0
}

// at returns what the row says at a PC. It remembers that where few bits of the PC decide it, as in a PLT.
func (c *comparer) at(pc uint64) Recovered {
	k := pc & c.says.PC
	if c.says.PC >= uint64(len(c.blocks)) {
		return c.cfi.Recover(&c.row, pc)
	}
	if c.blocks == nil {
		c.blocks = new([64]Recovered)
	}
	if c.known>>k&1 == 0 {
		c.known, c.blocks[k] = c.known|1<<k, c.cfi.Recover(&c.row, pc)
	}
	return c.blocks[k]
}

// agree reports whether the two sides are equal in all that is compared. Most
// are.
func (c *comparer) agree(fre *freRow) bool {
	says := &c.says
	return fre != nil && fre.row.CFA == says.CFA && fre.row.RA == says.RA && fre.row.FP == says.FP &&
		says.CFAReason|says.RAReason|says.FPReason == Comparable && c.cfi.ignored(&c.row) == "" &&
		(!c.abi.Pauth || !fre.MangledRA() && c.row.Sign == 0)
}

// load makes a the current SFrame FDE and b that of the CFI.
func (c *comparer) load(a, b *interval) {
	c.fresh.fde, c.fresh.cfi = c.on.fde != a, c.on.cfi != b
	if c.fresh.fde {
		c.fde, c.on.fde = c.s.FDE(int(a.id)), a
	}
	if c.fresh.cfi {
		c.cfi, _ = c.f.Sections[b.section].FDEAt(int64(b.id))
		c.on.cfi = b
	}
}

// begin goes to the first rows of what load has loaded.
func (c *comparer) begin() {
	if c.fresh.fde {
		c.fres.reset(c.fde)
	}
	if c.fresh.cfi {
		c.run.Reset(&c.cfi)
		c.nextRow()
	}
	c.keyKnown = c.keyKnown && !c.fresh.fde && !c.fresh.cfi
}

func (c *comparer) nextRow() {
	if c.more = c.run.Next(&c.row); c.more {
		c.says, c.known = c.cfi.Recover(&c.row, c.row.Start), 0
		if x := c.run.Fault(); x.Code != NoFault {
			if c.n.Damage.Count == 0 {
				c.n.Damage.Section = int(c.on.cfi.section)
			}
			c.n.Damage.add(x)
		}
	}
}

// rows compares an FRE, or that there is none, with the row.
func (c *comparer) rows(d *Difference, fre *freRow) {
	cfi := &c.says
	d.Rules, d.Code = *cfi, c.row.Code
	undefined := cfi.RA.Kind == model.Undefined
	if fre == nil {
		switch {
		case cfi.CFAReason == NoCFARule: // there is nothing that an FRE could say
		case c.fde.NumFREs() > 0 || !c.outermostFDE():
			c.differs(d, 1<<NoFRE)
		case !undefined && cfi.RAReason == Comparable:
			c.differs(d, 1<<OutermostDiffers)
		}
		return
	}
	d.FRE, d.Row = fre.FRE, *fre.row
	if undefined || fre.row.Outermost() {
		if d.Says = undefined; undefined != fre.row.Outermost() && cfi.RAReason == Comparable {
			c.differs(d, 1<<OutermostDiffers)
		}
		return
	}
	c.differs(d, cfi.Differs(fre.row, &c.abi))
	if c.cfi.ignored(&c.row) != "" {
		c.differs(d, 1<<Ignored)
	}
	if c.abi.Pauth && c.row.Sign&RAUnknown == 0 {
		c.signed(d, fre)
	}
}

// differs adds the first of some kinds that differ at the same PCs, and notes the
// others.
func (c *comparer) differs(d *Difference, kinds Kinds) {
	if kinds == 0 {
		return
	}
	d.Kind = Aspect(bits.TrailingZeros16(uint16(kinds)))
	d.Also = kinds &^ (1 << d.Kind)
	d.Inexpressible = c.inexpressible(d.Kind)
	c.add(*d)
}

func (c *comparer) signed(d *Difference, fre *freRow) {
	signed := c.row.Sign&RASigned != 0
	if fre.MangledRA() != signed {
		d.Says = signed
		c.differs(d, 1<<MangledDiffers)
	}
	if signed && !c.keyKnown {
		c.keyKnown = true
		if d.Says = c.cfi.CIE.KeyB; (c.fde.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B) != d.Says {
			c.differs(d, 1<<KeyDiffers)
		}
	}
}

// outermostFDE reports whether an FDE without FREs says that RA is undefined.
func (c *comparer) outermostFDE() bool {
	return c.s.Version().Info().OutermostFDE && c.fde.Type() == model.SFRAME_FDE_TYPE_DEFAULT
}

// Differs returns the set of CFADiffers, RADiffers and FPDiffers that apply when row has the SFrame rules at the same
// PCs. Neither side may be outermost. CFI rules that are not Comparable never differ, except that a missing CFA rule
// always does.
func (r *Recovered) Differs(row *model.Row, abi *model.ABIInfo) (kinds Kinds) {
	if r.CFAReason == Comparable && row.CFA != r.CFA || r.CFAReason == NoCFARule {
		kinds |= 1 << CFADiffers
	}
	ra := r.RAReason == Comparable && (r.RA.Kind != model.Unchanged || abi.TracksRA())
	if ra && !same(row.RA, r.RA, abi.RA, row.CFA, r.CFA) {
		kinds |= 1 << RADiffers
	}
	if r.FPReason == Comparable && r.FP.Kind != model.Undefined && !same(row.FP, r.FP, abi.FP, row.CFA, r.CFA) {
		kinds |= 1 << FPDiffers
	}
	return kinds
}

// same reports whether two rules of a register give the same value, each with
// the CFA of its side.
func same(a, b model.Recovery, self uint32, cfaA, cfaB model.Recovery) bool {
	a, b = canonical(a, self), canonical(b, self)
	return a == b || onRegister(a, cfaA) == onRegister(b, cfaB)
}

// canonical returns Unchanged for a register that is recovered from itself.
func canonical(v model.Recovery, self uint32) model.Recovery {
	if v == (model.Recovery{Kind: model.InRegister, Reg: self}) {
		return model.Recovery{Kind: model.Unchanged}
	}
	return v
}

// onRegister replaces the CFA in a rule by the register that it counts from.
func onRegister(v, cfa model.Recovery) model.Recovery {
	if v.Kind == model.FromCFA && cfa.Kind == model.InRegister && !cfa.Deref {
		return model.Recovery{Kind: model.InRegister, Deref: v.Deref, Reg: cfa.Reg, Offset: v.Offset + cfa.Offset}
	}
	return v
}

// add joins a difference with those of its kind in the same function.
func (c *comparer) add(d Difference) {
	of := function{-1, int32(d.FDE)}
	if d.FDE < 0 {
		of = function{int32(d.Section), int32(d.CFI.Off)}
	}
	if c.open == nil {
		c.open = make([]Difference, 2*numAspects)
	}
	if of != c.of {
		c.flush()
		c.of = of
	}
	k := 2 * int(d.Kind)
	if d.Inexpressible {
		k++
	}
	p := &c.open[k]
	n := d.End - d.Start
	switch {
	case p.Runs == 0:
		d.Runs, d.PCs = 1, n
		*p = d
	case c.last[k] != d.Start || !p.equal(&d):
		p.Runs++
		p.PCs += n
	default:
		if p.PCs += n; p.Runs == 1 {
			p.End = d.End
		}
	}
	c.last[k] = d.End
}

// equal reports whether two differences of a kind state the same rules.
func (d *Difference) equal(e *Difference) bool {
	a, b := d.Of(d.Kind)
	x, y := e.Of(d.Kind)
	return a == x && b == y && d.Also == e.Also
}

// flush reports the differences of a function.
func (c *comparer) flush() {
	for i := range c.open {
		if d := &c.open[i]; d.Runs > 0 {
			c.report(*d)
			d.Runs = 0
		}
	}
}

// inexpressible reports whether the version of the section cannot express
// what the CFI says.
func (c *comparer) inexpressible(kind Aspect) bool {
	v := c.s.Version().Info()
	switch kind {
	case Ignored:
		return true
	case OutermostDiffers:
		return c.says.RA.Kind == model.Undefined && !v.Errata2
	case CFADiffers:
		return c.says.CFAReason == Comparable && cfaOutside(&v, &c.abi, c.says.CFA)
	case RADiffers:
		return registerOutside(&v, &c.abi, c.says.RA, !c.abi.TracksRA())
	case FPDiffers:
		return registerOutside(&v, &c.abi, c.says.FP, false)
	}
	return false
}
