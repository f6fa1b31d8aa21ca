package crosscheck

import (
	"debug/elf"
	"strings"

	"github.com/sframe-lint/sframe-lint/ehframe"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

var Dropped = newCFIRule(rules.Rule{
	ID:       "SF6019",
	Title:    "FDE missing between two others",
	Clause:   "Generating Stack Traces using SFrame",
	Needs:    append([]rules.Fact{rules.AllFDEsKnown}, rangeNeeds...),
	Severity: rules.Warning,
	Text: "The file's `.eh_frame` or `.debug_frame`" + ` describes a function that no FDE covers. FREs of
the default type can express its CFI, and the functions before and after it have FDEs, in
the same section and in the order of the CFI, so the tools seem to have lost this one. Or an
FDE has just its size and covers code without CFI: then the start of that FDE is wrong. A
tracer stops there. An exception is an object of a single function that was assembled
without SFrame data. The rule skips outermost frames: the start files of the C library, with
` + "`_start`" + `, mostly have no SFrame data. It also skips what GNU as up to 2.44 always leaves out:
functions with DW_CFA_GNU_args_size and, in version 1, with DW_CFA_register. SF6014 counts all
functions without an FDE.`,
	Fix:  "Compile the function with `-Wa,--gsframe`. If it is, assemble or link with another version of the tools.",
	Good: `FDEs for three functions in a row`,
	Bad:  `FDEs for the first and the third of three functions in a row`,
}, 1<<ehframe.NoFDE|1<<ehframe.NoCFI, func(c *rules.Context, f *ehframe.Frames) (func(*ehframe.Difference), func(*ehframe.Comparison)) {
	var lost []ehframe.Difference // functions of which the neighbours prove nothing
	stray := map[uint64]int{}     // FDEs for code without CFI, by size
	each := func(d *ehframe.Difference) {
		switch {
		case !c.Has(rules.SingleSection) || inPLT(c, d.Place, d.Start) || c.Object.ELF.KernelPart(): // SF6025 reports those of a module
		case d.Kind == ehframe.NoCFI:
			if len(stray) < maxLost && len(f.Skipped) == 0 {
				stray[d.End-d.Start] = d.FDE
			}
		case !expressible(c, f, d):
		case d.Alone && sameSection(c, int(d.Place), d.Start, d.Neighbours[0]) && sameSection(c, int(d.Place), d.Start, d.Neighbours[1]):
			c.Uncovered(int(d.Place), d.Start, model.HdrNumFDEs.Span(), "no FDE covers %s, whose CFI (%s) is simple, between %s and %s, which have FDEs: a tracer stops there",
				nameAt(c, d.Place, d.Start), source(f, d), nameAt(c, d.Place, d.Neighbours[0]), nameAt(c, d.Place, d.Neighbours[1]))
		case len(lost) < maxLost:
			lost = append(lost, *d)
		}
	}
	return each, func(*ehframe.Comparison) {
		for i := range lost {
			d := &lost[i]
			if k, ok := stray[d.End-d.Start]; ok {
				fde := c.Section.FDE(k)
				c.Uncovered(int(d.Place), d.Start, model.HdrNumFDEs.Span(), "no FDE covers %s, whose CFI (%s) is simple, while %s of the same size covers code at %s without CFI: its start seems to be wrong, and a tracer stops in %s",
					nameAt(c, d.Place, d.Start), source(f, d), c.Label(k), c.Address(uint32(fde.Place()), fde.Start()), nameAt(c, d.Place, d.Start))
			}
		}
	}
})

// maxLost is how many functions are compared with how many FDEs for code without CFI: there
// are many in a file most of which was assembled without SFrame data or without CFI.
const maxLost = 16

// expressible reports whether FREs of the default type can express the CFI of a function that
// is not outermost and that the assembler does not always leave out.
func expressible(c *rules.Context, f *ehframe.Frames, d *ehframe.Difference) bool {
	fde, _ := f.Sections[d.Section].FDEAt(d.CFI.Off)
	if _, ok := fde.Obstacle(c.Section.Version(), false); ok {
		return false
	}
	if leftOut(c, &fde) {
		return false
	}
	row, ok := fde.RowAt(d.Start)
	return !ok || row.RA.Kind != ehframe.Undefined
}

// leftOut reports whether a section is one of GNU as up to 2.44, which leaves out a function
// with such CFI.
func leftOut(c *rules.Context, fde *ehframe.FDE) bool {
	h := c.Section.Header()
	return !h.Version.Info().Flex && h.Flags&model.SFRAME_F_FDE_FUNC_START_PCREL == 0 && fde.LeftOut(h.Version)
}

// sameSection reports whether two addresses of one place are in the same section.
func sameSection(c *rules.Context, place int, a, b uint64) bool {
	i, _, ok := c.Object.ELF.Within(place, a)
	k, _, found := c.Object.ELF.Within(place, b)
	return ok && found && i == k
}

var Lost = newCFIRule(rules.Rule{
	ID:       "SF6021",
	Title:    "program's own functions without an FDE",
	Clause:   "Generating Stack Traces using SFrame",
	Files:    rules.LinkedFiles,
	Needs:    append([]rules.Fact{rules.AllFDEsKnown, rules.SymbolsReadable}, rangeNeeds...),
	Severity: rules.Error,
	Text: "A linked file has FDEs for some of its functions, and `.eh_frame` or `.debug_frame`" + ` for others
whose CFI is simple. Either the linker ignored the SFrame data of some inputs, as GNU ld 2.47 does with
versions 1 and 2, or these inputs were assembled without SFrame data. A tracer stops in these functions. What
comes from the C library and the compiler does not count: functions with a reserved name, such as ` + "`_start`" + `, those of
the namespace std, and all of a file that defines ` + "`__libc_start_main`" + `, as static programs do. Neither do functions
without a symbol, and single functions between two that have FDEs, which SF6019 reports. SF6014 counts all of them.`,
	Fix: `Look for "SFrame section ignored" in the linker's output. Assemble all inputs with ` + "`--gsframe`" + ` of one
assembler. ` + "`sframe-lint link`" + ` lists what the link has lost, by input.`,
	Good: `200 functions of the program, all with FDEs`,
	Bad:  `200 functions of the program, 80 of them without an FDE`,
}, 1<<ehframe.NoFDE, func(c *rules.Context, f *ehframe.Frames) (func(*ehframe.Difference), func(*ehframe.Comparison)) {
	if pltAlone(c) || !c.Has(rules.SingleSection) || hasLibrary(c) {
		return func(*ehframe.Difference) {}, nil
	}
	var lost functionList
	each := func(d *ehframe.Difference) {
		if !d.Alone && !inPLT(c, d.Place, d.Start) && ofProgram(c, d.Start) && expressible(c, f, d) {
			lost.add(c, d)
		}
	}
	return each, func(n *ehframe.Comparison) {
		if lost.n > 0 {
			c.Header(model.HdrNumFDEs, "the program has CFI and no FDE for %s of its own, among them %s: the linker ignored the SFrame data of some inputs, or the assembler wrote none for them; a tracer stops there",
				rules.Count(lost.n, "function"), lost.String())
		}
	}
})

// hasLibrary reports whether the file has the C library in it.
func hasLibrary(c *rules.Context) bool {
	e := c.Object.ELF
	for i := range e.Symbols.Len() {
		y, ok := e.Symbols.Symbol(i)
		if !ok {
			break // the rest can't be read, or the budget is exceeded
		}
		if y.Type == elf.STT_FUNC && y.Section > 0 && strings.HasPrefix(y.Name, "__libc_start_") {
			return true
		}
	}
	return false
}

// startFiles are functions in start files and in the static part of the C library whose names
// are not reserved.
var startFiles = map[string]bool{
	"init_have_lse_atomics": true, "atexit": true, "at_quick_exit": true, "deregister_tm_clones": true, "register_tm_clones": true, "frame_dummy": true,
	"pthread_atfork": true, "stat": true, "fstat": true, "lstat": true, "fstatat": true, "mknod": true, "mknodat": true,
	"stat64": true, "fstat64": true, "lstat64": true, "fstatat64": true,
}

// ofProgram reports whether the function at a PC has a name that only a program's own
// functions have.
func ofProgram(c *rules.Context, pc uint64) bool {
	y, ok := c.Object.ELF.Symbols.Func(-1, pc)
	if !ok || y.Value != pc || y.Name == "" || startFiles[y.Name] {
		return false
	}
	for _, std := range []string{"_ZSt", "_ZNSt", "_ZNKSt", "_ZNSs", "_ZNKSs", "_ZNSa", "_ZN9__gnu_cxx", "_ZN10__cxxabiv1"} {
		if strings.HasPrefix(y.Name, std) {
			return false
		}
	}
	return y.Name[0] != '_' || strings.HasPrefix(y.Name, "_Z")
}
