package compare

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"sort"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// function is the description of a function in a section, independent of its
// encoding. Units have hundreds of thousands of them.
type function struct {
	start   uint64 // address, or offset in the section of a relocatable file
	size    uint32 // bytes
	section int32  // index of the section that contains it, 0 if unknown
	symbol  int32  // the first of its symbols, the one it is called by; -1 for none
	row     uint32 // the first of its rows, in those of the loader
	rows    uint32
	rep     uint8 // stub size of PC type MASK, whose rows describe one stub; 0 for INC
	// unroll is set where the stubs are compared one by one, as with a function that
	// has an FDE for each.
	unroll bool
	signal bool
}

// row is a run of PCs with one rule.
type row struct {
	from, to uint32 // offsets from the function's start
	rule     uint32 // index into the unit's rules
}

// Rule is the recovery rule for a run of PCs. It can be compared with ==.
type Rule struct {
	Covered bool // there is an FRE
	Row     model.Row
	// Signed says that RA is signed; KeyB says that it is signed with key B (AArch64).
	Signed, KeyB bool
}

// Limits for the expansion of stubs: rows of a function, and rows of a section.
// FDEs may have any number of stubs.
const (
	maxUnrolled  = 1 << 16
	maxUnrolling = 1 << 20
)

// Bytes of what a unit has many of, those of a rule with its place in an index.
var (
	functionCost = int64(reflect.TypeFor[function]().Size())
	rowCost      = int64(reflect.TypeFor[row]().Size())
	rowSpanCost  = int64(reflect.TypeFor[rowSpan]().Size())
	ruleCost     = 4 * int64(reflect.TypeFor[Rule]().Size())
)

// step is the number of functions or FREs between two looks at the budget.
const step = 1024

// functionReader reads the functions of an object.
type functionReader struct {
	*Unit
	object *reader.Object
	in     []uint64 // sections that contain functions, a bit for each
	unroll uint64   // rows of stubs that may still be unrolled
	room   int      // for rows, that was paid for
	paid   int      // rules that were
	visits int      // since then
	met    met      // in the section
	key    []byte   // see said
}

// readFunctions reads the functions of all sections. Those with unknown starts are
// only counted.
func (u *Unit) readFunctions(o *reader.Object) error {
	r := &functionReader{Unit: u, object: o, paid: len(u.rules.all)}
	fdes := 0
	for _, sf := range o.SFrames {
		if sf.Section != nil {
			fdes += sf.Section.NumFDEs()
		}
	}
	if err := u.budget.Spend(budget.Memory, int64(fdes)*functionCost); err != nil {
		return err
	}
	u.funcs = make([]function, 0, fdes)
	r.room = cap(u.rows.all)
	if o.ELF != nil {
		r.in = make([]uint64, len(o.ELF.Sections)/64+1)
	}
	for _, sf := range o.SFrames {
		if sf.Section == nil {
			continue
		}
		r.unroll, r.met = maxUnrolling, met{}
		h := sf.Section.Header()
		order := byte(0)
		if sf.Section.BigEndian() {
			order = 1
		}
		r.key = append(r.key[:0], byte(h.Version), byte(h.ABI), byte(h.FixedRAOffset), byte(h.FixedFPOffset), order)
		for i := range sf.Section.NumFDEs() {
			if err := r.function(sf.Section.FDE(i)); err != nil {
				return err
			}
		}
	}
	if err := r.pay(); err != nil {
		return err
	}
	return r.containers()
}

// visit counts a function or FRE, and pays at times.
func (r *functionReader) visit() error {
	if r.visits++; r.visits < step {
		return nil
	}
	return r.pay()
}

// pay spends the work and memory since it was called last.
func (r *functionReader) pay() error {
	n, rules := int64(r.visits), len(r.rules.all)-r.paid
	r.visits, r.paid = 0, len(r.rules.all)
	if err := r.budget.Step(n); err != nil {
		return err
	}
	if err := r.budget.Spend(budget.Memory, int64(rules)*ruleCost); err != nil {
		return err
	}
	old := r.room
	if r.room = cap(r.rows.all); r.room == old {
		return nil
	}
	// The rows were copied: both rooms may still be in memory.
	err := r.budget.Spend(budget.Memory, int64(r.room)*rowCost)
	r.budget.Release(budget.Memory, int64(old)*rowCost)
	return err
}

