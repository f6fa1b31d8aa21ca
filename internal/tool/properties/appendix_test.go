package properties

import (
	"github.com/sframe-lint/sframe-lint/internal/tool/plain"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// appendix is an interpreter of the manual's appendix. It works on what the plain decoder
// finds in a valid section, uses neither the reader nor the model, and looks at each FDE in turn.
type appendix struct {
	s    *plain.Section
	bias uint64 // of addresses in the program
	read func(addr uint64) (uint64, bool)
	reg  func(n uint32) uint64 // of the topmost frame

	sp, fp, ra uint32 // DWARF numbers
}

// aframe is the appendix's frame. The other fields say how its PC is looked up.
type aframe struct {
	pc, sp, fp     uint64
	topmost, exact bool
	lostFP         bool // it cannot be read: the frame has none until a rule needs it
}

// lookUp finds the FDE and the FRE for a frame: for PC-1 of a caller, unless PC is the start
// of a signal trampoline.
func (a *appendix) lookUp(f aframe) (*plain.Function, *plain.Row) {
	pc := f.pc - a.bias
	if !f.exact {
		if t := a.s.Find(pc); t == nil || !signal(t) || t.Covers(pc-1) {
			pc--
		}
	}
	d := a.s.Find(pc)
	if d == nil {
		return nil, nil
	}
	return d, d.At(pc)
}

func signal(f *plain.Function) bool { return f.Signal != nil && *f.Signal }

// next is get_next_frame.
func (a *appendix) next(f aframe) (aframe, unwind.Reason) {
	d, row := a.lookUp(f)
	switch {
	case d == nil:
		return f, unwind.NoFDE
	case row != nil && row.CFA.Kind == plain.Undefined:
		return f, unwind.Outermost
	case row == nil && len(d.Rows) == 0 && signal(d):
		return f, unwind.SignalFrame
	case row == nil && len(d.Rows) == 0 && d.Type == "default":
		return f, unwind.Outermost
	case row == nil:
		return f, unwind.NoFRE
	}
	why := unwind.Reason("")
	cfa := a.value(f, 0, row.CFA, 0, &why)
	switch {
	case why != "":
		return f, why
	case row.RA.Kind == plain.Unchanged && !f.topmost:
		return f, unwind.UnsavedRA
	}
	n := aframe{sp: cfa, exact: signal(d), lostFP: f.lostFP && row.FP.Kind == plain.Unchanged}
	n.pc = a.value(f, cfa, row.RA, a.reg(a.ra), &why)
	if why != "" {
		return f, why
	}
	if n.fp = a.value(f, cfa, row.FP, f.fp, &why); why != "" {
		n.fp, n.lostFP = 0, true
	}
	if a.s.ABI == "s390x" {
		n.sp -= 160
	}
	return n.after(f, row.Mangled != nil && *row.Mangled)
}

// after returns the frame of a caller, whose return address may be signed, or why it is none.
func (n aframe) after(f aframe, signed bool) (aframe, unwind.Reason) {
	if signed { // bits 48 to 63 are the code, but for bit 55, which all of them become
		n.pc = uint64(int64(n.pc<<8)>>63<<48) | n.pc&(1<<48-1)
	}
	switch {
	case n.pc == 0:
		return f, unwind.ZeroPC
	case !n.exact && (n.sp < f.sp || n.sp == f.sp && !f.topmost):
		return f, unwind.NotAdvancing
	}
	return n, ""
}

// value recovers a value, which is was if it is unchanged. The first failure is why.
func (a *appendix) value(f aframe, cfa uint64, v plain.Value, was uint64, why *unwind.Reason) uint64 {
	at := cfa
	switch {
	case v.Kind == plain.Unchanged:
		return was
	case v.Kind == plain.FromReg:
		at = a.register(f, uint32(v.Reg), why)
	}
	if at += uint64(v.Offset); !v.Memory || *why != "" {
		return at
	}
	word, ok := a.read(at)
	if !ok {
		*why = unwind.Unreadable
	}
	return word
}

// register reads a register of the frame.
func (a *appendix) register(f aframe, n uint32, why *unwind.Reason) uint64 {
	switch {
	case n == a.sp:
		return f.sp
	case n == a.fp && f.lostFP:
		if *why == "" {
			*why = unwind.NoRegister
		}
		return 0
	case n == a.fp:
		return f.fp
	case f.topmost:
		return a.reg(n)
	}
	if *why == "" {
		*why = unwind.TopmostOnly
	}
	return 0
}
