package execute

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/rules"
)

// WriteText writes a report as text.
func WriteText(w io.Writer, r *Report) error {
	for _, m := range r.Mismatches {
		if _, err := io.WriteString(w, m.text()); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, r.summary())
	return err
}

// blames has the causes in words.
var blames = map[Cause]string{
	CauseSFrame: "the CFI is right: the assembler or the linker made the row wrong",
	CauseBoth:   "the CFI says the same: the directives in the source are wrong",
	CauseOther:  "the CFI is wrong too, in another way",
	CauseAlone:  "there is no CFI to compare with",
	CauseOdd:    "the code has overwritten the return address on the stack",
	CauseCFI:    "the row is right: only the CFI is wrong",
}

// values has what differs in words.
var values = map[string]string{
	whatCFA: "the CFA is wrong", whatRA: "RA is wrong", whatFP: "FP is wrong", whatBottom: "RA is not undefined in the outermost frame",
	whatTop: "RA is undefined, and there is a caller", whatSignal: "a signal trampoline is not marked as one", whatStop: "there is no caller",
}

// Text returns a cause in words.
func (v Cause) Text() string { return blames[v] }

// Fault returns the difference in words.
func (m *Mismatch) Fault() string { return values[m.What] }

// text describes a mismatch.
func (m *Mismatch) text() string {
	var b strings.Builder
	name := m.Function
	if name == "" {
		name = fmt.Sprintf("0x%x", m.Start)
	}
	fmt.Fprintf(&b, "%s: %s+0x%x (0x%x): %s\n", escape.Printable(m.File), escape.Printable(name), m.Offset, m.PC, m.Fault())
	who := "row"
	if m.Cause == CauseCFI {
		who = "CFI"
	}
	fmt.Fprintf(&b, "    %s; FDE %d, FRE %d, %d steps\n", m.Cause.Text(), m.FDE, m.FRE, m.Steps)
	if m.Quirk != "" {
		fmt.Fprintf(&b, "    a known quirk of %s\n", m.Quirk)
	}
	if m.Depth > 0 {
		fmt.Fprintf(&b, "    frame %d of a backtrace\n", m.Depth)
	}
	fmt.Fprintf(&b, "    at:   %s\n    row:  %s\n", escape.Printable(m.Instruction), m.Row)
	if m.CFI != "" && m.CFI != m.Row {
		fmt.Fprintf(&b, "    CFI:  %s\n", m.CFI)
	}
	fmt.Fprintf(&b, "    %s:  %s\n    true: %s\n", who, m.Have.text(), m.Want.text())
	b.WriteString("    registers:")
	for _, n := range slices.Sorted(maps.Keys(m.Registers)) {
		fmt.Fprintf(&b, " %s=%s", n, m.Registers[n])
	}
	b.WriteString("\n\n")
	return b.String()
}

func (c *Caller) text() string {
	if c.Stop != "" {
		return c.Stop
	}
	s := "caller SP=" + c.SP + " PC=" + c.PC
	if c.FP != "" {
		s += " FP=" + c.FP
	}
	return s
}

// summary describes what was executed.
func (r *Report) summary() string {
	var b strings.Builder
	for _, f := range r.Files {
		fmt.Fprintf(&b, "%s: %d of %d functions, %d of %d rows\n", escape.Printable(f.Path), f.Functions, f.OfFDEs, f.Rows, f.OfFREs)
	}
	s := &r.Stats
	fmt.Fprintf(&b, "%s, %d checked, %d with a wrong row; %d without an FDE, %d without a known caller, %d in transit",
		rules.Count(s.Steps, "step"), s.Checked, s.Wrong, s.NoFDE, s.NoCallers, s.Transit)
	if s.Quirks > 0 {
		fmt.Fprintf(&b, ", %d with a known quirk", s.Quirks)
	}
	if s.Unread > 0 {
		fmt.Fprintf(&b, ", %d with unknown memory", s.Unread)
	}
	b.WriteString("\n")
	if s.Stacks > 0 {
		fmt.Fprintf(&b, "%d backtraces of %d further frames\n", s.Stacks, s.Frames)
	}
	if s.Threads > 1 || s.Processes > 1 {
		fmt.Fprintf(&b, "%d threads in %d processes\n", s.Threads, s.Processes)
	}
	if x := r.Exit; x != nil {
		b.WriteString(x.String() + "\n")
	}
	return b.String()
}

// String describes how the program ended.
func (x *Exit) String() string {
	switch {
	case x.Cut == Canceled:
		return "interrupted before the program ended"
	case x.Cut != "":
		return "ended by the limit: " + x.Cut
	case x.Signal != 0:
		return fmt.Sprintf("the program was ended by signal %d", x.Signal)
	}
	return fmt.Sprintf("the program exited with status %d", x.Status)
}
