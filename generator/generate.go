package generator

import (
	"fmt"
	"math/rand/v2"

	"github.com/sframe-lint/sframe-lint/model"
)

// Generate returns a random valid section. Equal knobs give equal sections. It ignores knobs that do not apply to the
// version or ABI. Errors: a knob is out of range, version 1 with s390x, too little address space.
func Generate(c Config) (*Plan, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	g := &maker{c: c, rnd: rand.New(rand.NewPCG(uint64(c.Seed), 0x5f3e_a11e)), p: c.section()}
	g.abi = g.p.ABIInfo()
	g.p.Aux = g.bytes(int(c.Aux))
	for i := range int(c.Funcs) {
		g.p.Funcs = append(g.p.Funcs, g.function(i))
	}
	if err := g.place(); err != nil {
		return nil, err
	}
	return g.p, nil
}

// Check returns an error if a knob is out of range or knobs contradict each
// other.
func (c Config) Check() error {
	for _, k := range knobs {
		if err := k.Put(&c, k.Get(&c)); err != nil {
			return err
		}
	}
	if abi := model.LookupABI(c.ABI); !abi.InVersion(c.Version) || prologues[abi.Machine][0] == nil {
		return fmt.Errorf("%v does not support %s", c.Version, abi.Name)
	}
	return nil
}

// section returns the plan without functions.
func (c Config) section() *Plan {
	abi := model.LookupABI(c.ABI)
	p := &Plan{
		Version: c.Version, ABI: abi.ID, BigEndian: abi.Big,
		Addr: uint64(align(c.Addr, 8, 1<<62)), FixedFP: abi.FixedFP, FixedRA: abi.FixedRA,
		Style: Style{
			FDEGap: uint32(c.FDEGap), FREGap: uint32(c.FREGap), Tail: uint32(c.Trailing),
			MinFRE: c.FREType, MinWord: c.WordSize, Reverse: c.Reverse,
		},
	}
	if !abi.TracksRA() && c.FixedFP != 0 {
		p.FixedFP = int8(c.FixedFP)
	}
	if p.Version == model.SFRAME_VERSION_2 {
		p.Style.Padding = uint16(c.FDEPadding)
	}
	p.Style.Share = c.Shared != 0
	if c.PCRel {
		p.Flags |= model.SFRAME_F_FDE_FUNC_START_PCREL & model.DefinedFlags(p.Version)
	}
	if c.FramePointer {
		p.Flags |= model.SFRAME_F_FRAME_POINTER & model.DefinedFlags(p.Version)
	}
	return p
}

// maker makes one section.
type maker struct {
	c   Config
	rnd *rand.Rand
	p   *Plan
	abi model.ABIInfo
}

// chance returns true in that many percent of the draws.
func (g *maker) chance(share Share) bool { return g.rnd.Int64N(100) < int64(share) }

// drawChance is chance, but draws nothing at 0: older recipes, without the knob,
// still make the same section.
func (g *maker) drawChance(share Share) bool { return share > 0 && g.chance(share) }

// upTo draws from lo to hi. Each order of magnitude is as likely as the next, as
// for sizes in programs.
func (g *maker) upTo(lo, hi int64) int64 {
	if hi <= lo {
		return lo
	}
	span, bits := uint64(hi-lo), 0
	for span>>bits > 1 {
		bits++
	}
	top := uint64(1) << g.rnd.IntN(bits+1)
	return lo + int64(min(top|g.rnd.Uint64N(top), span))
}

func (g *maker) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.rnd.Uint32())
	}
	return b
}