// function adds a function.
func (r *functionReader) function(f model.FDE) error {
	if !f.Resolved() {
		r.Unknown++
		return r.visit()
	}
	fn := function{start: f.Start(), size: f.Size(), signal: f.Signal(), symbol: -1}
	if e := r.object.ELF; e != nil {
		fn.section = int32(f.Place())
		if r.Linked {
			index, _ := e.SectionAt(f.Start())
			fn.section = int32(index)
		}
		if fn.section > 0 && int(fn.section) < len(e.Sections) {
			r.in[fn.section/64] |= 1 << (fn.section % 64)
		}
		fn.symbol = r.symbols.at(r.space(&fn), fn.start)
	}
	at, err := r.rowsOf(f)
	if err != nil {
		return err
	}
	fn.row, fn.rows = at.first, at.n
	if f.Mask() {
		fn.rep = f.RepSize()
	}
	if fn.rep > 0 {
		n := stubs(&fn) * uint64(fn.rows)
		if fn.unroll = n <= min(maxUnrolled, r.unroll); fn.unroll {
			r.unroll -= n
		}
	}
	r.funcs = append(r.funcs, fn)
	return r.visit()
}

// rowsOf returns the rows of an FDE, those of an earlier one that says the same.
func (r *functionReader) rowsOf(f model.FDE) (rowSpan, error) {
	t := r.rows
	id, err := t.said.id(r.contents(f), func(n int64) error { return r.budget.Spend(budget.Memory, n+rowSpanCost) })
	switch {
	case err != nil:
		return rowSpan{}, err
	case int(id) < len(t.at):
		r.visits += f.NumFREs()
		return t.at[id], nil
	}
	first := len(t.all)
	err = r.addRows(f)
	t.at = append(t.at, rowSpan{uint32(first), uint32(len(t.all) - first)})
	return t.at[id], err
}

// contents returns all that the rows of an FDE depend on, until the next call.
func (r *functionReader) contents(f model.FDE) []byte {
	const header = 5 // bytes of key, for the section
	r.key = append(r.key[:header], f.Info(), f.Info2())
	r.key = binary.LittleEndian.AppendUint32(r.key, f.Extent())
	r.key = append(r.key, f.FREData()...)
	return r.key
}

// addRows adds an FDE's FREs as runs of PCs, those of one stub for PC type MASK. It
// joins neighbours with the same rule.
func (r *functionReader) addRows(f model.FDE) error {
	t := r.rows
	extent, first := f.Extent(), len(t.all)
	add := func(from, to uint32, rule uint32) {
		if n := len(t.all); n > first && t.all[n-1].to == from && t.all[n-1].rule == rule {
			t.all[n-1].to = to
			return
		}
		t.all = append(t.all, row{from, to, rule})
	}
	keyB := f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B
	at := uint32(0)
	for x := range f.FREs() {
		if to := min(x.Start(), extent); at < to {
			add(at, to, r.rules.id(Rule{}))
		}
		at = uint32(min(uint64(x.End()), uint64(extent)))
		if x.Start() < at {
			add(x.Start(), at, r.ruleOf(&x, keyB))
		}
		if err := r.visit(); err != nil {
			return err
		}
	}
	if f.NumFREs() == 0 && extent > 0 {
		add(0, extent, r.rules.id(noRows(f)))
	}
	return nil
}

// met are rules of FREs by their contents: most FREs have those of an earlier one.
type met [1 << metBits]struct {
	key  uint64 // never 0
	rule uint32
}

const metBits = 10

// ruleOf returns the rule of an FRE whose function has key B or not.
func (r *functionReader) ruleOf(x *model.FRE, keyB bool) uint32 {
	rule := func() uint32 {
		return r.rules.id(Rule{Covered: true, Row: x.Row(), Signed: x.MangledRA(), KeyB: keyB && x.MangledRA()})
	}
	words, n := x.Content()
	if n > model.KeyBytes {
		return rule()
	}
	class := uint8(x.FDEType())<<2 | 1
	if keyB {
		class |= 2
	}
	key := model.RowKey(words, uint8(n), x.Info(), class)
	at := &r.met[key*0x9e3779b97f4a7c15>>(64-metBits)]
	if at.key != key {
		at.key, at.rule = key, rule()
	}
	return at.rule
}

