package compare

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Loss is a change or removal of SFrame data by a linker.
type Loss struct {
	Kind     Effect `json:"kind"`
	Input    string `json:"input,omitempty"` // the file and member that contained it
	Function string `json:"function,omitempty"`
	Message  string `json:"message"`
}

// Effect is the effect of a link on SFrame data.
type Effect string

// Effects.
const (
	SectionGone   Effect = "section-gone"   // inputs have SFrame data, the output has none
	NoData        Effect = "input-without"  // an input that defines functions has no SFrame data
	FDELost       Effect = "fde-lost"       // the function is in the output, but its FDE is not
	FDEChanged    Effect = "fde-changed"    // the FDEs of input and output differ
	FieldDropped  Effect = "field-dropped"  // a header field on which all inputs agree
	MixedInputs   Effect = "mixed-inputs"   // inputs of several versions or ABIs
	NotMerged     Effect = "not-merged"     // the sections are concatenated
	NotComparable Effect = "not-comparable" // functions that could not be found in the output
)

// LinkReport describes the effects of a link on the SFrame data of its inputs.
type LinkReport struct {
	Schema string `json:"schema"`
	Output string `json:"output"`
	// Described is the number of functions that the inputs describe. Kept of them have the same description in the
	// output. Unseen of them have no symbol in the output, as the linker removed the code or the name.
	Described int `json:"described"`
	Kept      int `json:"kept"`
	Unseen    int `json:"unseen"`
	// Uncompared is the number of unseen functions that the output may contain: it has no names for them, or other
	// code may be in their place.
	Uncompared int           `json:"uncompared"`
	Inputs     []InputCounts `json:"inputs"`
	// Lost is the number of losses.
	Lost int `json:"-"`

	check *linkCheck
	found bool // Losses has some
}

// InputCounts counts the functions of an input. For Lost functions the output has no description or a different one.
type InputCounts struct {
	Input     string `json:"input"`
	Described int    `json:"described"`
	Kept      int    `json:"kept"`
	Lost      int    `json:"lost"`
	Unseen    int    `json:"unseen"`

	some []string // the first functions that were lost, ready to be shown
}

// countLoss counts a function.
func (c *InputCounts) countLoss(name string) {
	if c.Lost++; len(c.some) < fewFunctions {
		c.some = append(c.some, label(name))
	}
}

// fewFunctions is the number of functions of an input that are named where not all are.
const fewFunctions = 3

// Link compares the inputs of a linker, which are relocatable files and members of archives, with its output.
func Link(inputs []*Unit, output *Unit) *LinkReport {
	l := &linkCheck{out: output}
	for _, u := range inputs {
		if l.mayUse(u) {
			l.inputs = append(l.inputs, u)
		}
	}
	if len(output.Sections) > 0 {
		l.index()
	}
	r := &LinkReport{Schema: "sframe-lint/link/1", Output: escape.UTF8(output.Name()), check: l}
	l.run(r, func(x Loss) bool {
		r.found = true
		if x.Kind != NotComparable {
			r.Lost++
		}
		return true
	})
	r.Inputs = l.counts
	return r
}

// Losses returns the changes and removals. The iteration computes them and does not keep them.
func (r *LinkReport) Losses() iter.Seq[Loss] {
	return func(yield func(Loss) bool) {
		if r.found {
			var counts LinkReport
			r.check.run(&counts, yield)
		}
	}
}

type linkCheck struct {
	inputs  []*Unit
	out     *Unit
	defined []definition // functions of the inputs that have a name, by name
	names   [][2]int     // where the functions of a name are in defined, in the order of the inputs
	symbols []uint32     // of the inputs, by the numbers of their names

	counts  []InputCounts // by input
	claimed []bool        // FDEs of the output that stand for a function

	replaced int // functions that link-time optimization may have replaced

	report *LinkReport
	yield  func(Loss) bool
	ended  bool
}

// definition is a function or symbol of an input, by its indices.
type definition struct{ unit, index int32 }

// run checks everything, counts, and passes on what is lost.
func (l *linkCheck) run(r *LinkReport, yield func(Loss) bool) {
	l.report, l.yield, l.ended, l.replaced = r, yield, false, 0
	l.counts, l.claimed = make([]InputCounts, len(l.inputs)), make([]bool, len(l.out.funcs))
	for i, u := range l.inputs {
		l.counts[i] = InputCounts{Input: escape.UTF8(u.Name()), Described: len(u.funcs)}
	}
	l.sections()
	if len(l.out.Sections) > 0 {
		l.headers()
		l.functions()
		return
	}
	for i, u := range l.inputs { // they are all lost
		l.report.Described += l.counts[i].Described
		for k := range u.funcs {
			if l.counts[i].countLoss(u.label(&u.funcs[k])); k+1 == fewFunctions {
				break
			}
		}
		l.counts[i].Lost = l.counts[i].Described
	}
}

