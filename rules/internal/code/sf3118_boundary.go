package code

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

var BoundaryAgainstCode = codeRule(rules.Rule{
	ID: "SF3118",
}, func(c *rules.Context, found *proof.Found) {
	const why = "a tracer stops there"
	for _, x := range found.Exits {
		f := c.Section.FDE(x.Func)
		if x.Kind == proof.LeafCut && int64(f.Size())%c.ABI.MinInsn == 0 && !c.Cut() && !inStubs(c, f) && !hasCFI(c, x.Place, x.PC) {
			c.FDE(f, model.FDEFuncSize, "the FDE ends at %s, inside the instruction at %s: %s",
				c.Object.Address(x.Place, f.End()), c.Object.Address(x.Place, x.PC), "a function must end after an instruction")
		}
		if x.Kind == proof.LeafCut || x.Veneer || c.Cut() || inStubs(c, f) || hasCFI(c, x.Place, cmp.Or(x.From, x.Target)) {
			continue
		}
		if x.From != 0 {
			does := "takes down the frame"
			if x.Kind == proof.LeafJump {
				does = "jumps back to " + c.Object.Address(x.Place, x.Target)
			}
			c.FDE(f, model.FDEFuncSize, "the FDE ends at %s, but its function continues at %s, which no FDE covers (the instruction at %s %s): %s",
				c.Object.Address(x.Place, f.End()), c.Object.Address(x.Place, x.From), c.Object.Address(x.Place, x.PC), does, why)
			continue
		}
		if x.Target == f.End() {
			c.FDE(f, model.FDEFuncSize, "the FDE ends at %s, but the instruction at %s falls through to that address, which no FDE covers: %s",
				c.Object.Address(x.Place, f.End()), c.Object.Address(x.Place, x.PC), why)
			continue
		}
		frame := "a frame"
		if x.Down > 0 {
			frame = fmt.Sprintf("a frame of %d bytes", x.Down)
		}
		c.FDE(f, model.FDEFuncSize, "the instruction at %s jumps with %s to %s, which no FDE covers: %s",
			c.Object.Address(uint32(f.Place()), x.PC), frame, c.Object.Address(x.Place, x.Target), why)
	}
	for _, x := range found.Inner {
		f := c.Section.FDE(x.Func)
		if c.Cut() || inStubs(c, f) || f.NumFREs() != int(f.ClaimedFREs()) || innerCFI(c, uint32(f.Place()), x.Start) {
			continue
		}
		c.FDE(f, model.FDEFuncSize, "another function starts at %s inside the FDE, and has CFA = %s at %s instead of %s: the FREs do not describe that function",
			c.Object.Address(uint32(f.Place()), x.Start), x.Truth.Format(c.Section.ABI()), c.Object.Address(uint32(f.Place()), x.Contradiction.Start), x.Says.Format(c.Section.ABI()))
	}
	for _, x := range found.Holes {
		f := c.Section.FDE(x.Before)
		if c.Cut() || evidence.Frames(c).Any() || inStubs(c, f) {
			continue
		}
		c.With(rules.AtMost(rules.Warning)).With(rules.AtPC(f.Place(), x.Start)).At(model.HdrNumFDEs.Span(), "no FDE covers the function at %s, which is between %s and %s and sets up a frame: %s",
			c.Object.Address(uint32(f.Place()), x.Start), rules.FDE(x.Before), rules.FDE(x.After), why)
	}
	for _, x := range found.Blocks {
		f := c.Section.FDE(x.Func)
		if c.Cut() || inStubs(c, f) {
			continue
		}
		c.FDE(f, model.FDEInfo, "the FDE has PC type MASK and repeated blocks of %d bytes, but the instruction at %s continues into the next block: a tracer uses the wrong FREs",
			f.RepSize(), c.Object.Address(x.Place, x.PC))
	}
	for _, x := range found.Late {
		f := c.Section.FDE(x.Func)
		if c.Cut() || inStubs(c, f) || hasCFI(c, uint32(f.Place()), x.Target) {
			continue
		}
		if x.Cut != 0 {
			c.FDE(f, model.FDEStart, "the FDE starts at %s, inside the instruction at %s, but its function starts at %s: %s",
				c.Object.Address(uint32(f.Place()), f.Start()), c.Object.Address(uint32(f.Place()), x.Cut), c.Object.Address(uint32(f.Place()), x.Target), why)
			continue
		}
		if x.Landing {
			c.FDE(f, model.FDEStart, "the FDE starts at %s, but its function starts at %s, a target of indirect calls: %s",
				c.Object.Address(uint32(f.Place()), f.Start()), c.Object.Address(uint32(f.Place()), x.Target), why)
			continue
		}
		if x.Call == 0 {
			c.FDE(f, model.FDEStart, "the FDE starts at %s, which is not aligned, but its function starts at %s: %s",
				c.Object.Address(uint32(f.Place()), f.Start()), c.Object.Address(uint32(f.Place()), x.Target), why)
			continue
		}
		c.FDE(f, model.FDEStart, "the FDE starts at %s, but its function starts at %s, the target of a call: %s",
			c.Object.Address(uint32(f.Place()), f.Start()), c.Object.Address(uint32(f.Place()), x.Target), why)
	}
})

