package rules

import "github.com/sframe-lint/sframe-lint/model"

// walk is one pass over a section for many tests. It tests each content
// mostly once, whether the survey lists all of them or not.
type walk struct {
	Rows  []rowTest
	Kinds []kindTest
	// Stop, if not nil, is called every few thousand FDEs and reports whether to
	// give up.
	Stop func() bool
}

// stopFDEs is how many FDEs a walk visits before it looks again whether to give up.
const stopFDEs = 4096

func (w *walk) stop(fde int) bool { return fde%stopFDEs == stopFDEs-1 && w.Stop != nil && w.Stop() }

// rowTest finds rows. Bad must depend on the row's content only: PC type, FDE
// type, info byte and data words.
type rowTest struct {
	Bad  func(model.FRE) bool
	Each func(model.FRE) // called for each bad row, in their order
}

// kindTest finds FDEs. Bad must depend on info, info2 and rep_size only. FDEs
// without an attribute are not tested.
type kindTest struct {
	Bad  func(model.FDE) bool
	Each func(model.FDE)
}

// maxTests is the number of tests of a kind whose results fit a verdict.
const maxTests = 64

// verdict has a bit for each test that a content has failed.
type verdict uint64

// maxMemo bounds the contents whose verdicts are remembered. Most sections have
// fewer; in others, a content that is met again was mostly met lately.
const maxMemo = 1 << 14

// memo remembers the verdicts on contents by their keys, which are never 0.
type memo []struct {
	key uint64
	bad verdict
}

// newMemo returns a memo for a section of n contents or fewer.
func newMemo(n int) memo {
	size := 16
	for size < 2*n && size < maxMemo {
		size *= 2
	}
	return make(memo, size)
}

// slot returns the place of a key.
func (m memo) slot(key uint64) int { return int(key*0x9e3779b97f4a7c15>>32) & (len(m) - 1) }

// run runs the tests over the section.
func (w *walk) run(s *model.Section) {
	for len(w.Rows) > maxTests || len(w.Kinds) > maxTests {
		rows, kinds := min(len(w.Rows), maxTests), min(len(w.Kinds), maxTests)
		first := walk{Rows: w.Rows[:rows], Kinds: w.Kinds[:kinds], Stop: w.Stop}
		w.Rows, w.Kinds = w.Rows[rows:], w.Kinds[kinds:]
		first.run(s)
	}
	if len(w.Rows) > 0 {
		w.rows(s)
	}
	if len(w.Kinds) > 0 {
		w.kinds(s)
	}
}

func (w *walk) rows(s *model.Section) {
	known := newMemo(s.NumFREs())
	flex := s.Version().Info().Flex
	for i := range s.NumFDEs() {
		if w.stop(i) {
			return
		}
		f := s.FDE(i)
		class := model.RowClass(f.Info(), f.Info2(), flex)
		for r := range f.FREs() {
			words, n := r.Content()
			if n > model.KeyBytes {
				if bad := w.judgeRow(r); bad != 0 {
					w.reportRow(bad, r)
				}
				continue
			}
			key := model.RowKey(words, uint8(n), r.Info(), class)
			at := &known[known.slot(key)]
			if at.key != key {
				at.key, at.bad = key, w.judgeRow(r)
			}
			if at.bad != 0 {
				w.reportRow(at.bad, r)
			}
		}
	}
}

func (w *walk) judgeRow(r model.FRE) (bad verdict) {
	for i := range w.Rows {
		if w.Rows[i].Bad(r) {
			bad |= 1 << i
		}
	}
	return bad
}

func (w *walk) reportRow(bad verdict, r model.FRE) {
	for i := range w.Rows {
		if bad&(1<<i) != 0 {
			w.Rows[i].Each(r)
		}
	}
}

func (w *walk) kinds(s *model.Section) {
	known := newMemo(s.NumFDEs())
	for i := range s.NumFDEs() {
		if w.stop(i) {
			return
		}
		f := s.FDE(i)
		if !f.HasAttr() {
			continue
		}
		key := model.KindKey(f.Info(), f.Info2(), f.RepSize())
		at := &known[known.slot(key)]
		if at.key != key {
			at.key, at.bad = key, w.judgeKind(f)
		}
		if at.bad != 0 {
			w.reportKind(at.bad, f)
		}
	}
}

func (w *walk) judgeKind(f model.FDE) (bad verdict) {
	for i := range w.Kinds {
		if w.Kinds[i].Bad(f) {
			bad |= 1 << i
		}
	}
	return bad
}

func (w *walk) reportKind(bad verdict, f model.FDE) {
	for i := range w.Kinds {
		if bad&(1<<i) != 0 {
			w.Kinds[i].Each(f)
		}
	}
}
