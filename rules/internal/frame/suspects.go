package frame

import (
	"sync"
	"sync/atomic"

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

// judges are the tests of the rules of judgeRule.
var judges []func(*model.ABIInfo, model.FRE, *model.Row) bool

var suspectRows = prereq.OfSection("suspect_rows", "the distinct FREs that some rule finds bad by their values", func(pass *analysis.Pass) *suspects {
	var all suspects
	c := rules.Look(pass)
	abi := c.ABI()
	good := goodRowsOf(c.Section, abi)
	all.more = !c.Survey().Unseen(good.has, func(key uint64, r model.FRE) {
		row := r.Row()
		if Judged(r, &row, abi) {
			for _, bad := range judges {
				if bad(abi, r, &row) {
					all.list = append(all.list, suspect{r, row})
					return
				}
			}
		}
		good.add(key)
	})
	return &all
})

func (all *suspects) any(abi *model.ABIInfo, bad func(*model.ABIInfo, model.FRE, *model.Row) bool) bool {
	for i := range all.list {
		if bad(abi, all.list[i].fre, &all.list[i].row) {
			return true
		}
	}
	return false
}

// goodRows remembers FREs of all sections of a kind, by their keys, that no rule finds bad: the
// functions of all programs have much the same frames. Nil remembers none.
type goodRows [1 << 10]atomic.Uint64

// rowsKind is what the meaning of an FRE depends on, where the fixed offsets are those of the ABI.
type rowsKind struct {
	version model.Version
	abi     model.ABI
	big     bool
}

var goodByKind sync.Map // of *goodRows, by rowsKind

func goodRowsOf(s *model.Section, abi *model.ABIInfo) *goodRows {
	h := s.Header()
	if !s.Version().Known() || !abi.Known() || h.FixedRAOffset != abi.FixedRA || h.FixedFPOffset != abi.FixedFP {
		return nil
	}
	k := rowsKind{s.Version(), h.ABI, s.BigEndian()}
	v, ok := goodByKind.Load(k)
	if !ok {
		v, _ = goodByKind.LoadOrStore(k, new(goodRows))
	}
	return v.(*goodRows)
}

func (g *goodRows) slot(key uint64) *atomic.Uint64 {
	return &g[key*0x9e3779b97f4a7c15>>32&uint64(len(g)-1)]
}

func (g *goodRows) has(key uint64) bool { return g != nil && g.slot(key).Load() == key }

func (g *goodRows) add(key uint64) {
	if g != nil && key != 0 {
		g.slot(key).Store(key)
	}
}
