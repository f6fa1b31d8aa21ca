package trace

import (
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// Way is how the caller of a frame was found.
type Way string

// Ways. Only BySFrame is a result of SFrame data. The others than BySignal are used where an
// option allows them.
const (
	BySFrame Way = "sframe"
	ByCFI    Way = "eh_frame" // .eh_frame, or .debug_frame where there is none
	ByFP     Way = "fp"       // the frame pointer, as if the function had a frame record
	BySignal Way = "signal"   // the registers that the kernel saved
	ByNone   Way = "none"     // there is no caller
)

// ChainsFP reports whether functions of an ABI that have a frame pointer keep it and RA side by side, so that
// [ByFP] can find a caller.
func ChainsFP(abi model.ABIInfo) bool { return abi.FrameRecord || abi.FixedRA != 0 }

// Ways counts frames by the way in which their callers were found.
type Ways struct {
	SFrame int `json:"sframe"` // outermost frames by SFrame data, too
	CFI    int `json:"eh_frame"`
	FP     int `json:"fp"`
	Signal int `json:"signal"`
	None   int `json:"none"`
}

func (n *Ways) add(by Way) {
	switch by {
	case BySFrame:
		n.SFrame++
	case ByCFI:
		n.CFI++
	case ByFP:
		n.FP++
	case BySignal:
		n.Signal++
	default:
		n.None++
	}
}

// placed identifies a module.
type placed struct {
	name string
	bias uint64
}

// maxPlaced bounds the modules whose frames are counted apart.
const maxPlaced = 1 << 12

// count counts a frame.
func (x *tracer) count(f *unwind.Frame, by Way) {
	x.tail.Frames.add(by)
	m, ok := x.mods.At(f.Lookup)
	if !ok {
		return
	}
	k := placed{m.Name, m.Bias}
	n := x.ways[k]
	if n == nil {
		if len(x.ways) == maxPlaced {
			return
		}
		n = &Ways{}
		x.ways[k] = n
	}
	n.add(by)
}

// step is a step to a caller.
type step struct {
	by    Way
	stop  *unwind.Stop // why there is none
	lacks *unwind.Stop // why it was not made by SFrame data; nil if it was, or is stop
	rules unwind.Rules // of another way
	tried []string     // why other ways failed
}

// step steps to the caller of the frame f, by another way where SFrame data do not lead to it.
// Its error is that of the budget.
func (x *tracer) step(c *unwind.Cursor, f *unwind.Frame) (step, error) {
	s := step{by: BySFrame, stop: c.Step()}
	switch {
	case s.stop == nil && f.Signal() && c.Where(x.abi.SP).Kind == unwind.InRegister:
		s.by = BySignal
	case s.stop == nil || s.stop.Complete():
	default:
		s.by = ByNone
		if len(x.opts.Fallback) > 0 && !f.Signal() && replaceable(s.stop.Reason) {
			return s, x.replace(c, f, &s)
		}
	}
	return s, nil
}

// replaceable reports whether another way may be used: the SFrame data have no row, or it needs
// a register that other ways do not follow. What a row says wrongly remains to be seen.
func replaceable(r unwind.Reason) bool {
	switch r {
	case unwind.NoModule, unwind.NoSection, unwind.NoFDE, unwind.NoFRE, unwind.TopmostOnly, unwind.NoRegister:
		return true
	}
	return false
}

// replace makes a step by other ways.
func (x *tracer) replace(c *unwind.Cursor, f *unwind.Frame, s *step) error {
	for _, way := range x.opts.Fallback {
		r, why := fpRules(x.abi), ""
		if way == ByCFI {
			var err error
			if r, why, err = x.cfiRules(f); err != nil {
				return err
			}
		}
		if why == "" {
			stop := c.StepBy(r)
			if stop == nil || stop.Complete() {
				s.by, s.lacks, s.stop, s.rules, s.tried = way, s.stop, stop, r, nil
				return nil
			}
			why = stop.Error()
		}
		s.tried = append(s.tried, string(way)+": "+why)
	}
	return nil
}

// cfiRules returns the rules of the CFI for a frame, or why there are none.
func (x *tracer) cfiRules(f *unwind.Frame) (r unwind.Rules, why string, err error) {
	m, ok := x.mods.At(f.Lookup)
	if !ok {
		return r, "no module contains the PC", nil
	}
	if err := x.opts.Budget.Step(m.CFICost(f.Lookup)); err != nil {
		return r, "", err
	}
	r, ok = m.CFI(f.Lookup)
	switch {
	case !ok:
		return r, "no CFI covers the PC", nil
	case !evaluated(&r):
		return r, "the CFI has a rule that is not evaluated", nil
	case r.FP.Kind == model.Invalid:
		r.FP = model.Recovery{Kind: model.Undefined}
	}
	return r, "", nil
}

// evaluated reports whether rules of CFI lead to a caller.
func evaluated(r *unwind.Rules) bool {
	return r.Outermost() || r.CFA.Kind != model.Invalid && r.RA.Kind != model.Invalid
}

// fpRules returns the rules by which FP leads to a frame record: the caller's FP, and RA after it.
// The frame of AMD64 ends after the record; that of AArch64 ends anywhere above. A
// return address may be signed by either key: the bits of the code are cleared.
func fpRules(abi model.ABIInfo) unwind.Rules {
	word := func(off int64) model.Recovery {
		return model.Recovery{Kind: model.InRegister, Reg: abi.FP, Offset: off, Deref: true}
	}
	return unwind.Rules{
		Row:     model.Row{CFA: model.Recovery{Kind: model.InRegister, Reg: abi.FP, Offset: 16}, RA: word(8), FP: word(0)},
		SPLeast: abi.TracksRA(), Mangled: abi.Pauth,
	}
}

// instead returns why a step was not made by SFrame data, "" if it was.
func (s *step) instead() string {
	if s.lacks == nil {
		return ""
	}
	return s.lacks.Error()
}

// message returns why there is no caller, also by other ways.
func (s *step) message() string {
	return strings.Join(append([]string{s.stop.Error()}, s.tried...), "; ")
}
