package ehframe

import (
	"github.com/sframe-lint/sframe-lint/model"
)

// DifferenceKind says what SFrame data and CFI disagree on.
type DifferenceKind uint8

// Kinds of difference.
const (
	// NoCFI: code that an SFrame FDE covers and no CFI.
	NoCFI DifferenceKind = iota
	// NoFDE: code that CFI covers and no SFrame FDE.
	NoFDE
	// NoFRE: the FDE has no FRE for code inside it.
	NoFRE
	// CFADiffers, RADiffers and FPDiffers: the recovery rules are not the same.
	CFADiffers
	RADiffers
	FPDiffers
	// OutermostDiffers: only one of the two says that RA is undefined.
	OutermostDiffers
	// MangledDiffers: only one of the two says that RA is signed (AArch64).
	MangledDiffers
	// KeyDiffers: RA is signed, and with another key (AArch64).
	KeyDiffers
	// SignalDiffers: only one of the two says that it is a signal frame. Only
	// versions with such a mark are compared.
	SignalDiffers

	numKinds
)

var kindNames = [...]string{"no CFI", "no FDE", "no FRE", "CFA", "RA", "FP", "outermost frame", "signed RA", "key", "signal frame"}

func (k DifferenceKind) String() string { return kindNames[k] }

// Difference is a run of PCs at which SFrame data and CFI disagree in one
// way.
type Difference struct {
	Kind       DifferenceKind
	Place      uint32 // 0, or the index of the section that Start counts from
	Start, End uint64 // PCs of the first run
	Runs       int    // runs of PCs that have been joined
	PCs        uint64 // bytes of code of all runs

	FDE int       // of SFrame, -1 with NoFDE
	FRE model.FRE // the first one, with kinds of rows

	Section int        // index in Frames.Sections, -1 with NoCFI
	CFI     model.Span // of the FDE of the CFI
	Code    model.Span // instructions of the first row, with kinds of rows

	// SFrame and Rule are the two recovery rules of CFADiffers, RADiffers and
	// FPDiffers. The other kinds with rows are in Says: whether CFI says it.
	SFrame, Rule model.Recovery
	Says         bool
	// Partial says that other code of the same function is covered, with NoCFI
	// and NoFDE.
	Partial bool
	// Inexpressible says that the version of the section has no way to agree
	// with the CFI.
	Inexpressible bool
}

// Comparison counts what [Compare] has done.
type Comparison struct {
	Functions int // pairs of an SFrame FDE and CFI
	Rows      int // pairs of an FRE and a row of the CFI
	// Skipped counts rules of the CFI that could not be compared, by reason.
	Skipped map[Reason]int
	// Cut says that blocks of MASK FDEs, or code whose CFI depends on the PC,
	// were too much to compare all of it.
	Cut bool
}

// maxSteps bounds the steps of MASK FDEs and of CFI that depends on the PC,
// which neither section's size bounds.
const maxSteps = 1 << 22

// Compare compares SFrame data with the CFI of the same object and passes each
// difference to report, those of a kind in the order of the addresses. It
// compares by PC: how the two sides divide code into FDEs and rows does not
// matter. Successive differences of a kind in a function that have the same
// rules are joined. FDEs of
// size 0 and dead CFI take no part.
func Compare(s *model.Section, f *Frames, report func(Difference)) Comparison {
	c := comparer{s: s, f: f, abi: s.ABI(), report: report, steps: maxSteps}
	c.n.Skipped = map[Reason]int{}
	a, b := sframeIntervals(s), f.intervals()
	c.sharedFDEs, c.sharedCFI = shared(a, b)
	sweep(a, b, c.piece)
	c.flush()
	return c.n
}

// function names an FDE of one of the sides.
type function struct {
	section int32
	id      int64
}

func (v *interval) function() function { return function{v.section, v.id} }

// shared returns the functions of which one side covers a part alone, and
// whether both sides cover another part.
func shared(a, b []interval) (fdes, cfi map[function]bool) {
	fdes, cfi = map[function]bool{}, map[function]bool{}
	sweep(a, b, func(x, y *interval, _, _ uint64) {
		switch {
		case y == nil:
			fdes[x.function()] = false
		case x == nil:
			cfi[y.function()] = false
		}
	})
	mark := func(m map[function]bool, v *interval) {
		if _, ok := m[v.function()]; ok {
			m[v.function()] = true
		}
	}
	sweep(a, b, func(x, y *interval, _, _ uint64) {
		if x != nil && y != nil {
			mark(fdes, x)
			mark(cfi, y)
		}
	})
	return fdes, cfi
}

