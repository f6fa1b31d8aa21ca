package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

func isMask(f model.FDE) bool { return f.PCType() == model.SFRAME_FDE_PCTYPE_MASK }

var NoRepSize = rules.New(rules.Rule{
	ID:       "SF2007",
	Title:    "MASK FDE without a rep_size",
	Clause:   "The SFrame FDE PC Types",
	Versions: sinceV2,
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Error,
	Text: `An FDE of PC type MASK describes a stub that is repeated, as in a PLT. To look
up a PC, a consumer takes the offset from the function start modulo rep_size, the size
of the stub. If rep_size is 0, this divides by zero. libsframe, glibc and an early
reader of the Linux kernel do not check, so one such FDE ends the process that traces.`,
	Fix:  `Set the size of the stub in bytes, or PC type INC if nothing is repeated.`,
	Good: `a PLT of AMD64: MASK, rep_size = 10 (16 bytes)`,
	Bad:  `a PLT of AMD64: MASK, rep_size = 00`,
}, func(c *rules.Context) {
	c.FDEs(func(f model.FDE) bool { return isMask(f) && f.RepSize() == 0 }, func(f model.FDE) {
		c.FDE(f, model.FDERepSize, "%s is 0 in an FDE of PC type MASK: consumers reduce PCs modulo this field, and libsframe and glibc divide by zero", c.FieldName(model.FDERepSize))
	})
})

var RepSizeUnused = rules.New(rules.Rule{
	ID:       "SF2008",
	Title:    "rep_size in an INC FDE",
	Clause:   "The SFrame FDE Attribute",
	Versions: sinceV2,
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Warning,
	Text: `rep_size is the size of the stub that an FDE of PC type MASK repeats. An FDE
of PC type INC repeats nothing: consumers ignore the field, and producers write 0.
Another value suggests that the FDE was meant to be MASK; then all repetitions but the
first are traced wrongly. GNU ld 2.41 to 2.44 writes the size of a PLT entry into the
FDE of the first entry, which is not repeated.`,
	Fix:  `Set the field to 0, or the PC type to MASK.`,
	Good: `INC, rep_size = 00`,
	Bad:  `INC, rep_size = 10`,
}, func(c *rules.Context) {
	c.FDEs(func(f model.FDE) bool { return !isMask(f) && f.RepSize() != 0 }, func(f model.FDE) {
		if c.Cut() {
			return
		}
		c := c.Repair("set rep_size to 0", f.FieldSpan(model.FDERepSize), 0)
		c.FDE(f, model.FDERepSize, "%s is %d in an FDE of PC type INC, which repeats nothing: if MASK was meant, a tracer uses the wrong FREs", c.FieldName(model.FDERepSize), f.RepSize())
	})
})

var RepSizeRemainder = rules.New(rules.Rule{
	ID:       "SF2020",
	Title:    "MASK FDE whose size is not a multiple of rep_size",
	Clause:   "The SFrame FDE PC Types",
	Versions: sinceV2,
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Warning,
	Text: `An FDE of PC type MASK covers a run of equal stubs of rep_size bytes, so its
size is a multiple of rep_size. Otherwise either the last stub is cut off, or the run
starts with something else, such as the first entry of a PLT. In the second case a
tracer looks up all later PCs at the wrong offset in the stub.`,
	Fix:  `Write a separate FDE for the first entry of a PLT, and set the size of the remaining stubs.`,
	Good: `size = 0x40, rep_size = 0x10`,
	Bad:  `size = 0x48, rep_size = 0x10`,
}, func(c *rules.Context) {
	eachStubs(c, func(f model.FDE, rep uint32) bool { return rep <= f.Size() && f.Size()%rep != 0 }, func(f model.FDE) {
		c.FDE(f, model.FDEFuncSize, "%s is %d, not a multiple of %s %d: stubs must divide the function of a MASK FDE evenly, and a tracer may look up PCs at the wrong offset in the stub",
			c.FieldName(model.FDEFuncSize), f.Size(), c.FieldName(model.FDERepSize), f.RepSize())
	})
})

var RepSizeLarge = rules.New(rules.Rule{
	ID:       "SF2021",
	Title:    "rep_size larger than the function",
	Clause:   "The SFrame FDE PC Types",
	Versions: sinceV2,
	Needs:    []rules.Fact{rules.AttributesKnown},
	Severity: rules.Error,
	Text: `An FDE of PC type MASK covers one or more equal stubs of rep_size bytes. If
rep_size exceeds the size of the function, it cannot be the size of the stubs. A
tracer then reads the function as a single stub and finds no FRE for the repetitions.`,
	Fix:  `Set the size of the stub in bytes.`,
	Good: `size = 0x10, rep_size = 0x10`,
	Bad:  `size = 0x10, rep_size = 0x18`,
}, func(c *rules.Context) {
	eachStubs(c, func(f model.FDE, rep uint32) bool { return rep > f.Size() }, func(f model.FDE) {
		c.FDE(f, model.FDERepSize, "%s is %d, but the function has only %d bytes: an FDE of PC type MASK covers at least one whole stub",
			c.FieldName(model.FDERepSize), f.RepSize(), f.Size())
	})
})

var RepSizeStart = rules.New(rules.Rule{
	ID:       "SF2022",
	Title:    "start of a MASK FDE is not a multiple of rep_size",
	Clause:   "The SFrame FDE PC Types",
	Versions: sinceV2,
	Needs:    []rules.Fact{rules.FREsKnown, rules.StartsAsFlagged},
	Severity: rules.Warning,
	Text: `The manual looks up a PC of a MASK FDE by PC % rep_size, and readers disagree on
which PC that is. Current versions of libsframe take the distance from the start of the
function. Other readers, such as the crate simple-frame-rs, take the address itself. Both find
the same FRE if the stubs start at a multiple of rep_size, as those of a PLT do. Otherwise the
second kind of reader looks up every PC at the wrong offset in the stub. The rule
reports nothing for stubs with a single FRE, which is right for every offset, and nothing in a
relocatable file or a raw section without an address. It also reports nothing if the start is a
multiple when the field is read against the PCREL flag: the flag may be wrong.
If rep_size does not fit the size of the function,
SF2020 or SF2021 reports it.`,
	Fix:  `Align the first stub to rep_size, or write one FDE of PC type INC for each stub.`,
	Good: `start 0x1050, rep_size = 0x10`,
	Bad:  `start 0x1058, rep_size = 0x10`,
}, func(c *rules.Context) {
	if c.Relocatable() || c.Unplaced() {
		return
	}
	insn := uint64(1) // SF2016 reports a start that no function can have
	if c.Has(rules.ABIKnown) {
		insn = uint64(c.Section.ABI().MinInsn)
	}
	misaligned := func(f model.FDE, rep uint32) bool { return f.Size()%rep == 0 && f.Start()%uint64(rep) != 0 }
	eachStubs(c, misaligned, func(f model.FDE) {
		rep, start := uint64(f.RepSize()), f.Start()
		if against(c.Section, f)%rep != 0 && start%insn == 0 && divided(f) {
			c.FDE(f, model.FDEStart, "the stubs start at 0x%x, which is %d more than a multiple of their size %d: readers that compute PC %% %s from the address, as the manual does, use the wrong FRE", start, start%rep, rep, c.FieldName(model.FDERepSize))
		}
	})
})

// against returns where the function would start if the PCREL flag were the
// other way.
func against(s *model.Section, f model.FDE) uint64 {
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
	c.Survey().EachMask(func(f model.FDE) {
		if rep := uint32(f.RepSize()); rep > 0 && f.Size() > 0 && bad(f, rep) {
			yield(f)
		}
	})
}
