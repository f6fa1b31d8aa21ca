package frame

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// suspects are the distinct FREs of a section that can be judged and that some rule of judgeRule
// finds bad. Nearly all sections have none.
type suspects struct {
	list []suspect
	more bool // not all FREs are listed
}

type suspect struct {
	fre model.FRE
	row model.Row
}

// judge is the test of a rule of judgeRule.
type judge func(*model.ABIInfo, model.FRE, *model.Row) bool

var judges []judge

var suspectRows = prereq.OfSection("suspect_rows", "the distinct FREs that some rule finds bad by their values", func(pass *analysis.Pass) *suspects {
	var all suspects
	c := rules.Look(pass)
	abi, row := c.ABI, model.Row{}
	all.more = c.SFrame.Survey().AnyRow(func(r model.FRE) bool {
		if row = r.Row(); Judged(r, &row, abi) && slices.ContainsFunc(judges, func(bad judge) bool { return bad(abi, r, &row) }) {
			all.list = append(all.list, suspect{r, row})
		}
		return false
	})
	return &all
})

func (all *suspects) any(abi *model.ABIInfo, bad judge) bool {
	return slices.ContainsFunc(all.list, func(x suspect) bool { return bad(abi, x.fre, &x.row) })
}
