package gate

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/insn"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/unwind/execute"
)

// TruthID is the identifier of the rule on recorded runs.
const TruthID = "SF6023"

// Recorded returns what was recorded of the code of an object, nil for nothing. It is called while the
// object is visited.
type Recorded func(*reader.Object) *execute.TruthFile

// TruthRule returns the rule that judges FREs by recorded runs. Without records the rule finds nothing.
func TruthRule(recorded Recorded) *rules.Rule {
	return rules.New(rules.Rule{
		ID:       TruthID,
		Title:    "FRE contradicts recorded runs",
		Clause:   "SFrame FRE",
		Severity: rules.Error,
		OptIn:    true,
		Files:    rules.LinkedFiles,
		Needs:    []rules.Fact{rules.FREsKnown, rules.AttributesKnown, rules.ABIKnown, rules.RAKnown, rules.FPKnown, rules.StartsKnown, rules.StartsAsFlagged},
		Text: "The FRE states another CFA, RA or FP than each recorded run had at an instruction, which proves the FRE wrong. `sframe-lint" + `
trace --run --record TRUTH` + "` records runs of a program, and `--truth TRUTH`" + ` adds this rule. A file is
recognized by its build ID or by the bytes of its code segments, so that one recording judges every
later link of the same code. The rule does not judge code that was not executed, and files that
were not recorded, which ` + "`-v`" + ` lists. It reports each FRE once for each of CFA, RA and FP. SF6007 to
SF6012 and the rules on machine code may report the same FRE: they compare two sources of which either
may be wrong, and this rule names the one that is. [trace.md](../trace.md#truth-files) describes the records.`,
		Fix:  `Correct the directives in the source; if the file's CFI is right, correct the assembler or the linker.`,
		Good: `CFA = rsp+16 in the FRE, and in all recorded runs`,
		Bad:  `CFA = rsp+16 in the FRE, rsp+8 in all recorded runs`,
	}, func(c *rules.Context) {
		if recorded == nil {
			return
		}
		x := recorded(c.Object)
		if x == nil {
			return
		}
		all := x.Judge(c.Section).Wrong
		for i := range all {
			if !c.Cut() {
				contradicted(c, &all[i])
			}
		}
	})
}

// inside is [execute.Wrong.What] of an FRE or FDE that starts inside an instruction.
const inside = "boundary"

// contradicted reports a wrong FRE.
func contradicted(c *rules.Context, w *execute.Wrong) {
	sp := w.Entry.Span()
	if w.What == inside {
		sp = w.Entry.StartSpan()
	}
	c.FRE(w.Entry, sp, "%s", contradiction(c, w))
}

// contradiction names the instruction, what the FRE says and what always held.
func contradiction(c *rules.Context, w *execute.Wrong) string {
	var b strings.Builder
	fmt.Fprintf(&b, "at 0x%x", w.PC)
	if code := codeAt(c.Object, w.PC, w.Length); code != nil {
		fmt.Fprintf(&b, " (%x", code)
		abi := c.Section.ABI()
		if text := insn.Text(abi.Machine, code, w.PC); text != "" {
			fmt.Fprintf(&b, " %q", text)
		}
		b.WriteString(")")
	}
	subject := "the FRE states "
	switch {
	case w.What == inside && strings.HasPrefix(w.Row, "the FDE"):
		subject = ""
	case w.What == inside:
		subject = "the FRE "
	}
	fmt.Fprintf(&b, " %s%s, but in all recorded runs: %s", subject, w.Row, w.True)
	if w.Instructions > 1 {
		fmt.Fprintf(&b, " (wrong at %s in all)", rules.Count(w.Instructions, "instruction"))
	}
	b.WriteString(": a tracer goes wrong there")
	return b.String()
}

// codeAt returns the bytes of an instruction, nil where they cannot be read.
func codeAt(o *reader.Object, pc, n uint64) []byte {
	sp, ok := o.ELF.LoadedAt(pc)
	if !ok || uint64(sp.Len) < n {
		return nil
	}
	code, err := o.ELF.Data(model.Span{Off: sp.Off, Len: int64(n)})
	if err != nil {
		return nil
	}
	return code
}