// noRows returns the rule of an FDE without FREs: an outermost frame in version
// 3 with the default type, otherwise none.
func noRows(f model.FDE) Rule {
	if !f.Section().Version().Info().OutermostFDE || f.Signal() || f.Type() != model.SFRAME_FDE_TYPE_DEFAULT {
		return Rule{}
	}
	u := model.Recovery{Kind: model.Undefined}
	return Rule{Covered: true, Row: model.Row{CFA: u, RA: u, FP: u}}
}

// containers keeps the names of the sections that contain functions.
func (r *functionReader) containers() error {
	n := 0
	each := func(do func(i int)) {
		for i := range 64 * len(r.in) {
			if r.in[i/64]&(1<<(i%64)) != 0 {
				do(i)
			}
		}
	}
	each(func(int) { n++ })
	if err := r.budget.Spend(budget.Memory, int64(n)*sectionCost); err != nil {
		return err
	}
	r.sections = make([]section, 0, n)
	each(func(i int) {
		s := section{index: int32(i), name: r.object.ELF.Sections[i].Name}
		if r.Linked {
			s.addr = r.object.ELF.Sections[i].Addr
		}
		r.sections = append(r.sections, s)
	})
	return nil
}

// space returns what the function's start counts from: a section of a relocatable
// file, or -1.
func (u *Unit) space(f *function) int32 {
	if u.Linked || u.Raw {
		return -1
	}
	return f.section
}

// container returns the name of the section that contains a function, "" if it is
// unknown, and the function's offset in it; its address then.
func (u *Unit) container(f *function) (string, uint64) {
	i := sort.Search(len(u.sections), func(i int) bool { return u.sections[i].index >= f.section })
	if i == len(u.sections) || u.sections[i].index != f.section {
		return "", f.start
	}
	return u.sections[i].name, f.start - u.sections[i].addr
}

// aliases returns the symbols of a function, the one it is called by first.
func (u *Unit) aliases(f *function) []symbol {
	if f.symbol < 0 {
		return nil
	}
	return u.symbols.group(f.symbol)
}

// called reports whether the pattern matches one of the function's names. The
// pattern "" matches all functions.
func (u *Unit) called(f *function, pattern string) bool {
	return pattern == "" || slices.ContainsFunc(u.aliases(f), func(y symbol) bool { return lookup.Match(pattern, u.names.name(y.name)) })
}

// label returns what a report calls the function.
func (u *Unit) label(f *function) string {
	if f.symbol >= 0 {
		return label(u.names.bytes(u.symbols.all[f.symbol].name))
	}
	if name, off := u.container(f); name != "" {
		return fmt.Sprintf("%s+0x%x", label(name), off)
	}
	return hex(f.start)
}

func stubs(f *function) uint64 { return (uint64(f.size) + uint64(f.rep) - 1) / uint64(f.rep) }

// rowsOf returns the rows of a function, those of all stubs where they are compared
// one by one; buf is for these.
func (u *Unit) rowsOf(f *function, buf *[]row) []row {
	one := u.rows.of(f)
	if !f.unroll {
		return one
	}
	all := (*buf)[:0]
	for i := range stubs(f) {
		by := uint32(i) * uint32(f.rep)
		for _, r := range one {
			r.from, r.to = r.from+by, uint32(min(uint64(r.to)+uint64(by), uint64(f.size)))
			if n := len(all); n > 0 && all[n-1].rule == r.rule {
				all[n-1].to = r.to
			} else if r.from < r.to {
				all = append(all, r)
			}
		}
	}
	*buf = all
	return all
}

// stubSize returns the stub size of a function whose stubs are too many to be compared
// one by one; 0 for others.
func (f *function) stubSize() uint8 {
	if f.unroll {
		return 0
	}
	return f.rep
}

// Format returns the rule in words.
func (r Rule) Format(abi model.ABIInfo) string {
	if !r.Covered {
		return "no FRE"
	}
	if r.Row.Outermost() {
		return "outermost frame"
	}
	s := "CFA = " + r.Row.CFA.Format(abi) + ", RA " + r.Row.RA.Format(abi) + ", FP " + r.Row.FP.Format(abi)
	switch {
	case r.KeyB:
		s += ", RA signed with key B"
	case r.Signed:
		s += ", RA signed"
	}
	return s
}

// label returns a name of a function, section or member for a report.
func label[S string | []byte](name S) string { return escape.UTF8(escape.Cut(name, escape.MaxName)) }

func hex(v uint64) string { return fmt.Sprintf("0x%x", v) }