type comparer struct {
	s      *model.Section
	f      *Frames
	abi    model.ABIInfo
	report func(Difference)
	n      Comparison
	steps  int
	open   [numKinds]Difference // what may be joined with the next one; Runs 0 for none
	last   [numKinds]uint64     // the end of its last run
	// See shared.
	sharedFDEs, sharedCFI map[function]bool

	fde      model.FDE
	fres     freCursor
	cfi      FDE
	run      Runner
	row      Row
	more     bool // row is valid
	on       struct{ fde, cfi *interval }
	says     Recovered // of row
	keyKnown bool      // the key of this pair has been compared
}

// piece compares the PCs from start to end. a is the SFrame FDE, b the CFI.
func (c *comparer) piece(a, b *interval, start, end uint64) {
	d := Difference{Place: 0, Start: start, End: end, FDE: -1, Section: -1}
	if a != nil {
		d.FDE, d.Place = int(a.id), a.place
		c.setFDE(a)
	}
	if b != nil {
		d.Section, d.Place = int(b.section), b.place
		c.setCFI(b)
		d.CFI = c.cfi.Span
	}
	switch {
	case b == nil:
		d.Kind, d.Partial = NoCFI, c.sharedFDEs[a.function()]
		c.add(d)
		return
	case a == nil:
		d.Kind, d.Partial = NoFDE, c.sharedCFI[b.function()]
		c.add(d)
		return
	}
	c.signal(d)
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
		if c.says.PCDependent {
			to = pc + 1
			c.says = c.cfi.Recover(&c.row, pc)
		}
		c.n.Rows++
		if !c.agree(fre) {
			d.Start, d.End, d.Code = pc, to, c.row.Code
			c.rows(&d, fre)
		}
		pc = to
	}
}

// affordable takes one of the steps that no section's size bounds.
func (c *comparer) affordable() bool {
	if !c.fres.mask && !c.says.PCDependent {
		return true
	}
	c.steps--
	c.n.Cut = c.n.Cut || c.steps < 0
	return c.steps >= 0
}

// agree reports whether the two sides are equal in all that is compared. Most
// are.
func (c *comparer) agree(fre *freRow) bool {
	says := &c.says
	return fre != nil && fre.row.CFA == says.CFA && fre.row.RA == says.RA && fre.row.FP == says.FP &&
		says.CFAReason|says.RAReason|says.FPReason == Comparable &&
		(!c.abi.Pauth || !fre.MangledRA() && c.row.Sign == 0)
}

// setFDE makes a the current SFrame FDE.
func (c *comparer) setFDE(a *interval) {
	if c.on.fde == a {
		return
	}
	c.fde = c.s.FDE(int(a.id))
	c.fres.reset(c.fde)
	c.on.fde = a
	c.keyKnown = false
}

// setCFI makes b the current FDE of the CFI.
func (c *comparer) setCFI(b *interval) {
	if c.on.cfi == b {
		return
	}
	c.cfi, _ = c.f.Sections[b.section].FDEAt(b.id)
	c.on.cfi = b
	c.run.Reset(&c.cfi)
	c.keyKnown = false
	c.nextRow()
}

func (c *comparer) nextRow() {
	if c.more = c.run.Next(&c.row); c.more {
		c.says = c.cfi.Recover(&c.row, c.row.Start)
		for _, why := range [...]Reason{c.says.CFAReason, c.says.RAReason, c.says.FPReason} {
			if why != Comparable {
				c.n.Skipped[why]++
			}
		}
	}
}

func (c *comparer) signal(d Difference) {
	c.n.Functions++
	d.Kind, d.Says = SignalDiffers, c.cfi.CIE.Signal
	if c.s.Version().Info().Signal && c.fde.Signal() != d.Says {
		c.add(d)
	}
}

// rows compares an FRE, or that there is none, with the row.
func (c *comparer) rows(d *Difference, fre *freRow) {
	add := func(kind DifferenceKind, sf, rule model.Recovery, says bool) {
		d.Kind, d.SFrame, d.Rule, d.Says = kind, sf, rule, says
		d.Inexpressible = c.inexpressible(kind)
		c.add(*d)
	}
	cfi := &c.says
	if fre == nil {
		if cfi.CFAReason == NoCFARule {
			return // there is nothing that an FRE could say
		}
		if c.fde.NumFREs() > 0 || !c.outermostFDE() || cfi.RA.Kind != model.Undefined {
			add(NoFRE, model.Recovery{}, model.Recovery{}, false)
		}
		return
	}
	d.FRE = fre.FRE
	if out := cfi.RA.Kind == model.Undefined; out || fre.row.Outermost() {
		if out != fre.row.Outermost() && cfi.RAReason == Comparable {
			add(OutermostDiffers, model.Recovery{}, model.Recovery{}, out)
		}
		return
	}
	if cfi.CFAReason == Comparable && fre.row.CFA != cfi.CFA {
		add(CFADiffers, fre.row.CFA, cfi.CFA, false)
	}
	ra := cfi.RAReason == Comparable && (cfi.RA.Kind != model.Unchanged || c.abi.TracksRA())
	if ra && !c.same(fre.row.RA, cfi.RA, c.abi.RA, fre.row.CFA, cfi.CFA) {
		add(RADiffers, fre.row.RA, cfi.RA, false)
	}
	if cfi.FPReason == Comparable && cfi.FP.Kind != model.Undefined && !c.same(fre.row.FP, cfi.FP, c.abi.FP, fre.row.CFA, cfi.CFA) {
		add(FPDiffers, fre.row.FP, cfi.FP, false)
	}
	if c.abi.Pauth && c.row.Sign&RAUnknown == 0 {
		c.signed(fre, add)
	}
}

