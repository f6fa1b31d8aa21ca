package size

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var unsorted = rules.New(rules.Rule{
	ID:       "SF7005",
	Files:    rules.LinkedFiles,
	Needs:    rules.FDEsKnown | rules.StartsAsFlagged,
	Requires: []*analysis.Analyzer{prereq.ByStart},
}, func(c *rules.Context) {
	s := c.Section
	if !c.Object.Linked() || s.Header().Flags&model.SFRAME_F_FDE_SORTED != 0 || s.NumFDEs() < 2 || !s.Version().Known() || !allInCode(c) {
		return
	}
	flag := rules.SetField(c.SFrame, model.HdrFlags.Span(), uint64(s.Header().Flags|model.SFRAME_F_FDE_SORTED))
	if s.StartsAscend() {
		c := c.With(rules.Fix{Message: "set SFRAME_F_FDE_SORTED", Safe: true, Edits: []rules.Edit{flag}})
		c.At(model.HdrFlags.Span(), "the %d FDEs are sorted by address, but SFRAME_F_FDE_SORTED is clear: tracers check every FDE, and the Linux kernel rejects the section", s.NumFDEs())
		return
	}
	if data, ok := prereq.SortedFDEs(c.Pass); ok {
		sorting := rules.SectionEdit(c.SFrame, s.FDESubsection(), data)
		c = c.With(rules.Fix{Message: "sort the FDEs and set SFRAME_F_FDE_SORTED", Safe: true, Edits: []rules.Edit{flag, sorting}})
	}
	c.At(model.HdrFlags.Span(), "the %d FDEs are not sorted by address: tracers check every FDE, and the Linux kernel rejects the section", s.NumFDEs())
})

// allInCode reports whether every function starts in executable code. If one
// does not, the starts may be misread, and their order does not matter.
func allInCode(c *rules.Context) bool {
	ranges := c.Object.ELF.ExecRanges()
	for f := range c.Section.Functions() {
		if _, ok := ranges.At(f.Start); !ok {
			return false
		}
	}
	return true
}

// total adds up the savings if more than one rule applies.
var total = rules.New(rules.Rule{ID: "SF7006", Needs: rules.FREsKnown, Requires: advisors}, func(c *rules.Context) {
	var bytes int64
	var parts []string
	for _, by := range advisors {
		if s := prereq.Get[saving](c.Pass, by); s.count > 0 {
			bytes += s.bytes
			parts = append(parts, fmt.Sprintf("%d in %s %s", s.bytes, rules.Count(s.count, s.noun), s.what))
		}
	}
	if len(parts) > 1 {
		c.At(c.Section.FRESubsection().Clip(c.Section.Size()), "up to %d of the section's %d bytes could be saved (%s)", bytes, c.Section.Size(), strings.Join(parts, "; "))
	}
})
