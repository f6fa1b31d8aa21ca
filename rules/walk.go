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

// memo remembers the verdicts on contents by their keys.
type memo map[uint64]verdict

// of returns the verdict on a content, by judge if it is not remembered.
func (m memo) of(key uint64, judge func() verdict) verdict {
	bad, ok := m[key]
	if !ok {
		if len(m) == maxMemo {
			clear(m)
		}
		bad = judge()
		m[key] = bad
	}
	return bad
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
	memo := memo{}
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
			key := model.RowKey(words, uint8(n), r.Info(), class)
			w.Rows.report(memo.of(key, func() verdict { return w.Rows.judge(r) }), r)
		}
	}
}

func (w *walk) kinds(s *model.Section) {
	memo := memo{}
	for i := range s.NumFDEs() {
		if w.stop(i) {
			return
		}
		f := s.FDE(i)
		if !f.HasAttr() {
			continue
		}
		key := model.KindKey(f.Info(), f.Info2(), f.RepSize())
		w.Kinds.report(memo.of(key, func() verdict { return w.Kinds.judge(f) }), f)
	}
}

// sweep is one walk over a section for all rules that have something to find
// in it. Rules ask for it while they run; it is done after the last one.
type sweep struct {
	walk
	askers []asker
	broken bool // there are tests of a rule that takes no part
}

// asker is a rule that takes part in a sweep.
type asker struct {
	rule *Rule
	out  *Report
	done []func()
}

// ask adds the rule of a context to the askers.
func (s *sweep) ask(c *Context) *asker {
	if !s.asked(c) {
		s.askers = append(s.askers, asker{rule: c.rule, out: c.out})
	}
	return &s.askers[len(s.askers)-1]
}

// asked reports whether the rule of a context, which is the last one that was
// run, takes part.
func (s *sweep) asked(c *Context) bool {
	n := len(s.askers)
	return n > 0 && s.askers[n-1].out == c.out
}

// forget leaves out the rule that was run last.
func (s *sweep) forget() {
	s.askers, s.broken = s.askers[:len(s.askers)-1], true
}

// run walks over the section.
func (s *sweep) run(section *model.Section) {
	s.walk.run(section)
	for _, x := range s.askers {
		for _, done := range x.done {
			done()
		}
	}
}

// try is run and reports whether no rule has panicked.
func (s *sweep) try(section *model.Section) (ok bool) {
	if s.broken {
		return false
	}
	defer func() { ok = recover() == nil }()
	s.run(section)
	return
}

// another returns a context for another rule of the same section.
func (c *Context) another(s *sweep) *Context {
	bounds := *c.bounds
	return &Context{Pass: c.Pass, Object: c.Object, SFrame: c.SFrame, Section: c.Section, facts: c.facts, bounds: &bounds, out: new(Report), sweep: s}
}

// reset prepares the sweep for another section.
func (s *sweep) reset(stop func() bool) {
	s.Rows, s.Kinds, s.Stop = s.Rows[:0], s.Kinds[:0], stop
	s.askers, s.broken = s.askers[:0], false
}

// leave drops what the last section's rules have left.
func (s *sweep) leave() {
	clear(s.Rows[:cap(s.Rows)])
	clear(s.Kinds[:cap(s.Kinds)])
	clear(s.askers[:cap(s.askers)])
	s.reset(nil)
}

// FDEs calls report for the FDEs that are bad. bad must depend on info, info2
// and rep_size only: it is mostly called for one FDE of each kind. If it
// depends on other fields, use EachFDE. The calls of report may come after the
// rule has returned: see AfterRows.
func (c *Context) FDEs(bad func(model.FDE) bool, report func(model.FDE)) {
	if !c.Survey().AnyKind(bad) {
		return
	}
	if c.sweep == nil {
		(&walk{Kinds: tests[model.FDE]{{bad, report}}}).run(c.Section)
		return
	}
	c.sweep.ask(c)
	c.sweep.Kinds = append(c.sweep.Kinds, test[model.FDE]{bad, report})
}

// Rows calls report for the rows that are bad. bad must depend on PC type, FDE
// type, info byte and data words only: it is mostly called once for each
// distinct row. If it depends on anything else, use EachRow. All rules share one
// walk over the section, so the calls of report may come after the rule has
// returned: see AfterRows.
func (c *Context) Rows(bad func(model.FRE) bool, report func(model.FRE)) {
	if !c.AnyRow(bad) {
		return
	}
	if c.sweep == nil {
		(&walk{Rows: tests[model.FRE]{{bad, report}}}).run(c.Section)
		return
	}
	c.sweep.ask(c)
	c.sweep.Rows = append(c.sweep.Rows, test[model.FRE]{bad, report})
}

// AnyRow reports whether some row of the section may be bad, by the same predicate as for Rows.
func (c *Context) AnyRow(bad func(model.FRE) bool) bool { return c.Survey().Any(model.RowList, bad) }

// AnyFirstRow is AnyRow for the first rows of functions.
func (c *Context) AnyFirstRow(bad func(model.FRE) bool) bool {
	return c.Survey().Any(model.FirstList, bad)
}

// AnyLastRow is AnyRow for the last rows of functions.
func (c *Context) AnyLastRow(bad func(model.FRE) bool) bool {
	return c.Survey().Any(model.LastList, bad)
}

// AfterRows calls done after all calls by FDEs and Rows.
func (c *Context) AfterRows(done func()) {
	if c.sweep == nil {
		done()
		return
	}
	x := c.sweep.ask(c)
	x.done = append(x.done, done)
}