// innerCFI reports whether call frame information has a function of its own at an address: the
// rules that compare ranges report that.
func innerCFI(c *rules.Context, place uint32, pc uint64) bool {
	fde, ok := evidence.Frames(c).At(place, pc)
	return ok && fde.Start.Addr == pc
}

// hasCFI reports whether call frame information covers an address.
func hasCFI(c *rules.Context, place uint32, pc uint64) bool {
	_, ok := evidence.Frames(c).At(place, pc)
	return ok
}

var SignalAgainstCode = codeRule(rules.Rule{
	ID:       "SF3119",
	Versions: model.Versions(func(v model.VersionInfo) bool { return v.Signal }),
	InSource: true,
}, func(c *rules.Context, found *proof.Found) {
	for _, i := range found.Called {
		if f := c.Section.FDE(i); !c.Cut() && !signalDiffers(c, f) {
			c.FDE(f, model.FDEInfo, "the FDE marks a signal frame, but its function is ordinary: a tracer looks up the return address itself, not the call before it%s", wrongLookup(c, found, i))
		}
	}
	code, abi := proof.CodeOf(c.Object), c.ABI
	d := insn.For(abi.Machine)
	var i insn.Insn
	c.FDEs(nil, func(f model.FDE) {
		if !found.Ordinary[f.Index()] && f.Size() <= 64 && !f.Signal() && f.NumFREs() > 0 && returnsFromSignal(code.Func(f), d, &i, abi) && !f.FRE(0).Row().Outermost() && !signalDiffers(c, f) {
			c.FDE(f, model.FDEInfo, "the function returns from a signal handler, but the FDE does not mark a signal frame: a tracer reads RA from the wrong place")
		}
	})
})

// wrongLookup says where that finds another FRE or function.
func wrongLookup(c *rules.Context, found *proof.Found, i int) string {
	k := slices.IndexFunc(found.Lookups, func(l proof.Lookup) bool { return l.Func == i })
	if k < 0 {
		return ""
	}
	l, what := &found.Lookups[k], "function"
	if l.Row {
		what = "FRE"
	}
	return fmt.Sprintf(" (and finds another %s for the call at %s)", what, c.Object.Address(l.Place, l.Call))
}

// returnsFromSignal reports whether a function does nothing but return from a signal handler: it sets the
// number of the system call, and makes it.
func returnsFromSignal(code []byte, decode insn.Decoder, i *insn.Insn, abi *model.ABIInfo) bool {
	number := uint64(0)
	for ; len(code) > 0; code = code[i.Len:] {
		decode(code, 0, i)
		switch {
		case i.System && abi.CallNumber < 0:
			return abi.Sigreturn(uint64(code[1]))
		case i.System:
			return abi.Sigreturn(number)
		case i.Pad:
		case i.N == 1 && i.Ops[0].Do == insn.Const && int(i.Ops[0].Dst) == abi.CallNumber:
			number = uint64(i.Ops[0].Off)
		default:
			return false
		}
	}
	return false
}

// signalDiffers reports whether the CFI states otherwise of a signal frame.
func signalDiffers(c *rules.Context, f model.FDE) bool {
	cfi, ok := cfiOf(c, f)
	return ok && cfi.CIE.Signal != f.Signal()
}

var StaleFP = againstCode(rules.Rule{
	ID: "SF3120",
}, proof.StaleFP, "tracers lose callers that use FP")

var VeneerUncovered = codeRule(rules.Rule{
	ID:    "SF3121",
	ABIs:  model.ABIsWith(func(a model.ABIInfo) bool { return a.Veneers }),
	Files: rules.LinkedFiles,
}, func(c *rules.Context, found *proof.Found) {
	for _, x := range found.Exits {
		f := c.Section.FDE(x.Func)
		if !x.Veneer || c.Cut() || inStubs(c, f) || hasCFI(c, x.Place, x.Target) {
			continue
		}
		c.FDE(f, model.FDEFuncSize, "the linker moved the instruction at %s to a veneer at %s, which no FDE covers: a tracer stops there",
			c.Object.Address(x.Place, x.PC), c.Object.Address(x.Place, x.Target))
	}
})
