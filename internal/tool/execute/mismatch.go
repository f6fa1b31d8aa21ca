package execute

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// Cause is the cause of a mismatch.
type Cause string

// Causes.
const (
	CauseSFrame Cause = "sframe"     // the CFI is right: the assembler or the linker made a wrong row
	CauseBoth   Cause = "source"     // the CFI agrees with the row: the directives in the source are wrong
	CauseOther  Cause = "sframe+cfi" // the CFI is also wrong, but differently
	CauseAlone  Cause = "no-cfi"     // there is no CFI to compare
	CauseOdd    Cause = "code"       // the code has changed its return address on the stack
	CauseCFI    Cause = "cfi"        // the row is right and the CFI is wrong
)

// Mismatch is a row that gives a wrong caller, with all its steps with the same mistake.
type Mismatch struct {
	File     string `json:"file"`
	BuildID  string `json:"buildID,omitempty"`
	Function string `json:"function,omitempty"`
	Start    uint64 `json:"start"`         // of the function in the file
	FDE      int    `json:"fde"`           // index in the section
	FRE      int    `json:"fre"`           // index in the FDE, -1 for none
	Row      string `json:"row"`           // contents of the row
	CFI      string `json:"cfi,omitempty"` // contents of the CFI
	What     string `json:"what"`          // cfa, ra, fp, bottom, outermost, signal or stop
	Cause    Cause  `json:"verdict"`
	Quirk    string `json:"quirk,omitempty"` // the producer with this known habit, as the linter names it
	Steps    uint64 `json:"steps"`
	// Depth is 0 for the topmost frame, or the number of the frame with the wrong row in a check of all frames.
	Depth int `json:"depth,omitempty"`

	// Of the first step:
	PC          uint64            `json:"pc"`     // in the file
	Offset      uint64            `json:"offset"` // from the start of the function
	Instruction string            `json:"instruction"`
	Registers   map[string]string `json:"registers"`
	Have        Caller            `json:"have"`
	Want        Caller            `json:"want"`
}

// Caller is the state of a caller, in hexadecimal numbers. Unknown values are empty.
type Caller struct {
	SP   string `json:"sp,omitempty"`
	PC   string `json:"pc,omitempty"`
	FP   string `json:"fp,omitempty"`
	Stop string `json:"stop,omitempty"` // why there is no caller
}

type groupKey struct {
	path    string
	section uint64
	fde     int
	fre     int
	what    string
	cause   Cause
	deep    bool
}

// maxGroups bounds the mismatches that are kept. Further ones are counted.
const maxGroups = 10_000

// recordWrong records that the row of a PC is wrong, and who is to blame.
func (p *Process) recordWrong(t *thread, r *Regs, pl *site, what string, next *unwind.Frame, stop *unwind.Stop) {
	p.count(pl)
	p.report(t, r, pl, what, next, stop, p.cause(t, pl))
}

// count counts a wrong row.
func (p *Process) count(pl *site) {
	if pl.image.Quirk(pl.pc) != "" {
		p.stats.Quirks++
	} else {
		p.stats.Wrong++
	}
}

// cause returns who is to blame for a wrong row. The cursor is at its frame.
func (p *Process) cause(t *thread, pl *site) Cause {
	f := t.top()
	both := CauseBoth
	if p.entry > 0 && f.kind == called && !f.noRA { // AMD64: the return address is on the stack
		if w, err := p.word(f.sp - p.entry); err == nil && w != f.ra {
			both = CauseOdd
		}
	}
	switch {
	case p.cfiRight(f, pl):
		return CauseSFrame
	case both == CauseOdd || pl.hasCFI && !pl.otherCFI && pl.proc.HasFRE && canCompare(&pl.cfi):
		return both
	case pl.hasCFI && canCompare(&pl.cfi):
		return CauseOther
	}
	return CauseAlone
}

// cfiRight reports whether the rules of the CFI lead to the caller.
func (p *Process) cfiRight(f *frame, pl *site) bool {
	if !pl.hasCFI || !canCompare(&pl.cfi) {
		return false
	}
	next, stop := p.cursor.Caller(pl.cfi)
	return f.differs(&next, stop, nil) == ""
}

func (p *Process) report(t *thread, r *Regs, pl *site, what string, next *unwind.Frame, stop *unwind.Stop, v Cause) {
	if m := p.group(&pl.proc, pl.image, what, v, 0); m != nil {
		p.fill(m, r, pl, t.top(), next, stop)
	}
}

