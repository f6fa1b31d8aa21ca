package header

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

var FRECount = rules.New(rules.Rule{ID: "SF1021", Needs: rules.AttributesKnown | rules.AllFDEsKnown}, func(c *rules.Context) {
	s := c.Section
	if !s.Version().Known() || s.NumFDEs() != int(s.Header().NumFDEs) || !allAttrs(c) {
		return
	}
	if sum := s.ClaimedFREs(); sum != uint64(s.Header().NumFREs) {
		fix := rules.Fix{Message: "set sfh_num_fres to the sum of the FDEs' counts", Safe: true}
		if sum < 1<<32 {
			fix.Edits = []rules.Edit{rules.SetField(c.SFrame, model.HdrNumFREs.Span(), sum)}
		}
		c.With(fix).At(model.HdrNumFREs.Span(), "sfh_num_fres is %d, but the %d FDEs have %d FREs: consumers that size tables by this field reject the section or overrun the tables", s.Header().NumFREs, s.NumFDEs(), sum)
	}
})

// allAttrs reports whether the FRE count of every FDE could be read.
func allAttrs(c *rules.Context) bool {
	if !c.SFrame.Survey().Has(model.RowsMissing) {
		return true
	}
	for f := range c.Section.FDEs() {
		if !f.HasAttr() {
			return false
		}
	}
	return true
}

var NoFunctions = rules.New(rules.Rule{ID: "SF1022", Requires: []*analysis.Analyzer{rules.CallFrames}}, func(c *rules.Context) {
	s := c.Section
	if !s.Version().Known() || s.Header().NumFDEs != 0 || s.HeaderEnd() > s.Size() {
		return
	}
	effect := "the section describes no function, and the Linux kernel rejects it"
	if c.Object.Relocatable() {
		if !c.Object.ELF.KernelPart() && evidence.Frames(c).Any() {
			return // SF6014 gives the reason
		}
		effect = "the section describes no function of the file"
	}
	c.At(model.HdrNumFDEs.Span(), "sfh_num_fdes is 0: %s", effect)
})
