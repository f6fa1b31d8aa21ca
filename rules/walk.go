package rules

import "github.com/sframe-lint/sframe-lint/model"

// walk is one pass over a section for many tests. It tests each content
// mostly once, whether the survey lists all of them or not.
type walk struct {
	// Rows must depend on the row's content only: PC type, FDE type, info byte and data words.
	Rows tests[model.FRE]
	// Kinds must depend on info, info2 and rep_size only. FDEs without an attribute are not
	// tested.
	Kinds tests[model.FDE]
	// Stop, if not nil, is called every few thousand FDEs and reports whether to
	// give up.
	Stop func() bool
}

// stopFDEs is how many FDEs a walk visits before it looks again whether to give up.
const stopFDEs = 4096

func (w *walk) stop(fde int) bool { return fde%stopFDEs == stopFDEs-1 && w.Stop != nil && w.Stop() }

// tests find FREs or FDEs.
type tests[T any] []test[T]

type test[T any] struct {
	Bad  func(T) bool
	Each func(T) // called for each bad one, in their order
}

// maxTests is the number of tests of a kind whose results fit a verdict.
const maxTests = 64

// verdict has a bit for each test that a content has failed.
type verdict uint64

func (t tests[T]) judge(x T) (bad verdict) {
	for i := range t {
		if t[i].Bad(x) {
			bad |= 1 << i
		}
	}
	return bad
}

func (t tests[T]) report(bad verdict, x T) {
	for i := 0; bad != 0; i, bad = i+1, bad>>1 {
		if bad&1 != 0 {
			t[i].Each(x)
		}
	}
}

// maxMemo bounds the contents whose verdicts are remembered. Most sections have
// fewer; in others, a content that is met again was mostly met lately.
const maxMemo = 1 << 14

// memo remembers the verdicts on contents by their keys, which are never 0.
type memo []known

type known struct {
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

// at returns the place of a key, and whether the verdict on it is there.
func (m memo) at(key uint64) (at *known, ok bool) {
	at = &m[int(key*0x9e3779b97f4a7c15>>32)&(len(m)-1)]
	ok = at.key == key
	at.key = key
	return at, ok
}

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
	memo := newMemo(s.NumFREs())
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
				w.Rows.report(w.Rows.judge(r), r)
				continue
			}
			at, ok := memo.at(model.RowKey(words, uint8(n), r.Info(), class))
			if !ok {
				at.bad = w.Rows.judge(r)
			}
			w.Rows.report(at.bad, r)
		}
	}
}

func (w *walk) kinds(s *model.Section) {
	memo := newMemo(s.NumFDEs())
	for i := range s.NumFDEs() {
		if w.stop(i) {
			return
		}
		f := s.FDE(i)
		if !f.HasAttr() {
			continue
		}
		at, ok := memo.at(model.KindKey(f.Info(), f.Info2(), f.RepSize()))
		if !ok {
			at.bad = w.Kinds.judge(f)
		}
		w.Kinds.report(at.bad, f)
	}
}