// recordDeeper records that the row of a frame that is not the topmost one is wrong.
func (p *Process) recordDeeper(r *Regs, what string, at *unwind.Frame, f *frame, next *unwind.Frame, stop *unwind.Stop) {
	if !at.HasFDE {
		return
	}
	ap := p.place(at.Lookup)
	p.count(ap)
	v := CauseAlone
	if ap.hasCFI && ap.proc.HasFRE && !ap.otherCFI {
		v = CauseBoth
	} else if ap.hasCFI {
		v = CauseOther
	}
	if m := p.group(&at.Procedure, ap.image, what, v, at.Index); m != nil {
		p.fill(m, r, ap, f, next, stop)
		m.Instruction = "after a call: " + p.disassemble(p.place(at.PC))
	}
}

// group counts a mismatch. It returns a new one to fill in, nil for one that occurred before.
func (c *Checker) group(x *unwind.Procedure, im *Image, what string, v Cause, depth int) *Mismatch {
	k := groupKey{im.Path, x.FDE.Section().Addr(), x.FDE.Index(), -1, what, v, depth > 0}
	if x.HasFRE {
		k.fre = x.FRE.Index()
	}
	if m := c.groups[k]; m != nil {
		m.Steps++
		return nil
	}
	if len(c.groups) >= maxGroups {
		return nil
	}
	m := &Mismatch{
		Quirk: im.Quirk(x.Lookup),
		File:  im.Name, BuildID: fmt.Sprintf("%x", im.BuildID()), Start: x.FDE.Start(), FDE: k.fde, FRE: k.fre,
		What: what, Cause: v, Steps: 1, Depth: depth,
	}
	c.groups[k] = m
	c.list = append(c.list, m)
	return m
}

// fill describes the first step of a mismatch.
func (p *Process) fill(m *Mismatch, r *Regs, pl *site, f *frame, next *unwind.Frame, stop *unwind.Stop) {
	m.Function = escape.UTF8(escape.Cut(pl.symbol(), escape.MaxName))
	m.PC, m.Offset = pl.pc-pl.image.Bias, pl.pc-pl.fn
	m.Row = p.words(&pl.rules)
	if !pl.proc.HasFRE {
		m.Row = pl.stop.Error()
	}
	if pl.hasCFI {
		m.CFI = p.words(&pl.cfi)
	}
	m.Instruction = p.disassemble(pl)
	m.Registers = map[string]string{"pc": hex(r.Addr)}
	for n := uint32(0); n < 32; n++ {
		if v, ok := r.Register(n); ok {
			m.Registers[p.abi.RegName(n)] = hex(v)
		}
	}
	m.Have, m.Want = callerOf(next, stop), f.caller()
}

func callerOf(next *unwind.Frame, stop *unwind.Stop) Caller {
	if stop != nil {
		return Caller{Stop: stop.Error()}
	}
	c := Caller{SP: hex(next.SP), PC: hex(next.PC)}
	if next.FPKnown {
		c.FP = hex(next.FP)
	}
	return c
}

// caller returns what is true.
func (f *frame) caller() (c Caller) {
	if f.kind == bottom {
		return Caller{Stop: "outermost frame"}
	}
	c.SP = hex(f.sp)
	if !f.noRA {
		c.PC = hex(f.ra)
	}
	if !f.noFP {
		c.FP = hex(f.fp)
	}
	return c
}

// words writes rules in words.
func (c *Checker) words(r *unwind.Rules) string {
	if r.Outermost() {
		return "RA undefined"
	}
	return fmt.Sprintf("CFA=%s RA=%s FP=%s", r.CFA.Format(c.abi), r.RA.Format(c.abi), r.FP.Format(c.abi))
}

// disassemble returns the instruction at a place, and its bytes where there is no
// instruction.
func (p *Process) disassemble(pl *site) string {
	var b [insn.MaxLen]byte
	code := b[:p.space.Code(pl.pc, b[:])]
	text := insn.Text(p.abi.Machine, code, pl.pc-pl.image.Bias)
	if text == "" {
		n := len(code)
		if l := int(pl.class.len); l > 0 && l <= n {
			n = l
		}
		return fmt.Sprintf("% x", code[:n])
	}
	return strings.TrimSpace(text)
}

func hex(v uint64) string { return fmt.Sprintf("0x%x", v) }
