package cfi

import (
	"math/bits"

	"github.com/sframe-lint/sframe-lint/model"
)

// Aspect is what differs between SFrame data and CFI.
type Aspect uint8

// Aspects.
const (
	// NoCFI: an SFrame FDE for code that no CFI covers.
	NoCFI Aspect = iota
	// NoFDE: CFI for code that no SFrame FDE covers.
	NoFDE
	// RangeDiffers: SFrame data and CFI both cover a part of a function, and
	// only one of them covers another part.
	RangeDiffers
	// NoFRE: the FDE has no FRE for code inside it.
	NoFRE
	// CFADiffers, RADiffers and FPDiffers: the recovery rules differ.
	CFADiffers
	RADiffers
	FPDiffers
	// Ignored: the CFI states what assemblers ignore, see [Obstacle].
	Ignored
	// OutermostDiffers: RA is undefined only in the SFrame data, or only in the CFI.
	OutermostDiffers
	// MangledDiffers: RA is signed only in the SFrame data, or only in the CFI (AArch64).
	MangledDiffers
	// KeyDiffers: RA is signed in both, with different keys (AArch64).
	KeyDiffers
	// SignalDiffers: only SFrame data or only CFI marks the function as a
	// signal frame. Versions without such a mark are not compared.
	SignalDiffers

	numAspects
)

var aspectNames = [...]string{"no CFI", "no FDE", "range", "no FRE", "CFA", "RA", "FP", "ignored", "outermost frame", "signed RA", "key", "signal frame"}

func (k Aspect) String() string { return aspectNames[k] }

// Difference is one kind of difference between SFrame data and CFI in a
// function: its first run of PCs, and the number of runs.
type Difference struct {
	Kind       Aspect
	Place      uint32 // 0, or the index of the section that Start counts from
	Start, End uint64 // PCs of the first run
	Runs       int    // runs of PCs that have been merged
	PCs        uint64 // bytes of code of all runs

	FDE int       // of SFrame, -1 with NoFDE
	FRE model.FRE // of the first run, with kinds of rows

	Section int        // index in Frames.Sections, -1 with NoCFI
	CFI     model.Span // of the FDE of the CFI
	Code    model.Span // instructions of the row of the first run, with kinds of rows; Len 0: those of the CIE

	// Row has the recovery rules of the FRE, and Rules those of the CFI, with
	// kinds of rows.
	Row   model.Row
	Rules Recovered
	// Says is the CFI's statement, with OutermostDiffers, MangledDiffers,
	// KeyDiffers (true: key B) and SignalDiffers.
	Says bool
	// Also are the kinds that also differ at the PCs of the first run. They are
	// reported only for other PCs.
	Also Kinds
	// Near says, with NoFDE, whether SFrame FDEs cover the functions before and after
	// this one by address, which start at Neighbours, and Both that they cover them, in the
	// order of the CFI.
	Near       [2]bool
	Both       bool
	Neighbours [2]uint64
	// Inexpressible says that the version of the section cannot express the
	// CFI.
	Inexpressible bool
}

// Kinds is a set of kinds of difference.
type Kinds uint16

// Has reports whether a kind is in the set.
func (k Kinds) Has(kind Aspect) bool { return k>>kind&1 != 0 }

// Add adds a kind to the set.
func (k *Kinds) Add(kind Aspect) { *k |= 1 << kind }

// Of returns the rules of the FRE and of the CFI for the value that CFADiffers,
// RADiffers or FPDiffers names. For other kinds they are blank.
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

// Comparison counts what [Compare] has compared.
type Comparison struct {
	Functions int // pairs of an SFrame FDE and CFI
	Rows      int // pairs of an FRE and a row of the CFI
	// Damage are the programs that could not be executed; its Section is that of
	// the first one.
	Damage Damage
	// Cut says that there were too many blocks of MASK FDEs, or too much code
	// whose CFI depends on the PC, to compare everything.
	Cut bool
}

// maxSteps bounds the steps of MASK FDEs and of CFI that depends on the PC,
// which neither section's size bounds.
const maxSteps = 1 << 22

// Compare compares SFrame data with the CFI of the same object, PC by PC, and passes each difference to report in the order
// of addresses. Their division into FDEs and rows does not matter. It merges equal differences in a function, and ignores
// FDEs of size 0 and dead CFI.
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
	c.mask = f.PCType() == model.SFRAME_FDE_PCTYPE_MASK
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
