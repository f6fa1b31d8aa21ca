package gate

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/tool/execute"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// TruthID is the identifier of the rule on recorded runs.
const TruthID = "SF6023"

// TruthRule returns the rule that judges FREs by recorded runs. Without records the rule finds nothing.
func TruthRule(recorded *analysis.Analyzer) *rules.Rule {
	return rules.New(rules.Rule{
		ID:       TruthID,
		Clause:   "SFrame FRE",
		Severity: rules.Error,
		OptIn:    true,
		Files:    rules.LinkedFiles,
		Needs:    []rules.Fact{rules.FREsKnown, rules.AttributesKnown, rules.ABIKnown, rules.RAKnown, rules.FPKnown, rules.StartsKnown, rules.StartsAsFlagged},
		Requires: []*analysis.Analyzer{recorded},
	}, func(c *rules.Context) {
		x := prereq.Get[*execute.FileTruth](c.Pass, recorded)
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
	code, err := o.ELF.Part(0, pc, n, nil)
	if err != nil || uint64(len(code)) < n {
		return nil
	}
	return code
}