func (l *linkCheck) add(k Effect, input, function, format string, args ...any) {
	if !l.ended {
		l.ended = !l.yield(Loss{
			k, escape.UTF8(input), label(function), escape.UTF8(escape.Cut(fmt.Sprintf(format, args...), escape.MaxMessage))})
	}
}

// index sorts the functions of the inputs by name, and counts the symbols of each name.
func (l *linkCheck) index() {
	functions, names := 0, uint32(0)
	for _, u := range l.inputs {
		functions += len(u.funcs)
		for i := range u.symbols.all {
			names = max(names, u.symbols.all[i].name+1)
		}
	}
	l.defined, l.symbols = make([]definition, 0, functions), make([]uint32, names)
	for i, u := range l.inputs {
		for k := range u.funcs {
			if u.funcs[k].symbol >= 0 {
				l.defined = append(l.defined, definition{int32(i), int32(k)})
			}
		}
		for k := range u.symbols.all {
			l.symbols[u.symbols.all[k].name]++
		}
	}
	byName := func(x, y definition) int {
		return cmp.Or(cmp.Compare(l.functionName(x), l.functionName(y)), x.compare(y))
	}
	slices.SortFunc(l.defined, byName)
	for at := 0; at < len(l.defined); {
		end := at + 1
		for end < len(l.defined) && l.functionName(l.defined[end]) == l.functionName(l.defined[at]) {
			end++
		}
		l.names = append(l.names, [2]int{at, end})
		at = end
	}
	byPlace := func(a, b [2]int) int { return l.defined[a[0]].compare(l.defined[b[0]]) }
	slices.SortFunc(l.names, byPlace)
}

func (d definition) compare(x definition) int {
	return cmp.Or(cmp.Compare(d.unit, x.unit), cmp.Compare(d.index, x.index))
}

func (l *linkCheck) functionName(d definition) uint32 {
	u := l.inputs[d.unit]
	return u.symbols.all[u.funcs[d.index].symbol].name
}

// mayUse reports whether an input may be part of the output. A linker uses only
// the members of an archive that it needs: if nothing of a member is in the
// output, it was not used.
func (l *linkCheck) mayUse(u *Unit) bool {
	return u.Member == "" || len(l.out.symbols.all) == 0 ||
		slices.ContainsFunc(u.symbols.all, func(y symbol) bool { return l.out.symbols.has(y.name) })
}

// functions follows every function of the inputs into the output.
func (l *linkCheck) functions() {
	l.report.Described = 0
	for _, u := range l.inputs {
		l.report.Described += len(u.funcs)
	}
	var rest []definition
	for i, u := range l.inputs {
		for k := range u.funcs {
			if y := u.funcs[k].symbol; y < 0 || !l.out.symbols.has(u.symbols.all[y].name) {
				rest = append(rest, definition{int32(i), int32(k)})
			}
		}
	}
	for i, n := range l.names {
		if l.ended || i%step == 0 && l.out.budget.Err() != nil {
			return
		}
		l.follow(l.defined[n[0]:n[1]])
	}
	named := l.report.Described > len(rest) // by functions of the inputs
	l.placed(rest)
	if l.report.Unseen > 0 && (!named || l.nameless()) {
		l.report.Uncompared = l.report.Unseen
		l.add(NotComparable, "", "", "%s of the inputs can't be found in the output, by name nor by place and size: the linker left out the code, or the output lacks the names", rules.Count(l.report.Unseen, "function"))
	}
	if l.replaced > 0 {
		l.report.Unseen += l.replaced
		l.report.Uncompared += l.replaced
		l.add(NotComparable, "", "", "%s not compared: link-time optimization may have put other code in the output", rules.Count(l.replaced, "function"))
	}
}

