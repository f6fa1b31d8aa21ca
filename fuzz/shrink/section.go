package shrink

import "github.com/sframe-lint/sframe-lint/model"

// Section is the bytes of a section, with the cuts that made it from the last
// one accepted. They are in order and count from the start of that one.
type Section struct {
	Bytes []byte
	Cuts  []model.Span
}

// Sections cuts functions, then FREs, then data words, then the auxiliary
// header and unused bytes out of sections, and corrects counts and offsets. It
// works on damaged sections as well: what was wrong stays as wrong as it was.
type Sections struct {
	// Decode reads a section as far as it can; nil if even the header is
	// missing.
	Decode func(data []byte) *model.Section
	// Relocatable means that the start fields have no meaning.
	Relocatable bool
}

// Reduce implements [Reducer].
func (c Sections) Reduce(l *Loop[Section]) {
	sh := &sectionReducer{Sections: c, l: l}
	sh.functions()
	sh.rows()
	sh.words()
	sh.rest()
}

type sectionReducer struct {
	Sections
	l  *Loop[Section]
	of []byte         // the data that s was decoded from
	s  *model.Section // nil if nothing can be cut
}

// model returns the current section, decoded; nil if nothing can be cut.
func (sh *sectionReducer) model() *model.Section {
	data := sh.l.Value.Bytes
	if len(sh.of) > 0 && len(data) > 0 && &sh.of[0] == &data[0] {
		return sh.s
	}
	if sh.s = sh.Decode(data); sh.s != nil && !sh.s.Version().Known() {
		sh.s = nil
	}
	sh.of = data
	return sh.s
}

// attempt tries an edit.
func (sh *sectionReducer) attempt(s *model.Section, do func(*edit)) bool {
	if sh.l.Ended() {
		return false
	}
	e := newEdit(s, sh.Relocatable)
	do(e)
	b, cuts := e.finish()
	return len(b) < len(sh.l.Value.Bytes) && sh.l.Try(Section{b, cuts})
}

func (sh *sectionReducer) functions() {
	s := sh.model()
	if s == nil {
		return
	}
	runs(s.NumFDEs(), 1, func(at, n int) bool {
		s := sh.model()
		return s != nil && at+n <= s.NumFDEs() && sh.attempt(s, func(e *edit) { e.functions(at, n) })
	})
}

func (sh *sectionReducer) rows() {
	sh.eachFDE(func(f model.FDE) {
		i := f.Index()
		runs(f.NumFREs(), 1, func(at, n int) bool {
			s := sh.model()
			if s == nil || i >= s.NumFDEs() || at+n > s.FDE(i).NumFREs() {
				return false
			}
			return sh.attempt(s, func(e *edit) { e.rows(s.FDE(i), at, n) })
		})
	})
}

func (sh *sectionReducer) words() {
	sh.eachFDE(func(f model.FDE) {
		for j := 0; j < f.NumFREs() && !sh.l.Ended(); j++ {
			sh.wordsOf(f.Index(), j)
		}
	})
}

func (sh *sectionReducer) wordsOf(i, j int) {
	row := func() (s *model.Section, r model.FRE, ok bool) {
		s = sh.model()
		if s == nil || i >= s.NumFDEs() || j >= s.FDE(i).NumFREs() {
			return s, r, false
		}
		return s, s.FDE(i).FRE(j), true
	}
	_, r, ok := row()
	if !ok {
		return
	}
	runs(r.NumWords(), 1, func(at, n int) bool {
		s, r, ok := row()
		return ok && at+n <= r.NumWords() && sh.attempt(s, func(e *edit) { e.words(r, at, n) })
	})
}

// eachFDE calls yield for each FDE of the current section, by index.
func (sh *sectionReducer) eachFDE(yield func(model.FDE)) {
	for i := 0; ; i++ {
		s := sh.model()
		if s == nil || i >= s.NumFDEs() || sh.l.Ended() {
			return
		}
		yield(s.FDE(i))
	}
}

// rest cuts the auxiliary header and the gaps.
func (sh *sectionReducer) rest() {
	if s := sh.model(); s != nil && s.AuxSpan().Len > 0 {
		sh.attempt(s, func(e *edit) { e.aux() })
	}
	s := sh.model()
	if s == nil {
		return
	}
	runs(len(s.Gaps()), 1, func(at, n int) bool {
		s := sh.model()
		if s == nil || at+n > len(s.Gaps()) {
			return false
		}
		return sh.attempt(s, func(e *edit) {
			for _, g := range s.Gaps()[at : at+n] {
				e.cut(g.Span)
			}
		})
	})
}
