package crosscheck

import (
	"debug/elf"
	"strings"

	"github.com/sframe-lint/sframe-lint/ehframe"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Lost finds functions of a program's own without an FDE, beside others that have one.
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