// follow looks for the functions of a name. Several inputs may define it. The linker keeps one copy of an inline
// function, but all file-local functions. So each FDE of the output must match one of theirs, and no more places may
// lack an FDE than the inputs explain.
func (l *linkCheck) follow(defs []definition) {
	id, first := l.functionName(defs[0]), l.inputs[defs[0].unit]
	places, name := l.out.symbols.withNames(id), ""
	if len(places) == 0 {
		return // discarded with its code, or without a name in the output
	}
	got := l.out.at(places)
	for _, g := range got {
		l.claimed[g] = true
	}
	known := l.inputFunctions(defs, len(got))
	bare := int(l.symbols[id]) - len(defs) // number of places without an FDE
	lossless, replaced := true, false
	if lost := len(places) - len(got) - bare; lost > 0 {
		lossless, name = false, first.names.name(id)
		l.add(FDELost, first.Name(), name, "the function is in the output, but no FDE describes it")
	}
	kept := 0
	for _, g := range got {
		if known(g) {
			kept++
			continue
		}
		lossless, name = false, first.names.name(id)
		if replaced = slices.ContainsFunc(defs, l.replaceable); !replaced {
			d, _ := l.differ(defs[0], g)
			l.changed(first, name, d)
		}
	}
	if lossless {
		kept = len(defs) // those that the linker has merged into one are kept
	}
	kept = min(kept, len(defs))
	l.report.Kept += kept
	for i, d := range defs {
		switch {
		case i < kept:
			l.counts[d.unit].Kept++
		case replaced:
			l.counts[d.unit].Unseen++
			l.replaced++
		default:
			l.counts[d.unit].countLoss(first.names.name(id))
		}
	}
}

// replaceable reports whether the linker may have other code in place of that of an input, made by link-time optimization.
func (l *linkCheck) replaceable(d definition) bool {
	u := l.inputs[d.unit]
	y := u.funcs[d.index].symbol
	return u.lto || y >= 0 && u.symbols.all[y].weak && slices.ContainsFunc(l.inputs, func(u *Unit) bool { return u.lto })
}

// changed reports a function whose FDEs differ.
func (l *linkCheck) changed(u *Unit, name string, d Difference) {
	where := ""
	if d.To != "" {
		where = fmt.Sprintf(" at PCs %s to %s", d.From, d.To)
	}
	l.add(FDEChanged, u.Name(), name, "the input has%s: %s; the output has: %s", where, d.A, d.B)
}

// maxPairs is the number of pairs of functions of one name that are compared at most.
const maxPairs = 1 << 16

// inputFunctions returns a function that reports whether a function of the output is one of
// the inputs' functions. Where there are very many of a name, which only file-local
// functions can have, equal ones are found by a hash, and others are not compared.
func (l *linkCheck) inputFunctions(defs []definition, got int) func(g int32) bool {
	if len(defs)*got <= maxPairs {
		return func(g int32) bool {
			return slices.ContainsFunc(defs, func(d definition) bool { _, differ := l.differ(d, g); return !differ })
		}
	}
	seed := maphash.MakeSeed()
	all := map[uint64]bool{}
	for _, d := range defs {
		u := l.inputs[d.unit]
		all[u.hash(seed, &u.funcs[d.index])] = true
	}
	return func(g int32) bool { return all[l.out.hash(seed, &l.out.funcs[g])] }
}

// hash returns a hash of what two functions that do not differ have in common.
func (u *Unit) hash(seed maphash.Seed, f *function) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	maphash.WriteComparable(&h, [3]uint32{f.size, uint32(f.rep), f.rows})
	maphash.WriteComparable(&h, f.signal)
	for _, r := range u.rows.of(f) {
		maphash.WriteComparable(&h, [2]uint32{r.from, r.to})
		maphash.WriteComparable(&h, u.rules.all[r.rule])
	}
	return h.Sum64()
}

// differ returns the first difference between a function of an input and one of the
// output, if there is one.
func (l *linkCheck) differ(d definition, g int32) (Difference, bool) {
	u := l.inputs[d.unit]
	x := differ{a: u, b: l.out}
	return x.first(&u.funcs[d.index], &l.out.funcs[g])
}

// at returns the functions at the places of symbols.
func (u *Unit) at(symbols []uint64) []int32 {
	var all []int32
	for _, i := range symbols {
		y := &u.symbols.all[uint32(i)]
		reached := func(k int) bool {
			f := &u.funcs[k]
			return cmp.Or(cmp.Compare(u.space(f), y.section), cmp.Compare(f.start, y.value)) >= 0
		}
		n := u.near // callers mostly ask for one place after the other
		if n > len(u.funcs) || n > 0 && reached(n-1) || n < len(u.funcs) && !reached(n) {
			n = sort.Search(len(u.funcs), reached)
		}
		for ; n < len(u.funcs) && u.space(&u.funcs[n]) == y.section && u.funcs[n].start == y.value; n++ {
			all = append(all, int32(n))
		}
		u.near = n
	}
	return all
}
