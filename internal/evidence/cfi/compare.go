package cfi

import (
	"math/bits"

	"github.com/sframe-lint/sframe-lint/model"
)

// Aspect is a way in which SFrame data and CFI can differ.
type Aspect uint8

// The aspects.
const (
	// NoCFI means that an SFrame FDE covers code without CFI.
	NoCFI Aspect = iota
	// NoFDE means that CFI covers code without an SFrame FDE.
	NoFDE
	// RangeDiffers means that SFrame data and CFI both cover one part of a function, and only one of the two covers
	// another part.
	RangeDiffers
	// NoFRE means that an SFrame FDE has no FRE for a part of its code.
	NoFRE
	// CFADiffers, RADiffers and FPDiffers mean that the recovery rules for the CFA, RA or FP differ.
	CFADiffers
	RADiffers
	FPDiffers
	// Ignored means that the CFI has a rule that assemblers ignore: see [Obstacle].
	Ignored
	// OutermostDiffers means that only the SFrame data or only the CFI marks RA as undefined.
	OutermostDiffers
	// MangledDiffers means that only the SFrame data or only the CFI marks RA as signed (AArch64).
	MangledDiffers
	// KeyDiffers means that SFrame data and CFI both mark RA as signed, but with different keys (AArch64).
	KeyDiffers
	// SignalDiffers means that only the SFrame data or only the CFI marks the function as a signal frame. Compare
	// skips versions of SFrame without such a mark.
	SignalDiffers

	numAspects
)

var aspectNames = [...]string{"no CFI", "no FDE", "range", "no FRE", "CFA", "RA", "FP", "ignored", "outermost frame", "signed RA", "key", "signal frame"}

func (k Aspect) String() string { return aspectNames[k] }

// Difference is one kind of difference between SFrame data and CFI in one function. It holds the first run of PCs
// that differ, and the number of runs.
type Difference struct {
	Kind       Aspect
	Place      uint32 // index of the section in which Start and End are offsets; 0: they are addresses
	Start, End uint64 // the first run has the PCs in [Start, End)
	Runs       int    // number of runs of PCs
	PCs        uint64 // bytes of code in all runs

	FDE int       // index of the SFrame FDE; -1 for NoFDE
	FRE model.FRE // the FRE of the first run, for kinds that compare rows

	Section int        // index in Frames.Sections; -1 for NoCFI
	CFI     model.Span // the bytes of the CFI's FDE
	Code    model.Span // the CFI instructions of the first run's row, for kinds that compare rows; Len 0: the CIE's instructions

	// Row has the recovery rules of the FRE, and Rules has the recovery rules of the CFI. Only kinds that compare
	// rows set these fields.
	Row   model.Row
	Rules Recovered
	// Says is the CFI's side of OutermostDiffers, MangledDiffers, KeyDiffers and SignalDiffers. For KeyDiffers, true
	// means key B.
	Says bool
	// Also has the other kinds that differ at the PCs of the first run. Compare reports these kinds only for other
	// PCs.
	Also Kinds
	// With NoFDE, Near reports whether SFrame FDEs cover the functions before and after this function. These start at
	// Neighbours. Both reports that both are covered, in the order of the CFI.
	Near       [2]bool
	Both       bool
	Neighbours [2]uint64
	// Inexpressible reports whether the version of the section cannot express the CFI.
	Inexpressible bool
}

// Kinds is a set of aspects.
type Kinds uint16

// Has reports whether the set contains kind.
func (k Kinds) Has(kind Aspect) bool { return k>>kind&1 != 0 }

// Add adds kind to the set.
func (k *Kinds) Add(kind Aspect) { *k |= 1 << kind }

// Of returns the SFrame rule and the CFI rule for the CFA, RA or FP, as kind (CFADiffers, RADiffers or FPDiffers)
// selects. For other kinds, it returns zero values.
func (d *Difference) Of(kind Aspect) (sframe, cfi model.Recovery) {
	switch kind {
	case CFADiffers:
		return d.Row.CFA, d.Rules.CFA
	case RADiffers:
		return d.Row.RA, d.Rules.RA
	case FPDiffers:
		return d.Row.FP, d.Rules.FP
	}
	return sframe, cfi
}

// Comparison counts what [Compare] compared.
type Comparison struct {
	Functions int // pairs of an SFrame FDE and an FDE of the CFI
	Rows      int // pairs of an FRE and a row of the CFI
	// Damage counts the CFI programs with faults. Its Section is the section of the first such program.
	Damage Damage
	// Cut reports that the comparison is incomplete: MASK FDEs have too many blocks, or too much code has CFI that
	// depends on the PC.
	Cut bool
}

