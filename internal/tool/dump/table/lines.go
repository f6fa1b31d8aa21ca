package table

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Content is the kind of a function in a table.
type Content string

// Contents.
const (
	Code    Content = "function"
	Stub    Content = "stub"    // of a linker
	Gap     Content = "gap"     // code without a description
	Padding Content = "padding" // between functions
)

// Function is a range of code that is listed as one.
type Function struct {
	Kind       Content
	Name       string // "" if unknown
	Section    string
	Place      uint32 // see [model.FDE.Place]
	Start, End uint64
	SFrame     int // index of the object's section, -1 without an FDE
	FDE        int // -1 without an FDE
	HasCFI     bool
	Lines      []Line
	Differs    Differences // of all lines
}

// Line is an instruction. It is valid until the next function.
type Line struct {
	PC    uint64
	Bytes []byte
	// Text is the instruction in assembler syntax. If its last operand is a target, Text ends before it, Target is
	// its address, and To names it. Otherwise To names an address that an operand gives.
	Text   string
	Jumps  bool // Text ends before the target
	Target uint64
	To     string
	Relocs []Reloc

	SFrame, CFI Side
	Code        Said
	Differs     Differences
	Findings    []*rules.Finding
	File        string
	Line        int
}

// Side is the row of a source for an instruction.
type Side struct {
	Has bool
	model.Row
	Signed bool
	// FRE is the index of the FRE in SFrame data; Off and Size are its bytes in the section. FRE is -1 for an FDE
	// without FREs.
	FRE       int
	Off, Size int64
	Signal    bool
	// Unclear is the reason why rules of CFI cannot be compared, "" if all can.
	Unclear string
}

// Said is the state of the frame that the code proves.
type Said struct {
	Reason proof.Reason // why the state is unknown
	Agrees bool         // the code proves all listed rows
	Open   bool         // the code does not judge the rows
	model.Row
	Signed bool
	Judged bool // the code was followed, or it agrees as a whole
}

// Differences are the values that differ between sources at an instruction.
type Differences uint16

// Differences. The first ones are between SFrame data and CFI. Those with Code are between one of these and the code.
const (
	CFA Differences = 1 << iota
	RA
	FP
	Signing
	Outermost
	NoFRE
	NoFDE
	CodeCFA
	CodeRA
	CodeFP
	CodeSigning
)

var differenceNames = []string{"CFA", "RA", "FP", "signing", "outermost", "no FRE", "no FDE", "code: CFA", "code: RA", "code: FP", "code: signing"}

// Names lists the differences in words.
func (d Differences) Names() (all []string) {
	for i, name := range differenceNames {
		if d>>i&1 != 0 {
			all = append(all, name)
		}
	}
	return all
}

// text sets the text of an instruction and what its target is called.
func (w *walk) text(l *Line, f *Function, i *insn.Insn, code []byte) {
	l.Text, l.Jumps = w.printer.Text(code, l.PC, i)
	if l.Text == "" {
		l.Text, l.Jumps = bytesText(l.Bytes), false
	}
	if w.relocatable() {
		for k, r := range w.names.relocsAt(f.Place, l.PC, l.PC+uint64(i.Len)) {
			l.Relocs = append(l.Relocs, w.names.describe(r))
			if k == 0 && i.TargetLen > 0 {
				l.To = w.names.leads(r, i)
			}
		}
		if len(l.Relocs) > 0 {
			return
		}
	}
	l.Target = i.Target
	if i.TargetLen == 0 {
		l.Target = 0
	}
	if l.Target == 0 && !w.relocatable() {
		l.Target = fromPC(l.Text, l.PC+uint64(i.Len))
	}
	if l.Target == 0 {
		return
	}
	if l.Jumps || !w.relocatable() {
		l.To = w.names.at(address{f.Place, l.Target})
	}
}

// fromPC returns the address of an operand of AMD64 that is relative to the next instruction, 0 if there is none.
func fromPC(text string, next uint64) uint64 {
	at := strings.Index(text, "(%rip)")
	if at < 0 {
		return 0
	}
	text = text[:at]
	text = text[strings.LastIndexAny(text, " ,*:$")+1:]
	minus := strings.HasPrefix(text, "-")
	n, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimPrefix(text, "-"), "0x"), 16, 64)
	switch {
	case err != nil:
		return 0
	case minus:
		return next - n
	}
	return next + n
}

// bytesText is the directive for bytes that no instruction has.
func bytesText(b []byte) string {
	out := []byte(".byte ")
	for i, c := range b {
		if i > 0 {
			out = append(out, ',', ' ')
		}
		out = fmt.Appendf(out, "0x%02x", c)
	}
	return string(out)
}

// rowsOf has the rows of a function, and those in force.
type rowsOf struct {
	sframe  []sframeRow
	i       int    // the one in force
	block   uint64 // of stubs
	start   uint64 // of the FDE
	cfi     cfiRow // the one in force, if has
	has     bool
	nextCFI func() (cfiRow, bool) // a function may have very many
	stop    func()
}

