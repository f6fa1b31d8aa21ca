package crosscheck

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var InsideFunction = newRule(rules.Rule{
	ID:       "SF6001",
	Title:    "FDE starts inside another function",
	Clause:   "SFrame FDE",
	Files:    rules.ELFFiles,
	Needs:    []rules.Fact{rules.AttributesKnown, rules.StartsKnown, rules.StartsAsFlagged, rules.SymbolsReadable},
	Requires: []*analysis.Analyzer{rules.CodeProofs},
	Severity: rules.Warning,
	Text: `By the symbol table the function of the FDE starts inside another function,
and no symbol is there. The start field or its relocation is wrong: the FREs apply to
code for which they were not made, and a trace goes wrong. Where the file has CFI for
the code, the rule is silent and SF6013 compares with that. An exception is assembly
that describes parts of a function separately without labels between them, as glibc's clone does; where the
code agrees with the FREs of a part that follows another one, the rule is silent, too.`,
	Fix:  `Compare the start with the function's symbol. Assemble and link again.`,
	Good: `FDE and symbol at 0x1040`,
	Bad:  `FDE at 0x1044, the only symbol there covers 0x1040 to 0x1080`,
}, func(c *rules.Context, j *join) {
	bad := j.suspects(c)
	switch n := len(bad); {
	case n > 8 && 2*n > len(j.t.keys):
		f := j.fde(c, bad[0])
		c.FDE(f, model.FDEStart, "%s points to 0x%x, inside \"%s\", and %s also point inside functions: the FREs apply to code for which they were not made", c.FieldName(model.FDEStart), f.Start(), j.fs.name(j.inside[bad[0]]), rules.Count(n-1, "other FDE"))
	default:
		for _, p := range bad {
			f := j.fde(c, p)
			c.FDE(f, model.FDEStart, "%s points to 0x%x, inside \"%s\", where there is no symbol: unless the source describes this part of the function separately, the FREs apply to code for which they were not made", c.FieldName(model.FDEStart), f.Start(), j.fs.name(j.inside[p]))
		}
	}
})

