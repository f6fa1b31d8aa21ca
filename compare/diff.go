package compare

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/internal/glob"
	"github.com/sframe-lint/sframe-lint/model"
)

// Kind is the kind of a difference.
type Kind string

// Kinds of difference.
const (
	OnlyA   Kind = "only-a"  // B has no FDE for the function
	OnlyB   Kind = "only-b"  // A has no FDE for the function
	Size    Kind = "size"    // the FDEs cover different numbers of bytes
	Rules   Kind = "rules"   // the FREs for a range of PCs differ
	Signal  Kind = "signal"  // only one side marks a signal frame
	Differs Kind = "section" // the sections cannot be compared
)

// Difference is one difference between two sides.
type Difference struct {
	Kind     Kind   `json:"kind"`
	Unit     string `json:"unit,omitempty"` // member, where archives are compared
	Function string `json:"function,omitempty"`
	StartA   string `json:"start_a,omitempty"` // hex
	StartB   string `json:"start_b,omitempty"` // hex
	// From and To are the PCs, counted from the function's start (hex).
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	A    string `json:"a,omitempty"`
	B    string `json:"b,omitempty"`
}

// Diff returns the differences between two units, function by function.
func Diff(a, b *Unit) []Difference {
	all, _ := diffUnits(a, b, "")
	return all
}

// diffUnits also returns how many functions both describe. It ignores byte
// order.
func diffUnits(a, b *Unit, pattern string) (all []Difference, compared int) {
	if a.ABI.Known() && b.ABI.Known() && a.ABI.Name != b.ABI.Name {
		return []Difference{{Kind: Differs, A: a.ABI.Name, B: b.ABI.Name}}, 0
	}
	abi := a.ABI
	if !abi.Known() {
		abi = b.ABI
	}
	pairs, restA, restB := match(a.Functions, b.Functions)
	slices.SortStableFunc(pairs, func(p, q [2]*Function) int {
		return cmp.Or(cmp.Compare(p[0].at.Section, q[0].at.Section), cmp.Compare(p[0].Start, q[0].Start))
	})
	for _, p := range pairs {
		if p[0].called(pattern) || p[1].called(pattern) {
			all = append(all, diffFunction(p[0], p[1], abi)...)
			compared++
		}
	}
	for _, f := range restA {
		if f.called(pattern) {
			all = append(all, Difference{Kind: OnlyA, Function: f.label(), StartA: hex(f.Start), A: fmt.Sprintf("%d bytes", f.Size)})
		}
	}
	for _, f := range restB {
		if f.called(pattern) {
			all = append(all, Difference{Kind: OnlyB, Function: f.label(), StartB: hex(f.Start), B: fmt.Sprintf("%d bytes", f.Size)})
		}
	}
	return all, compared
}

// called reports whether the pattern matches one of the function's names. The
// pattern "" matches all functions.
func (fn *Function) called(pattern string) bool {
	return pattern == "" || slices.ContainsFunc(fn.names(), func(name string) bool { return glob.Name(pattern, name) })
}

func diffFunction(f, g *Function, abi model.ABIInfo) []Difference {
	label := f.label()
	if f.Name == "" && g.Name != "" {
		label = g.label()
	}
	base := Difference{Function: label, StartA: hex(f.Start), StartB: hex(g.Start)}
	var out []Difference
	add := func(k Kind, from, to uint64, a, b string) {
		d := base
		d.Kind, d.A, d.B = k, a, b
		if to > from {
			d.From, d.To = hex(from), hex(to)
		}
		out = append(out, d)
	}
	if f.Size != g.Size {
		add(Size, 0, 0, fmt.Sprintf("%d bytes", f.Size), fmt.Sprintf("%d bytes", g.Size))
	}
	if f.Signal != g.Signal {
		add(Signal, 0, 0, frame(f.Signal), frame(g.Signal))
	}
	if f.Rep != g.Rep {
		add(Rules, 0, 0, fmt.Sprintf("stubs of %d bytes", f.Rep), fmt.Sprintf("stubs of %d bytes", g.Rep))
		return out
	}
	sweep(f, g, func(from, to uint64, a, b Rule) {
		add(Rules, from, to, a.Format(abi), b.Format(abi))
	})
	return out
}

// same reports whether two functions are equal.
func same(f, g *Function) bool {
	return f.Size == g.Size && f.Signal == g.Signal && f.Rep == g.Rep && slices.Equal(f.Ranges, g.Ranges)
}

func frame(signal bool) string {
	if signal {
		return "signal frame"
	}
	return "ordinary frame"
}

// sweep walks the PCs of both functions and yields the longest runs on which
// they differ.
func sweep(f, g *Function, differ func(from, to uint64, a, b Rule)) {
	end := uint64(min(f.Size, g.Size))
	var from, upto uint64
	var a, b Rule
	flush := func() {
		if upto > from && a != b {
			differ(from, upto, a, b)
		}
	}
	i, j := 0, 0
	for at := uint64(0); at < end; {
		x, xe := ruleAt(f.Ranges, &i, at, end)
		y, ye := ruleAt(g.Ranges, &j, at, end)
		if x != a || y != b {
			flush()
			from, a, b = at, x, y
		}
		at = min(xe, ye)
		upto = at
	}
	flush()
}

// ruleAt returns the rule at an offset and its end. The search starts at i;
// offsets must not descend.
func ruleAt(rs []Range, i *int, at, end uint64) (Rule, uint64) {
	for *i < len(rs) && rs[*i].To <= at {
		*i++
	}
	if *i == len(rs) {
		return Rule{}, end
	}
	if at < rs[*i].From {
		return Rule{}, min(rs[*i].From, end)
	}
	return rs[*i].Rule, min(rs[*i].To, end)
}

func (fn *Function) label() string {
	switch {
	case fn.Name != "":
		return shown(fn.Name)
	case fn.Section != "":
		return fmt.Sprintf("%s+0x%x", shown(fn.Section), fn.Offset)
	}
	return hex(fn.Start)
}

// shown returns a name of a function, section or member for a report.
func shown(name string) string { return escape.UTF8(escape.Cut(name, escape.MaxName)) }

func hex(v uint64) string { return fmt.Sprintf("0x%x", v) }
