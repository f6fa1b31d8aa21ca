package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var RepSizeRemainder = rules.New(rules.Rule{ID: "SF2020", Versions: sinceV2, Needs: rules.AttributesKnown}, func(c *rules.Context) {
	eachStubs(c, func(f model.FDE, rep uint32) bool { return rep <= f.Size() && f.Size()%rep != 0 }, func(f model.FDE) {
		c.FDE(f, model.FDEFuncSize, "%s is %d, which is not a multiple of %s (%d): the stubs do not fill the function, and a tracer may use the wrong FREs",
			c.Section.FieldName(model.FDEFuncSize), f.Size(), c.Section.FieldName(model.FDERepSize), f.RepSize())
	})
})

var RepSizeLarge = rules.New(rules.Rule{ID: "SF2021", Versions: sinceV2, Needs: rules.AttributesKnown}, func(c *rules.Context) {
	eachStubs(c, func(f model.FDE, rep uint32) bool { return rep > f.Size() }, func(f model.FDE) {
		c.FDE(f, model.FDERepSize, "%s is %d, but the function has only %d bytes: not even one repeated stub fits into the function",
			c.Section.FieldName(model.FDERepSize), f.RepSize(), f.Size())
	})
})

var RepSizeStart = rules.New(rules.Rule{
	ID:       "SF2022",
	Versions: sinceV2,
	Needs:    rules.FREsKnown | rules.StartsAsFlagged,
}, func(c *rules.Context) {
	if c.Object.Relocatable() || prereq.Unplaced(c.Object, c.Section) {
		return
	}
	insn := uint64(1) // SF2016 reports a start that no function can have
	if c.Has(rules.ABIKnown) {
		insn = uint64(c.Section.ABI().MinInsn)
	}
	misaligned := func(f model.FDE, rep uint32) bool { return f.Size()%rep == 0 && f.Start()%uint64(rep) != 0 }
	eachStubs(c, misaligned, func(f model.FDE) {
		rep, start := uint64(f.RepSize()), f.Start()
		if startByOtherFlag(c.Section, f)%rep != 0 && start%insn == 0 && divided(f) {
			c.FDE(f, model.FDEStart, "the stubs start at 0x%x, %d bytes after a multiple of %s (%d): readers that compute PC modulo this field, like the manual, use wrong FREs", start, start%rep, c.Section.FieldName(model.FDERepSize), rep)
		}
	})
})

// startByOtherFlag returns where the function would start if the PCREL flag were the
// other way.
func startByOtherFlag(s *model.Section, f model.FDE) uint64 {
	field := uint64(f.FieldSpan(model.FDEStart).Off)
	if prereq.PCRel(s) {
		return f.Start() - field
	}
	return f.Start() + field
}

// divided reports whether which FRE is found depends on the offset in the stub.
func divided(f model.FDE) bool {
	for r := range f.FREs() {
		if r.Index() > 0 && r.Start() > 0 && r.Start() < uint32(f.RepSize()) {
			return true
		}
	}
	return false
}

// eachStubs calls yield for the MASK FDEs with code and a rep_size for which bad reports true.
func eachStubs(c *rules.Context, bad func(f model.FDE, rep uint32) bool, yield func(model.FDE)) {
	c.SFrame.Survey().EachMask(func(f model.FDE) {
		if rep := uint32(f.RepSize()); rep > 0 && f.Size() > 0 && bad(f, rep) {
			yield(f)
		}
	})
}
