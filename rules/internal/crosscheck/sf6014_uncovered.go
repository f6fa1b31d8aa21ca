package crosscheck

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/evidence"
)

// Uncovered returns the rule on functions without an FDE. It skips objects and inputs whose names match a pattern in
// allowed. kernel says that all relocatable files are part of a kernel.
func Uncovered(allowed []string, kernel bool) *rules.Rule {
	return newUncoveredRule(rules.Rule{
		ID:    "SF6014",
		Files: rules.ELFFiles,
	}, func(c *rules.Context, u *uncovered) {
		o := c.Object
		if !o.Linked() && matches(allowed, path.Base(escape.UTF8(cmp.Or(o.Member, o.Path)))) {
			return
		}
		loaded := o.ELF.KernelPart() || kernel && o.ELF.Relocatable()
		all := slices.DeleteFunc(slices.Clone(u.left), func(l left) bool {
			// SF6025 reports those of a kernel. Those of a system's libraries that have no CFI need no data.
			return l.byInput || l.Lost && loaded || matches(allowed, l.at.From.Input) || l.starts ||
				l.Section < 0 && (l.at.From.Start || coverage.Library(l.at.From.Input))
		})
		all = u.reportOdd(c, all)
		slices.SortStableFunc(all, func(a, b left) int {
			return cmp.Or(cmp.Compare(a.at.From.Input, b.at.From.Input), cmp.Compare(b.most, a.most))
		})
		for len(all) > 0 {
			n := slices.IndexFunc(all, func(l left) bool { return l.at.From.Input != all[0].at.From.Input || l.most != all[0].most })
			if n < 0 {
				n = len(all)
			}
			u.reportInput(c, all[:n])
			all = all[n:]
		}
	})
}

// reportInput reports functions of an input, or of an object file.
func (u *uncovered) reportInput(c *rules.Context, all []left) {
	lists := map[string]*functionList{}
	var order []*left
	for i := range all {
		l := &all[i]
		if lists[l.Why+l.Help] == nil {
			lists[l.Why+l.Help], order = new(functionList), append(order, l)
		}
		lists[l.Why+l.Help].add(c, &l.Difference)
	}
	var words, help []string
	for _, l := range order[:min(listed, len(order))] {
		text := lists[l.Why+l.Help].String()
		if text += " (" + l.Why; l.Section >= 0 {
			text += "; " + source(u.frames, &l.Difference)
		}
		if words = append(words, text+")"); !slices.Contains(help, l.Help) {
			help = append(help, l.Help)
		}
	}
	what := rules.Count(len(all), "function")
	if from := all[0].at.From; from.Input != "" {
		what += " of " + escape.Name(from.Input)
	} else if from.Between != "" && !slices.ContainsFunc(all, func(l left) bool { return l.at.From.Between != from.Between }) {
		what += " " + from.Between
	}
	c.With(rules.AtMost(all[0].most), rules.AtPC(int(all[0].Place), all[0].Start), rules.Help(strings.Join(help, "; "))).At(model.HdrNumFDEs.Span(),
		"no FDE covers %s: a tracer stops in %s", what, strings.Join(words, "; "))
}

// maxOdd bounds the functions that were left out and whose code is compared with their CFI.
const maxOdd = 1 << 10

// reportOdd reports functions that were left out because of CFI that their code contradicts, and returns the others.
func (u *uncovered) reportOdd(c *rules.Context, some []left) []left {
	var odd []int
	var all []proof.Range
	for i := range some {
		if l := &some[i]; l.Section >= 0 && len(odd) < maxOdd && hasDescribedNeighbour(c, l) {
			odd, all = append(odd, i), append(all, proof.Range{Place: l.Place, Start: l.Start, End: l.End})
		}
	}
	if len(odd) == 0 || evidence.Proofs(c).FREs == nil {
		return some // the code cannot be read
	}
	found, _ := cfiProofs(c, u.frames, all)
	t := proof.Words{ABI: c.Section.ABI(), Address: c.Object.Address, Row: "row"}
	wrong := map[int]bool{}
	for k, i := range odd {
		l, m := &some[i], found.Correction(k)
		if m == nil || !slices.ContainsFunc(m.Repairs, func(r proof.Repair) bool { return answers(c.ABI, &r) }) || c.Cut() {
			continue
		}
		wrong[i] = true
		evidence.With(c, t.CorrectAll(m)).With(rules.AtPC(int(l.Place), l.Start)).At(model.HdrNumFDEs.Span(), "no FDE covers %s (%s; %s), but %s: a tracer stops there",
			nameAt(c, l.Place, l.Start), l.Why, source(u.frames, &l.Difference), t.Repair(m))
	}
	i := -1
	return slices.DeleteFunc(some, func(left) bool { i++; return wrong[i] })
}

// answers reports whether a repair replaces a rule that no FRE of the default type has, or one without which
// FREs cannot state another: where FP is saved, RA must be.
func answers(abi *model.ABIInfo, r *proof.Repair) bool {
	switch r.Kind {
	case proof.WrongCFA:
		return r.Old.Deref || r.Old.Reg != abi.SP && r.Old.Reg != abi.FP
	case proof.WrongRA:
		return abi.TracksRA() && r.Old.Kind == model.Unchanged && r.New.Deref
	case proof.WrongFP:
		return abi.TracksRA() && r.Old.Kind == model.FromCFA && r.New.Kind == model.Unchanged
	}
	return false
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return lookup.Match(p, name) })
}
