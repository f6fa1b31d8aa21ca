package fde

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/sound"
)

func isMask(f model.FDE) bool { return f.PCType() == model.SFRAME_FDE_PCTYPE_MASK }

// NoRepSize finds a repeated stub of no size.
var NoRepSize = sound.Rule(rules.Rule{
	ID:       "SF2007",
	Title:    "MASK FDE without a rep_size",
	Clause:   "The SFrame FDE PC Types",
	Versions: sinceV2,
	Severity: rules.Error,
	Text: `An FDE of PC type MASK describes a stub that is repeated, as in a PLT. A
consumer looks a PC up by its remainder in the stub's size, which is rep_size. Where
that is 0 it divides by zero: libsframe, glibc and an early reader of the Linux kernel
do not look first, so one such FDE ends the process that traces.`,
	Fix:  `Set the size of a stub in bytes, or PC type INC where nothing is repeated.`,
	Good: `a PLT of AMD64: MASK, rep_size = 10 (16 bytes)`,
	Bad:  `a PLT of AMD64: MASK, rep_size = 00`,
}, func(c *rules.Context) {
	c.FDEs(func(f model.FDE) bool { return isMask(f) && f.RepSize() == 0 }, func(f model.FDE) {
		c.FDE(f, model.FDERepSize, "%s is 0 in an FDE of PC type MASK: consumers take PCs modulo it, and libsframe and glibc divide by zero", name(c, model.FDERepSize))
	})
})

// RepSizeUnused finds a rep_size where nothing is repeated.
var RepSizeUnused = sound.Rule(rules.Rule{
	ID:       "SF2008",
	Title:    "rep_size in an INC FDE",
	Clause:   "The SFrame FDE Attribute",
	Versions: sinceV2,
	Severity: rules.Warning,
	Text: `rep_size is the size of the stub that an FDE of PC type MASK repeats. With PC
type INC nothing is repeated, consumers ignore the field, and producers write 0: another
value suggests that the FDE was meant to be MASK, in which case all of its repetitions
but the first are traced wrongly. GNU ld 2.41 to 2.44 writes the size of a PLT entry to
the FDE of the first one, which is not repeated.`,
	Fix:  `Set 0, or PC type MASK.`,
	Good: `INC, rep_size = 00`,
	Bad:  `INC, rep_size = 10`,
}, func(c *rules.Context) {
	c.FDEs(func(f model.FDE) bool { return !isMask(f) && f.RepSize() != 0 }, func(f model.FDE) {
		c := c.Repair("set rep_size to 0", f.FieldSpan(model.FDERepSize), 0)
		c.FDE(f, model.FDERepSize, "%s is %d in an FDE of PC type INC, which repeats nothing: it should be 0, or the PC type MASK", name(c, model.FDERepSize), f.RepSize())
	})
})

// RepSizeRemainder finds stubs that do not fill the function.
var RepSizeRemainder = sound.Rule(rules.Rule{
	ID:       "SF2020",
	Title:    "size of a MASK FDE is no multiple of rep_size",
	Clause:   "The SFrame FDE PC Types",
	Versions: sinceV2,
	Severity: rules.Warning,
	Text: `An FDE of PC type MASK covers a run of equal stubs of rep_size bytes, so its size
is a multiple of that. Otherwise the last stub is cut off, or the run begins with
something else, such as the first entry of a PLT, and a tracer looks all PCs behind that
up at the wrong place in the stub.`,
	Fix:  `Give the first entry of a PLT an FDE of its own, and the rest the size of its stubs.`,
	Good: `size = 0x40, rep_size = 0x10`,
	Bad:  `size = 0x48, rep_size = 0x10`,
}, func(c *rules.Context) {
	eachStub(c, func(f model.FDE) {
		if rep := uint32(f.RepSize()); f.Size() > rep && f.Size()%rep != 0 {
			c.FDE(f, model.FDEFuncSize, "%s is %d, no multiple of %s, which is %d: the stubs of an FDE of PC type MASK fill it without a rest, so PCs are looked up at the wrong place in the stub",
				name(c, model.FDEFuncSize), f.Size(), name(c, model.FDERepSize), rep)
		}
	})
})

// RepSizeLarge finds a stub larger than all of the function.
var RepSizeLarge = sound.Rule(rules.Rule{
	ID:       "SF2021",
	Title:    "rep_size larger than the function",
	Clause:   "The SFrame FDE PC Types",
	Versions: sinceV2,
	Severity: rules.Error,
	Text: `An FDE of PC type MASK covers a run of equal stubs of rep_size bytes, at least one.
A rep_size beyond the function's size can't be the size of its stubs. A tracer takes the
function for a single stub, and finds the first one's rows for none of the others.`,
	Fix:  `Set the size of a stub in bytes.`,
	Good: `size = 0x10, rep_size = 0x10`,
	Bad:  `size = 0x10, rep_size = 0x18`,
}, func(c *rules.Context) {
	eachStub(c, func(f model.FDE) {
		if f.Size() > 0 && uint32(f.RepSize()) > f.Size() {
			c.FDE(f, model.FDERepSize, "%s is %d, but the function has %d bytes: it can't hold one such stub, as an FDE of PC type MASK must",
				name(c, model.FDERepSize), f.RepSize(), f.Size())
		}
	})
})

// eachStub yields the MASK FDEs that have a rep_size.
func eachStub(c *rules.Context, yield func(model.FDE)) {
	c.Section.EachMask(func(f model.FDE) {
		if isMask(f) && f.RepSize() != 0 {
			yield(f)
		}
	})
}