// function draws what kind of function the i-th is, and the function.
func (g *maker) function(i int) Func {
	v, c := g.p.Version, g.c
	f := Func{Name: fmt.Sprintf("f%d", i)}
	if len(g.p.Funcs) > 0 && g.drawChance(c.Shared) {
		g.share(&f)
		return f
	}
	if g.chance(c.Stubs) && (c.Stubs == 100 || !g.afterStubs()) {
		g.stubs(&f)
		if g.drawChance(c.Wide) {
			g.widen(&f)
		}
		return f
	}
	f.Size = uint32(align(g.upTo(g.abi.MinInsn, c.FuncSize), g.abi.MinInsn, 1<<32-g.abi.MinInsn))
	switch {
	case v.Info().OutermostFDE && g.chance(c.Empty):
	case v.Errata2() && g.chance(c.Outermost):
		f.Rows = []Row{{Rules: noCaller}}
	default:
		g.rows(&f)
		if v.Errata2() && g.drawChance(c.LateOutermost) {
			g.endOutermost(&f)
		}
	}
	f.Signal = v.Info().Signal && g.chance(c.Signal)
	g.p.FitType(&f)
	if g.drawChance(c.Wide) {
		g.widen(&f)
	}
	return f
}

// afterStubs reports whether the last function is a run of stubs: two runs next
// to each other should be one.
func (g *maker) afterStubs() bool {
	n := len(g.p.Funcs)
	return n > 0 && g.p.Funcs[n-1].PCType == model.SFRAME_FDE_PCTYPE_MASK
}

// noCaller are the rules of a row without data words.
var noCaller = model.Row{
	CFA: model.Recovery{Kind: model.Undefined},
	RA:  model.Recovery{Kind: model.Undefined},
	FP:  model.Recovery{Kind: model.Undefined},
}

// mostRows returns the most rows of a function.
func (g *maker) mostRows() int64 { return min(g.c.Rows, int64(g.p.Version.Info().MaxFREs)) }

// endOutermost adds a row without data words after the others, if the function
// has room for it.
func (g *maker) endOutermost(f *Func) {
	at := int64(f.Rows[len(f.Rows)-1].Start) + g.abi.MinInsn
	if at < int64(f.Size) && int64(len(f.Rows)) < g.mostRows() {
		f.Rows = append(f.Rows, Row{Start: uint32(at), Rules: noCaller})
	}
}

// align rounds up to a multiple of a, and down if that is beyond top.
func align(v, a, top int64) int64 {
	v = (v + a - 1) / a * a
	if v > top {
		v = top / a * a
	}
	return v
}

// stubs makes a run of equal stubs, as linkers do for a PLT: they start in the
// state at entry, and lazy ones of AMD64 then push a number.
func (g *maker) stubs(f *Func) {
	rep := int64(unsaidRep)
	if f.PCType = model.SFRAME_FDE_PCTYPE_MASK; g.p.Version.Info().Stubs {
		rep = align(g.c.StubSize, g.abi.MinInsn, 255)
		f.RepSize = uint8(rep)
	}
	f.Size = uint32(rep * g.upTo(1, max(1, min(g.c.FuncSize/rep, 1<<16))))
	entry := g.entry()
	if g.c.StubRows > 0 {
		g.stubRows(f, entry, rep)
		return
	}
	f.Rows = []Row{{Rules: entry.rules()}}
	if pushed := entry.grown(8); g.abi.CFAAlign == 8 && g.abi.EntryCFA == 8 && rep > 11 && g.chance(50) && g.c.Rows > 1 {
		f.Rows = append(f.Rows, Row{Start: 11, Rules: pushed.rules()})
	}
}

// unsaidRep is the size of a stub of version 1, in bytes: the format has no field for it,
// and readers take that of a PLT entry on AMD64 and AArch64.
const unsaidRep = 16

// stubRows gives a stub several rows, each with more pushed.
func (g *maker) stubRows(f *Func, s state, rep int64) {
	insns := rep / g.abi.MinInsn
	n := g.upTo(1, min(g.c.StubRows, insns))
	for j := range n {
		f.Rows = append(f.Rows, Row{Start: uint32(j * insns / n * g.abi.MinInsn), Rules: s.rules()})
		s.off += g.abi.CFAAlign
	}
}
