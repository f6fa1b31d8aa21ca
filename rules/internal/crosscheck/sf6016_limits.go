package crosscheck

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/ehframe"
	"github.com/sframe-lint/sframe-lint/internal/elf64"
	"github.com/sframe-lint/sframe-lint/rules"
)

var Inexpressible = newCFIRule(rules.Rule{
	ID:       "SF6016",
	Title:    "CFI that the version cannot express",
	Clause:   "SFrame FRE",
	Needs:    rowNeeds,
	Severity: rules.Note,
	Text: `The FREs differ from the file's ` + "`.eh_frame` or `.debug_frame`" + `, and this version of the
format has no way to agree: version 1 has no outermost frame, versions 1 and 2 count the CFA
from SP and FP only and have RA and FP in fixed kinds of places. The assembler should have
left the function out: a tracer goes wrong in it. SF6014 counts functions that it did leave out.`,
	Fix:  `Use tools that write version 3.`,
	Good: `version 3: FRE without data words, DW_CFA_undefined for RA`,
	Bad:  `version 1: CFA = rsp+8, DW_CFA_undefined for RA`,
}, 1<<ehframe.CFADiffers|1<<ehframe.RADiffers|1<<ehframe.FPDiffers|1<<ehframe.OutermostDiffers, func(c *rules.Context, f *ehframe.Frames) (func(*ehframe.Difference), func(*ehframe.Comparison)) {
	var first ehframe.Difference
	n, last := 0, -1
	each := func(d *ehframe.Difference) {
		if !d.Inexpressible || d.FDE == last {
			return
		}
		if last = d.FDE; n == 0 {
			first = *d
		}
		n++
	}
	return each, func(*ehframe.Comparison) {
		if n == 0 {
			return
		}
		what := "RA is undefined"
		if first.Kind != ehframe.OutermostDiffers {
			_, cfi := first.Of(first.Kind)
			what = fmt.Sprintf("%v is %s", first.Kind, cfi.Format(c.Section.ABI()))
		}
		more := ""
		if n > 1 {
			more = fmt.Sprintf(", and that of %s", rules.Count(n-1, "other function"))
		}
		c.FRE(first.FRE, first.FRE.Span(), "version %d cannot express the CFI of the function, by which %s %s (%s)%s: a tracer goes wrong there",
			c.Section.Version(), what, span(c, &first), source(f, &first), more)
	}
})

var DamagedCFI = newCFIRule(rules.Rule{
	ID:       "SF6017",
	Title:    "CFI that cannot be decoded",
	Clause:   "SFrame FDE",
	Needs:    rangeNeeds,
	Severity: rules.Note,
	Text: `Parts of ` + "`.eh_frame` or `.debug_frame`" + ` are damaged, or use what the linter does not
support. Debuggers and tracers that use them fail there. Rules that compare the section with
them did not check the functions concerned. SF5036 reports a section that can't be read at all.`,
	Fix:  `Assemble and link again. ` + "`readelf --debug-dump=frames`" + ` shows the section.`,
	Good: `a CIE pointer that points to a CIE`,
	Bad:  `a CIE pointer that points into an FDE`,
}, 0, func(c *rules.Context, f *ehframe.Frames) (func(*ehframe.Difference), func(*ehframe.Comparison)) {
	report := func(d ehframe.Damage, what string) {
		s := &f.Sections[d.Section]
		at := d.Fault.Span
		if at.Off += s.Offset; s.Offset < 0 {
			at = elf64.In(c.Object.ELF.Sections[s.Index].Header.Off, elf64.ShdrPlace)
		}
		c.File(at, "%s of %s can't be decoded (%s+0x%x: %v): rules that compare the section with it did not check the functions concerned",
			rules.Count(d.Count, what), s.Name, s.Name, d.Fault.Span.Off, d.Fault.Code)
	}
	return nil, func(n *ehframe.Comparison) {
		for _, d := range f.Damage() {
			report(d, "part")
		}
		if n.Damage.Count > 0 {
			report(n.Damage, "program")
		}
	}
})
