package shrinking

import (
	"github.com/sframe-lint/sframe-lint/model"
)

// Section says how to shrink a section.
type Section struct {
	// Decode reads a section, as far as that is possible; nil where not even
	// a header is there.
	Decode func(data []byte) *model.Section
	// Try tells whether a section will do that has lost the bytes of cuts,
	// which are in order and count from the start of the last section that
	// did.
	Try func(data []byte, cuts []model.Span) bool
	// Relocatable tells that the start fields mean nothing.
	Relocatable bool
	// Ended, where not nil, tells that there is no use in going on.
	Ended func() bool
}

// Shrink cuts functions, then rows, then data words, then what belongs to
// nothing, as long as what is left will do. The data given must do.
func (c *Section) Shrink(data []byte) []byte {
	sh := &shrinker{Section: c, data: data}
	for {
		was := len(sh.data)
		sh.functions()
		sh.rows()
		sh.words()
		sh.rest()
		if len(sh.data) == was || sh.ended() {
			return sh.data
		}
	}
}

type shrinker struct {
	*Section
	data []byte
	of   []byte         // the data that s was read from
	s    *model.Section // nil where there is none to cut
}

func (sh *shrinker) ended() bool { return sh.Ended != nil && sh.Ended() }

// model returns the section as it is now; nil where there is none to cut.
func (sh *shrinker) model() *model.Section {
	if len(sh.of) > 0 && len(sh.data) > 0 && &sh.of[0] == &sh.data[0] {
		return sh.s
	}
	if sh.s = sh.Decode(sh.data); sh.s != nil && !sh.s.Version().Known() {
		sh.s = nil
	}
	if sh.of = nil; len(sh.data) > 0 {
		sh.of = sh.data
	}
	return sh.s
}

// attempt tries an edit.
func (sh *shrinker) attempt(s *model.Section, do func(*edit)) bool {
	if sh.ended() {
		return false
	}
	e := newEdit(s, sh.Relocatable)
	do(e)
	b, cuts := e.finish()
	if len(b) >= len(sh.data) || !sh.Try(b, cuts) {
		return false
	}
	sh.data = b
	return true
}

func (sh *shrinker) functions() {
	s := sh.model()
	if s == nil {
		return
	}
	reduce(s.NumFDEs(), 1, func(at, n int) bool {
		s := sh.model()
		return s != nil && at+n <= s.NumFDEs() && sh.attempt(s, func(e *edit) { e.functions(at, n) })
	})
}

func (sh *shrinker) rows() {
	sh.eachFDE(func(f model.FDE) {
		i := f.Index()
		reduce(f.NumFREs(), 1, func(at, n int) bool {
			s := sh.model()
			if s == nil || i >= s.NumFDEs() || at+n > s.FDE(i).NumFREs() {
				return false
			}
			return sh.attempt(s, func(e *edit) { e.rows(s.FDE(i), at, n) })
		})
	})
}

func (sh *shrinker) words() {
	sh.eachFDE(func(f model.FDE) {
		for j := 0; j < f.NumFREs() && !sh.ended(); j++ {
			sh.wordsOf(f.Index(), j)
		}
	})
}

func (sh *shrinker) wordsOf(i, j int) {
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
	reduce(r.NumWords(), 1, func(at, n int) bool {
		s, r, ok := row()
		return ok && at+n <= r.NumWords() && sh.attempt(s, func(e *edit) { e.words(r, at, n) })
	})
}

// eachFDE calls yield for the FDEs by index, as they are at the time.
func (sh *shrinker) eachFDE(yield func(model.FDE)) {
	for i := 0; ; i++ {
		s := sh.model()
		if s == nil || i >= s.NumFDEs() || sh.ended() {
			return
		}
		yield(s.FDE(i))
	}
}

// rest cuts the auxiliary header and bytes that belong to nothing.
func (sh *shrinker) rest() {
	if s := sh.model(); s != nil && s.AuxSpan().Len > 0 {
		sh.attempt(s, func(e *edit) { e.aux() })
	}
	s := sh.model()
	if s == nil {
		return
	}
	reduce(len(s.Gaps()), 1, func(at, n int) bool {
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
