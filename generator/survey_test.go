package generator_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// place names a row or an FDE.
type place struct{ fde, row int }

// naive is a survey by a walk over everything, without any of the reader's
// shortcuts.
type naive struct {
	traits              model.Trait
	claimed             uint64
	most                uint32
	rows, firsts, kinds []place
	ordered, disjoint   bool
	data                []model.Span // of the FDEs in the FRE sub-section
}

func naiveSurvey(s *model.Section) naive {
	n := naive{ordered: true, disjoint: true}
	seen, signal := map[string]bool{}, map[bool]byte{true: 1}
	first := func(list *[]place, p place, kind, content string) {
		if key := kind + content; !seen[key] {
			seen[key] = true
			*list = append(*list, p)
		}
	}
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		n.claimed += uint64(f.ClaimedFREs())
		n.fdeTraits(f)
		if f.HasAttr() {
			first(&n.kinds, place{i, 0}, "kind", fmt.Sprint(f.Info(), " ", f.Info2(), " ", f.RepSize()))
		}
		n.rowTraits(f)
		for r := range f.FREs() {
			content := string([]byte{byte(f.PCType()), byte(min(f.Type(), 2)), signal[f.Signal()], r.Info()}) + string(s.Bytes(r.WordsSpan()))
			first(&n.rows, place{i, r.Index()}, "row", content)
			if r.Index() == 0 {
				first(&n.firsts, place{i, 0}, "first", content)
			}
		}
		if i > 0 {
			n.order(s.FDE(i-1), f)
		}
	}
	n.overlaps()
	return n
}

// overlaps looks for bytes that two FDEs claim.
func (n *naive) overlaps() {
	slices.SortFunc(n.data, func(a, b model.Span) int { return cmp.Compare(a.Off, b.Off) })
	end := int64(0)
	for _, d := range n.data {
		n.set(model.DataOverlaps, d.Off < end)
		end = max(end, d.End())
	}
}

func (n *naive) set(t model.Trait, on bool) {
	if on {
		n.traits |= t
	}
}

func (n *naive) fdeTraits(f model.FDE) {
	n.set(model.NoRows, f.ClaimedFREs() == 0)
	n.set(model.RowsMissing, int64(f.ClaimedFREs()) != int64(f.NumFREs()) || !f.HasAttr())
	n.set(model.EmptyFunction, f.Size() == 0)
	n.set(model.PaddingUsed, f.Padding() != 0)
	n.most = max(n.most, f.ClaimedFREs())
	n.set(model.FunctionUnknown, !f.Resolved())
	if f.HasAttr() && f.DataSpan().Len > 0 {
		n.data = append(n.data, f.DataSpan())
	}
}

func (n *naive) rowTraits(f model.FDE) {
	prev, last := "", int64(-1)
	for r := range f.FREs() {
		start := int64(r.Start())
		content := fmt.Sprint(r.Info(), r.Words(nil))
		n.set(model.FirstRowLate, r.Index() == 0 && start != 0)
		n.set(model.RowsUnordered, start <= last)
		n.set(model.RowBeyond, start >= int64(f.Extent()))
		n.set(model.RowsRepeat, content == prev)
		n.set(model.RowMisaligned, start%f.Section().ABI().MinInsn != 0)
		prev, last = content, start
	}
	if f.NumFREs() > 0 && f.FREType() > model.SFRAME_FRE_TYPE_ADDR1 {
		n.set(model.StartsWide, last <= int64((f.FREType()-1).MaxStart()))
	}
}

// order is for functions of linked files, whose starts are all known.
func (n *naive) order(f, g model.FDE) {
	if g.Start() < f.Start() {
		n.ordered = false
	}
	if g.Start() == f.Start() || g.Start()-f.Start() < uint64(f.Size()) {
		n.disjoint = false
	}
}