func (c *comparer) signed(fre *freRow, add func(kind DifferenceKind, sf, rule model.Recovery, says bool)) {
	signed := c.row.Sign&RASigned != 0
	if fre.MangledRA() != signed {
		add(MangledDiffers, model.Recovery{}, model.Recovery{}, signed)
	}
	if signed && !c.keyKnown {
		c.keyKnown = true
		if (c.fde.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B) != c.cfi.CIE.KeyB {
			add(KeyDiffers, model.Recovery{}, model.Recovery{}, c.cfi.CIE.KeyB)
		}
	}
}

// outermostFDE reports whether an FDE without FREs says that RA is undefined.
func (c *comparer) outermostFDE() bool {
	return c.s.Version().Info().OutermostFDE && c.fde.Type() == model.SFRAME_FDE_TYPE_DEFAULT
}

// same reports whether two rules of a register give the same value, each with
// the CFA of its side.
func (c *comparer) same(a, b model.Recovery, self uint32, cfaA, cfaB model.Recovery) bool {
	a, b = canonical(a, self), canonical(b, self)
	return a == b || based(a, cfaA) == based(b, cfaB)
}

// canonical returns Unchanged for a register that is recovered from itself.
func canonical(v model.Recovery, self uint32) model.Recovery {
	if v == (model.Recovery{Kind: model.InRegister, Reg: self}) {
		return model.Recovery{Kind: model.Unchanged}
	}
	return v
}

// based replaces the CFA in a rule by the register that it counts from.
func based(v, cfa model.Recovery) model.Recovery {
	if v.Kind == model.FromCFA && cfa.Kind == model.InRegister && !cfa.Deref {
		return model.Recovery{Kind: model.InRegister, Deref: v.Deref, Reg: cfa.Reg, Offset: v.Offset + cfa.Offset}
	}
	return v
}

// add reports a difference, or joins it with the previous one of its kind.
func (c *comparer) add(d Difference) {
	p := &c.open[d.Kind]
	n := d.End - d.Start
	if p.Runs > 0 && p.Place == d.Place && p.FDE == d.FDE && p.Section == d.Section && p.CFI == d.CFI &&
		p.SFrame == d.SFrame && p.Rule == d.Rule && p.Says == d.Says {
		if p.PCs += n; c.last[d.Kind] != d.Start {
			p.Runs++
		} else if p.Runs == 1 {
			p.End = d.End
		}
		c.last[d.Kind] = d.End
		return
	}
	if p.Runs > 0 {
		c.report(*p)
	}
	d.Runs, d.PCs, c.last[d.Kind] = 1, n, d.End
	*p = d
}

func (c *comparer) flush() {
	for _, d := range c.open {
		if d.Runs > 0 {
			c.report(d)
		}
	}
}

// inexpressible reports whether the version of the section cannot express
// what the CFI says.
func (c *comparer) inexpressible(kind DifferenceKind) bool {
	v := c.s.Version().Info()
	switch kind {
	case OutermostDiffers:
		return c.says.RA.Kind == model.Undefined && !v.Errata2
	case CFADiffers:
		r := c.says.CFA
		return !v.Flex && (r.Deref || r.Reg != c.abi.SP && r.Reg != c.abi.FP)
	case RADiffers:
		return !v.Flex && c.outside(c.says.RA, !c.abi.TracksRA())
	case FPDiffers:
		return !v.Flex && c.outside(c.says.FP, false)
	}
	return false
}

// outside reports whether an FRE of the default type has no word for a rule.
// fixed says that the register is always saved at one offset.
func (c *comparer) outside(r model.Recovery, fixed bool) bool {
	switch {
	case fixed:
		return r != model.Recovery{Kind: model.FromCFA, Deref: true, Offset: int64(c.abi.FixedRA)}
	case r.Kind == model.InRegister:
		return r.Deref || r.Offset != 0 || !c.abi.LSBRegs || !c.s.Version().Info().WordRegs
	case r.Kind == model.FromCFA:
		return !r.Deref
	}
	return false
}