// maxSteps bounds the steps of MASK FDEs and of CFI that depends on the PC,
// which neither section's size bounds.
const maxSteps = 1 << 22

// Compare compares SFrame data with the CFI of the same object, PC by PC, and passes each difference to report in
// address order. How either side divides the code into FDEs and rows does not matter. Compare merges equal
// differences in a function, and ignores dead CFI and FDEs of size 0.
func Compare(s *model.Section, f *Frames, report func(Difference)) Comparison {
	a, b := f.sframeIntervals(s), f.intervals()
	if a == nil {
		return Comparison{}
	}
	c := comparer{s: s, f: f, abi: s.ABI(), report: report, steps: maxSteps, a: a, b: b}
	sweep(a, b, c.piece)
	c.flush()
	return c.n
}

// freRow is an FRE with its recovery rules.
type freRow struct {
	model.FRE
	row *model.Row
}

// v1Block is the size in bytes of the PLT stubs that version 1 has MASK FDEs
// for: it does not record it, and only AMD64 has such FDEs.
const v1Block = 16

// freCursor finds the FREs of an FDE for PCs that go up.
type freCursor struct {
	fde  model.FDE
	from uint64 // the start of the function
	mask bool
	typ  model.FDEType
	rep  uint64 // bytes of a block of a MASK FDE
	cur  freRow
	long model.Row // of an FRE that rows cannot have
	ok   bool      // cur is valid
	end  uint64    // of cur's code: offset from the start of the function
	next model.FRE // after cur, if more
	more bool
	// blocks are the FREs of a MASK FDE.
	blocks []freRow
	rows   []knownRow // few for a small section: a power of two
}

// knownRow keeps the recovery rules of an FRE by its bytes: a section has few
// different ones.
type knownRow struct {
	words uint64
	info  uint8
	typ   model.FDEType
	known bool
	row   model.Row
}

// rules returns the recovery rules of an FRE.
func (c *freCursor) rules(r model.FRE) *model.Row {
	words, n := r.Content()
	if n > 8 {
		c.long = r.Row()
		return &c.long
	}
	if c.rows == nil {
		c.rows = make([]knownRow, 1<<min(bits.Len(uint(c.fde.Section().NumFDEs())), 7))
	}
	k := &c.rows[(words^uint64(r.Info())<<3)*0x9e3779b97f4a7c15>>57&uint64(len(c.rows)-1)]
	if !k.known || k.words != words || k.info != r.Info() || k.typ != c.typ {
		*k = knownRow{words, r.Info(), c.typ, true, r.Row()}
	}
	return &k.row
}

func (c *freCursor) reset(f model.FDE) {
	c.fde, c.from, c.typ, c.blocks = f, f.Start(), f.Type(), c.blocks[:0]
	c.mask = f.Mask()
	if c.rep = max(uint64(f.RepSize()), 1); !f.Section().Version().Info().Stubs {
		c.rep = v1Block
	}
	c.ok = false
	for r := range f.FREs() {
		if !c.mask {
			c.set(r)
			return
		}
		if uint64(r.Start()) >= c.rep {
			break
		}
		row := r.Row()
		c.blocks = append(c.blocks, freRow{r, &row})
	}
}

func (c *freCursor) set(r model.FRE) {
	c.cur.FRE, c.cur.row, c.ok = r, c.rules(r), true
	if c.next, c.more = r.Next(); c.more {
		c.end = uint64(c.next.Start())
	} else {
		c.end = uint64(c.fde.Extent())
	}
}

// at returns the FRE for a PC of the FDE, nil where there is none, and the end
// of the code for which that holds.
func (c *freCursor) at(pc uint64) (*freRow, uint64) {
	off := pc - c.from
	if c.mask {
		return c.inBlock(pc, off%c.rep)
	}
	for c.ok && c.end <= off {
		if c.ok = c.more; c.ok {
			c.set(c.next)
		}
	}
	switch {
	case !c.ok:
		return nil, c.fde.End()
	case off < uint64(c.cur.Start()):
		return nil, c.from + uint64(c.cur.Start())
	}
	return &c.cur, c.from + c.end
}

// inBlock is at for a MASK FDE. off counts from the start of the block.
func (c *freCursor) inBlock(pc, off uint64) (*freRow, uint64) {
	end := c.rep
	for i := len(c.blocks) - 1; i >= 0; i-- {
		if from := uint64(c.blocks[i].Start()); from <= off {
			return &c.blocks[i], pc + end - off
		} else {
			end = min(end, from)
		}
	}
	return nil, pc + end - off
}
