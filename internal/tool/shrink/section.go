package shrink

import "github.com/sframe-lint/sframe-lint/model"

// Section has the bytes of a section and the cuts from the last accepted one
// that result in it. Cuts are sorted spans of the accepted one.
type Section struct {
	Bytes []byte
	Cuts  []model.Span
}

// Sections returns a reducer that cuts functions, FREs, data words, the auxiliary header and unused bytes, in this
// order, and corrects counts and offsets. It does not repair faults. decode returns as much of a section as it can, or
// nil without a header. In a relocatable section, start fields are ignored.
func Sections(decode func(data []byte) *model.Section, relocatable bool) Reducer[Section] {
	return func(l *Loop[Section]) {
		sh := &sectionReducer{decode: decode, relocatable: relocatable, l: l}
		sh.leaveOut((*model.Section).NumFDEs, (*edit).functions)
		sh.rows()
		sh.words()
		sh.cutRest()
	}
}

type sectionReducer struct {
	decode      func(data []byte) *model.Section
	relocatable bool
	l           *Loop[Section]
	of          []byte         // the data that s was decoded from
	s           *model.Section // nil if nothing can be cut
}

// model returns the current section, decoded; nil if nothing can be cut.
func (sh *sectionReducer) model() *model.Section {
	data := sh.l.Value.Bytes
	if len(sh.of) > 0 && len(data) > 0 && &sh.of[0] == &data[0] {
		return sh.s
	}
	if sh.s = sh.decode(data); sh.s != nil && !sh.s.Version().Known() {
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
	e := newEdit(s, sh.relocatable)
	do(e)
	b, cuts := e.finish()
	return len(b) < len(sh.l.Value.Bytes) && sh.l.Try(Section{b, cuts})
}

// leaveOut cuts runs of things, of which a section has a number.
func (sh *sectionReducer) leaveOut(number func(*model.Section) int, cut func(e *edit, at, n int)) {
	s := sh.model()
	if s == nil {
		return
	}
	runs(number(s), 1, func(at, n int) bool {
		s := sh.model()
		return s != nil && at+n <= number(s) && sh.attempt(s, func(e *edit) { cut(e, at, n) })
	})
}

// numFREs returns the FREs of an FDE, 0 if there is none.
func numFREs(s *model.Section, i int) int {
	if i >= s.NumFDEs() {
		return 0
	}
	return s.FDE(i).NumFREs()
}

func (sh *sectionReducer) rows() {
	for i := 0; sh.has(i); i++ {
		sh.leaveOut(func(s *model.Section) int { return numFREs(s, i) }, func(e *edit, at, n int) { e.rows(e.s.FDE(i), at, n) })
	}
}

func (sh *sectionReducer) words() {
	for i := 0; sh.has(i); i++ {
		for j := 0; sh.has(i) && j < numFREs(sh.model(), i); j++ {
			sh.leaveOut(func(s *model.Section) int {
				if j >= numFREs(s, i) {
					return 0
				}
				return s.FDE(i).FRE(j).NumWords()
			}, func(e *edit, at, n int) { e.words(e.s.FDE(i).FRE(j), at, n) })
		}
	}
}

// has reports whether the current section has an FDE, and the search goes on.
func (sh *sectionReducer) has(i int) bool {
	return !sh.l.Ended() && sh.model() != nil && i < sh.model().NumFDEs()
}

// cutRest cuts the auxiliary header and the gaps.
func (sh *sectionReducer) cutRest() {
	if s := sh.model(); s != nil && s.AuxSpan().Len > 0 {
		sh.attempt(s, (*edit).aux)
	}
	sh.leaveOut(func(s *model.Section) int { return len(s.Gaps()) }, func(e *edit, at, n int) {
		for _, g := range e.s.Gaps()[at : at+n] {
			e.cut(g.Span)
		}
	})
}
