package lint

import "github.com/sframe-lint/sframe-lint/reader"

// Gap is a part of an input that was not read.
type Gap struct {
	Reason string
	Rule   string // the rule that reports it, "" for none
}

// gapRules are the rules that report faults of a container. Damaged relocations hold
// rules back, which say so, and a section without bytes has nothing to read.
var gapRules = map[reader.FaultCode]string{
	reader.ELFDamaged:        "SF5024",
	reader.SectionBeyondEnd:  "SF5025",
	reader.SectionCompressed: "SF5026",
	reader.ArchiveDamaged:    "SF5029",
	reader.MemberUnreadable:  "SF5030",
	reader.SectionTooLarge:   "SF5031",
	reader.BudgetExceeded:    "SF5033",

	reader.SectionContradicted: "SF5036",
}

// gapsOf returns what was not read of an object.
func gapsOf(o *reader.Object) []Gap {
	if o.Status == reader.StatusNotRead {
		return []Gap{{Reason: o.Detail}}
	}
	var out []Gap
	seen := map[Gap]bool{}
	for _, f := range o.Faults {
		rule, ok := gapRules[f.Code]
		if g := (Gap{f.Summary(), rule}); ok && !seen[g] {
			seen[g] = true
			out = append(out, g)
		}
	}
	return out
}

// HiddenGaps returns the gaps that no finding reports with its rule's own severity
// or a higher one: the rule was not run, or its finding is known or excused.
func (o *Object) HiddenGaps() []Gap {
	if len(o.Gaps) == 0 {
		return nil
	}
	given := map[string]bool{}
	for p := range o.given() {
		given[p.rule] = true
	}
	var out []Gap
	for _, g := range o.Gaps {
		if !given[g.Rule] {
			out = append(out, g)
		}
	}
	return out
}
