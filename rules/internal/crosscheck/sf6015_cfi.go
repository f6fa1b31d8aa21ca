package crosscheck

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/base/elf64"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var WithoutCFI = newCFIRule(rules.Rule{
	ID:    "SF6015",
	Needs: rangeNeeds,
}, 1<<cfi.NoCFI, func(c *rules.Context, f *cfi.Frames) (func(*cfi.Difference), func(*cfi.Comparison)) {
	var all []int
	each := func(d *cfi.Difference) {
		if !inPLT(c, d.Place, d.Start) && len(f.Skipped) == 0 { // else the CFI may be there
			all = append(all, d.FDE)
		}
	}
	return each, func(n *cfi.Comparison) {
		if 2*len(all) > n.Functions {
			return
		}
		for _, i := range all {
			f := c.Section.FDE(i)
			c.FDE(f, model.FDEStart, "%s points to %s, which has no CFI, while the functions of %s have CFI: the FREs may be for other code",
				c.Section.FieldName(model.FDEStart), c.Object.Address(uint32(f.Place()), f.Start()), rules.Count(n.Functions, "other FDE"))
		}
	}
})

var Inexpressible = newCFIRule(rules.Rule{
	ID:    "SF6016",
	Needs: rowNeeds,
}, 1<<cfi.CFADiffers|1<<cfi.RADiffers|1<<cfi.FPDiffers|1<<cfi.Ignored|1<<cfi.OutermostDiffers, func(c *rules.Context, f *cfi.Frames) (func(*cfi.Difference), func(*cfi.Comparison)) {
	var first cfi.Difference
	n, last := 0, -1
	each := func(d *cfi.Difference) {
		if !d.Inexpressible || d.FDE == last {
			return
		}
		if last = d.FDE; n == 0 {
			first = *d
		}
		n++
	}
	return each, func(*cfi.Comparison) {
		if n == 0 {
			return
		}
		what := "RA is undefined"
		switch first.Kind {
		case cfi.OutermostDiffers:
		case cfi.Ignored:
			fde, _ := f.Sections[first.Section].FDEAt(first.CFI.Off)
			x, _ := fde.Obstacle(c.Section.Version(), true)
			what, c = x.Why, c.With(rules.Help("remove the rule for SP from the CFI: a tracer uses the CFA as SP"))
		default:
			_, cfi := first.Of(first.Kind)
			what = fmt.Sprintf("%v is %s", first.Kind, cfi.Format(c.Section.ABI()))
		}
		more := ""
		if n > 1 {
			more = fmt.Sprintf(" or of %s", rules.Count(n-1, "other function"))
		}
		c.FRE(first.FRE, first.FRE.Span(), "version %d cannot express the CFI of the function (%s %s; %s)%s: a tracer recovers wrong values there",
			c.Section.Version(), what, span(c, &first), source(f, &first), more)
	}
})

var DamagedCFI = newCFIRule(rules.Rule{
	ID:    "SF6017",
	Needs: rangeNeeds,
}, 0, func(c *rules.Context, f *cfi.Frames) (func(*cfi.Difference), func(*cfi.Comparison)) {
	report := func(d cfi.Damage, what string) {
		s := &f.Sections[d.Section]
		at := d.Fault.Span
		if at.Off += s.Offset; s.Offset < 0 {
			at = elf64.In(c.Object.ELF.Sections[s.Index].Header.Off, elf64.ShdrPlace)
		}
		c.File(at, "%s of %s cannot be decoded (%v at %s+0x%x): rules on CFI skipped the affected functions",
			rules.Count(d.Count, what), s.Name, d.Fault.Code, s.Name, d.Fault.Span.Off)
		if d.Fault.Code == cfi.CIEAugmentation {
			c.HoldBack(rules.Absence{Fact: rules.CFIReadable, Reason: fmt.Sprintf("the augmentation of a CIE is unknown (%s+0x%x)", s.Name, d.Fault.Span.Off)})
		}
	}
	return nil, func(n *cfi.Comparison) {
		for _, d := range f.Damage() {
			report(d, "part")
		}
		if n.Damage.Count > 0 {
			report(n.Damage, "CFI program")
		}
	}
})