// suspects lists the places whose function starts inside another one and not
// at a label, without parts whose code agrees with their FREs.
func (j *join) suspects(c *rules.Context) []int {
	var all []int
	proofs := prereq.Get[*prereq.Proofs](c.Pass, rules.CodeProofs).FREs
	for p := range j.inside {
		f := j.fde(c, p)
		if j.state[p] == unnamed && j.judges(f) && !(proofs.Agrees(f.Index()) && j.continues(p)) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	labelled := map[uint64]bool{}
	for _, p := range all {
		labelled[j.t.keys[p]] = false
	}
	j.fs.labels(func(y symbol) {
		if key, ok := j.key(y); ok {
			if _, wanted := labelled[key]; wanted {
				labelled[key] = true
			}
		}
	})
	kept := all[:0]
	for _, p := range all {
		if !labelled[j.t.keys[p]] {
			kept = append(kept, p)
		}
	}
	return kept
}

// continues reports whether the function at a place starts where the previous one ends.
func (j *join) continues(p int) bool {
	return p > 0 && j.t.keys[p-1]+uint64(j.t.sizes[p-1]) == j.t.keys[p]
}

// judges reports whether the symbols decide where the function of an FDE is: it is no
// stub, and no CFI covers it.
func (j *join) judges(f model.FDE) bool {
	return f.PCType() == model.SFRAME_FDE_PCTYPE_INC && !j.settled(f)
}

var SizeDiffers = newRule(rules.Rule{
	ID:       "SF6002",
	Title:    "function size differs from the symbol's",
	Clause:   "SFrame FDE",
	Files:    rules.ELFFiles,
	Needs:    []rules.Fact{rules.AttributesKnown, rules.StartsKnown, rules.StartsAsFlagged, rules.SymbolsReadable},
	Severity: rules.Warning,
	Text: `The symbol at the start of the FDE's function has another size. If the FDE is
shorter, a tracer finds no FRE for the end of the function. If it is longer, the
tracer applies the last FRE to code after the function. The rule skips FDEs of type
MASK, functions whose symbols have several sizes, and functions with CFI, with which
SF6013 compares. Other rules report a function of
size 0 (SF2009), one that overlaps the next (SF2013) and one that leaves its section
(SF2014). An exception is assembly with a wrong ` + "`.size`" + ` or with ` + "`.cfi_endproc`" + ` in
another place.`,
	Fix:  `Compare the size with the function's code. Assemble and link again.`,
	Good: `sfdi_func_size = 32, st_size = 32`,
	Bad:  `sfdi_func_size = 48, st_size = 32`,
}, func(c *rules.Context, j *join) {
	if len(j.size) == 0 {
		return
	}
	for _, p := range slices.Sorted(maps.Keys(j.size)) {
		if j.state[p] != other {
			continue
		}
		f := j.fde(c, p)
		if !j.judges(f) || j.collides(p) || leavesCode(c, f) {
			continue
		}
		effect := "the last FRE applies to code after the function"
		if f.Size() < j.size[p] {
			bare := j.bareBytes(p)
			if bare == 0 || proof.CodeOf(c.Object).EndsInConstants(f, uint64(j.size[p])) {
				continue
			}
			effect = "its last bytes have no FRE"
			if bare < j.size[p]-f.Size() {
				effect = fmt.Sprintf("%d of its bytes have no FRE", bare)
			}
		}
		c.FDE(f, model.FDEFuncSize, "%s is %d, but st_size of the function's symbol is %d: %s", c.FieldName(model.FDEFuncSize), f.Size(), j.size[p], effect)
	}
})

// bareBytes returns how many bytes of the symbol at a place no FDE covers after that of the function.
func (j *join) bareBytes(p int) (n uint32) {
	at, end := j.t.keys[p]+uint64(j.t.sizes[p]), j.t.keys[p]+uint64(j.size[p])
	for p++; p < len(j.t.keys) && j.t.keys[p] < end && at < end; p++ {
		if j.t.keys[p] > at {
			n += uint32(j.t.keys[p] - at)
		}
		at = j.t.keys[p] + uint64(j.t.sizes[p])
	}
	if at < end {
		n += uint32(end - at)
	}
	return n
}

// collides reports whether the function is empty or overlaps the next one,
// which other rules report.
func (j *join) collides(p int) bool {
	size := uint64(j.t.sizes[p])
	return size == 0 || p+1 < len(j.t.keys) && j.t.keys[p+1]-j.t.keys[p] < size
}

// leavesCode reports whether the function does not lie in one executable
// section, which other rules report.
func leavesCode(c *rules.Context, f model.FDE) bool {
	i, at, ok := c.Object.ELF.Within(f.Place(), f.Start())
	if !ok || !isCode(&c.Object.ELF.Sections[i]) {
		return true
	}
	size := c.Object.ELF.Sections[i].Size
	return at > size || uint64(f.Size()) > size-at
}

var Coverage = newRule(rules.Rule{
	ID:       "SF6003",
	Title:    "functions without an FDE",
	Clause:   "Generating Stack Traces using SFrame",
	Files:    rules.ELFFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.AllFDEsKnown, rules.StartsKnown, rules.StartsAsFlagged, rules.SymbolsReadable},
	Severity: rules.Note,
	Text: `The symbol table has functions that no FDE covers. A tracer that relies on
SFrame stops there. Usually they come from assembly without CFI directives. The rule counts
functions by their symbols, an alias as a separate function, and leaves out those that the
file has CFI for: SF6014 reports them, with the reason. SF1022 reports a section without any
FDE.`,
	Fix:  "Add CFI directives to the assembly, and assemble it with `-Wa,--gsframe`. If that is done, look for its warnings.",
	Good: `2000 function symbols, all covered`,
	Bad:  `2000 function symbols, 12 of them without an FDE`,
}, func(c *rules.Context, j *join) {
	if j.bare.count == 0 || pltAlone(c) || !counts(c) {
		return
	}
	c.Header(model.HdrNumFDEs, "no FDE covers %d of %d functions in the symbol table (%s), among them %s: a tracer stops there", j.bare.count, j.symbols, j.sections(c), j.names())
})

// names lists the first functions without an FDE, quoted.
func (j *join) names() string {
	var names []string
	for _, y := range j.bare.first {
		names = append(names, `"`+j.fs.name(y.index)+`"`)
	}
	return strings.Join(names, ", ")
}

// sections lists the sections with the most of them, with their numbers.
func (j *join) sections(c *rules.Context) string {
	type entry struct{ section, count int }
	var all []entry
	for i, n := range j.bare.section {
		all = append(all, entry{i, n})
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.section, b.section))
	})
	var words []string
	for _, e := range all[:min(len(all), bareNames)] {
		words = append(words, fmt.Sprintf("%s: %d", c.Object.ELF.Sections[e.section].Name, e.count))
	}
	if len(all) > bareNames {
		words = append(words, rules.Count(len(all)-bareNames, "other section"))
	}
	return strings.Join(words, ", ")
}