// surveyWrong compares a section's survey with the naive one. Of a damaged
// section the traits may claim more than there is, never less.
func surveyWrong(f *reader.SFrame, damaged bool) string {
	s, v := f.Section, f.Survey()
	n := naiveSurvey(s)
	rows, firsts, kinds, complete := v.Distinct()
	for t := model.FirstRowLate; t <= model.FunctionUnknown; t <<= 1 {
		has, want := v.Has(t), n.traits&t != 0
		maybe := damaged || t == model.RowsRepeat // rows that are not compared may repeat
		if has != want && (want || !maybe) {
			return fmt.Sprintf("trait 0x%x: %v, a walk says %v", uint32(t), has, want)
		}
	}
	switch {
	case !complete:
		return "not complete"
	case v.MostFREs() != n.most:
		return fmt.Sprintf("%d rows at most, a walk says %d", v.MostFREs(), n.most)
	case s.ClaimedFREs() != n.claimed:
		return fmt.Sprintf("%d rows claimed, a walk says %d", s.ClaimedFREs(), n.claimed)
	case s.StartsAscend() != n.ordered:
		return fmt.Sprintf("ascending %v, a walk says %v", s.StartsAscend(), n.ordered)
	case s.Disjoint() != (n.ordered && n.disjoint):
		return fmt.Sprintf("disjoint %v, a walk says %v", s.Disjoint(), n.ordered && n.disjoint)
	}
	for _, c := range []struct {
		what      string
		got, want []place
	}{{"rows", rowPlaces(rows), n.rows}, {"first rows", rowPlaces(firsts), n.firsts}, {"kinds", kindPlaces(kinds), n.kinds}} {
		if fmt.Sprint(c.got) != fmt.Sprint(c.want) {
			return fmt.Sprintf("%s %v, a walk says %v", c.what, c.got, c.want)
		}
	}
	return ""
}

func rowPlaces(rows []model.FRE) (all []place) {
	for _, r := range rows {
		all = append(all, place{r.FDEIndex(), r.Index()})
	}
	return all
}

func kindPlaces(fdes []model.FDE) (all []place) {
	for _, f := range fdes {
		all = append(all, place{f.Index(), 0})
	}
	return all
}

func TestSurvey(t *testing.T) {
	holds(t, func(p *generator.Plan) string {
		b, _, wrong := encoded(p)
		if wrong != "" {
			return wrong
		}
		s, _ := decodeSFrame(p, b)
		return surveyWrong(s, false)
	})
}

// TestSurveyDamaged changes a few bytes first.
func TestSurveyDamaged(t *testing.T) {
	holds(t, func(p *generator.Plan) string {
		b, err := generator.Encode(p)
		if err != nil {
			return err.Error()
		}
		rnd := rand.New(rand.NewPCG(uint64(len(b)), p.Addr))
		for range 4 {
			b := append([]byte(nil), b...)
			for range 1 + rnd.IntN(3) {
				b[2+rnd.IntN(len(b)-2)] ^= 1 << rnd.IntN(8)
			}
			if s := reader.DecodeSFrame(b, reader.SectionOptions{Addr: p.Addr}); s.Section != nil {
				if d := surveyWrong(s, true); d != "" {
					return fmt.Sprintf("%s in\n%x", d, b)
				}
			}
		}
		return ""
	})
}

// TestSurveyLarge is for the sections that the reader walks in parts. Out of
// order or on one another in their middle alone, functions are so where two
// parts meet.
func TestSurveyLarge(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for n := range 12 {
		c := generator.Swarm(rnd)
		c.Funcs, c.Rows, c.FuncSize, c.Distance = 4096+int64(rnd.IntN(4000))&^1, 6, 256, 0x1000
		p, err := generator.Generate(c)
		require.NoError(t, err)
		mid := len(p.Funcs) / 2
		switch n % 3 {
		case 1:
			p.Funcs = slices.Concat(p.Funcs[mid:], p.Funcs[:mid])
		case 2:
			p.Funcs[mid].Start = p.Funcs[mid-1].Start
		}
		b, _, wrong := encoded(p)
		require.Empty(t, wrong)
		s, _ := decodeSFrame(p, b)
		assert.Empty(t, surveyWrong(s, false), "%+v", c)
	}
}