// rowsOf finds the rows of a function. The most rows so far count as memory.
func (w *walk) rowsOf(f *Function, b *block) *rowsOf {
	r := &rowsOf{stop: func() {}}
	if x, ok := w.fdeAt(b.address); ok {
		f.SFrame, f.FDE = int(x.sf), int(x.fde)
		d := w.Object.SFrames[x.sf].Section.FDE(int(x.fde))
		if more := int64(d.NumFREs()) - w.rows; more > 0 {
			if !w.hold(more * rowCost) {
				return r
			}
			w.rows += more
		}
		r.sframe, r.start = w.sframeRows(x, d.NumFREs()), x.addr
		if d.Mask() {
			r.block = max(uint64(d.RepSize()), 1)
			if d.RepSize() == 0 {
				r.block = uint64(d.Size())
			}
		}
	}
	if w.opts.CFI || len(r.sframe) == 0 {
		r.nextCFI, r.stop = iter.Pull(w.cfiRows(b.section, b.addr, b.end))
		r.cfi, r.has = r.nextCFI()
		f.HasCFI = r.has
	}
	return r
}

// set sets the rows in force at an instruction, and in what they differ.
func (r *rowsOf) set(w *walk, l *Line) {
	at := l.PC
	if r.block > 0 {
		at = (l.PC - r.start) % r.block
		r.i = 0
	}
	for r.i < len(r.sframe) && r.sframe[r.i].End <= at {
		r.i++
	}
	for r.has && r.cfi.End <= l.PC {
		r.cfi, r.has = r.nextCFI()
	}
	var s *sframeRow
	if r.i < len(r.sframe) && r.sframe[r.i].Start <= at {
		s = &r.sframe[r.i]
		l.SFrame = Side{Has: true, Row: s.Row.Row, Signed: s.Signed, FRE: s.fre, Off: s.off, Size: s.size, Signal: s.Signal}
	}
	if !w.opts.CFI || !r.has || r.cfi.Start > l.PC {
		return
	}
	c := &r.cfi
	if c.says.PC != 0 {
		c.says = c.fde.Recover(&c.row, l.PC)
	}
	l.CFI = Side{Has: true, Row: c.says.Row, Signed: c.Signed, FRE: -1, Signal: c.Signal}
	for _, why := range [...]cfi.Reason{c.says.CFAReason, c.says.RAReason, c.says.FPReason} {
		if why != cfi.Comparable && l.CFI.Unclear == "" {
			l.CFI.Unclear = why.String()
		}
	}
	switch {
	case len(r.sframe) == 0:
	case s == nil:
		if c.says.CFAReason != cfi.NoCFARule {
			l.Differs |= NoFRE
		}
	default:
		l.Differs |= compare(&w.ABI, s, c)
	}
}

// compare returns in what a row of SFrame data differs from one of CFI.
func compare(abi *model.ABIInfo, s *sframeRow, c *cfiRow) (d Differences) {
	undefined := c.says.RA.Kind == model.Undefined
	if undefined || s.Outermost() {
		if undefined != s.Outermost() && c.says.RAReason == cfi.Comparable {
			d |= Outermost
		}
		return d
	}
	kinds := c.says.Differs(&s.Row.Row, abi)
	for i, kind := range [...]cfi.Aspect{cfi.CFADiffers, cfi.RADiffers, cfi.FPDiffers} {
		if kinds.Has(kind) {
			d |= CFA << i
		}
	}
	if abi.Pauth && c.sign&cfi.RAUnknown == 0 && s.Signed != c.Signed {
		d |= Signing
	}
	return d
}

// setCode sets what the code says at an instruction.
func (w *walk) setCode(l *Line, section uint32) {
	p := address{section, l.PC}
	for len(w.points) > 0 && w.points[0].compare(p) < 0 {
		w.points = w.points[1:]
	}
	if len(w.points) > 0 && w.points[0].address == p {
		s := &w.states[w.points[0].state]
		wrong := s.sframe | s.other
		l.Code = Said{Reason: s.reason, Agrees: s.proven && wrong == 0, Open: !s.proven && wrong == 0 && (l.SFrame.Has || l.CFI.Has), Row: s.row, Signed: s.signed, Judged: true}
		for kind, d := range [...]Differences{proof.WrongCFA: CodeCFA, proof.WrongRA: CodeRA, proof.WrongFP: CodeFP, proof.StaleFP: CodeFP, proof.WrongSigning: CodeSigning} {
			if wrong>>kind&1 != 0 {
				l.Differs |= d
			}
		}
		return
	}
	for len(w.proven) > 0 && (address{w.proven[0].Place, w.proven[0].End}).compare(p) <= 0 {
		w.proven = w.proven[1:]
	}
	if l.Code.Reason = proof.NotReached; len(w.proven) > 0 && (address{w.proven[0].Place, w.proven[0].Start}).compare(p) <= 0 {
		side := &l.SFrame
		if !side.Has {
			side = &l.CFI
		}
		l.Code = Said{Agrees: side.Has, Judged: side.Has, Row: side.Row, Signed: side.Signed}
	}
}

// FullText returns the text of the instruction with its target.
func (l *Line) FullText() string {
	switch {
	case !l.Jumps:
		return l.Text
	case len(l.Relocs) > 0:
		return l.Text + l.To
	}
	return fmt.Sprintf("%s0x%x", l.Text, l.Target)
}
