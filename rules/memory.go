package rules

import (
	"github.com/sframe-lint/sframe-lint/internal/survey"
	"github.com/sframe-lint/sframe-lint/model"
)

// memory remembers contents of FREs and FDEs that no rule has reported: in the objects of
// a program, most contents recur. What holds of a content in a section holds in all
// sections of its kind in which no fact is in doubt, as rules that have the sign of a list
// judge its contents by themselves.
type memory struct {
	slots    []slot
	sections int // that were entered

	// Of the section that was entered:
	kind   int
	survey *survey.Survey
	lists  [survey.NumLists]unknowns
}

// slot is a content that no rule has reported.
type slot struct {
	key  uint64
	kind int
	list survey.List
}

// unknowns are the contents of a list that are not remembered.
type unknowns struct {
	all     []int // their places in the list
	bad     []bool
	partial bool // the list does not have all contents
}

const (
	numSlots  = 1 << 10 // a power of two
	mostKnown = numSlots / 4
)

var listSigns = [...]Signs{survey.Rows: OddRows, survey.Firsts: OddFirstRows, survey.Lasts: OddLastRows, survey.Kinds: OddKinds}

func (m *memory) slot(key uint64, list survey.List) *slot {
	return &m.slots[(key^uint64(m.kind)<<2^uint64(list))*0x9e3779b97f4a7c15>>54%numSlots]
}

// enter looks up the contents of a section.
func (m *memory) enter(kind int, v *survey.Survey) {
	m.kind, m.survey = kind, v
	m.sections++
	for list := range m.lists {
		l := &m.lists[list]
		n, complete := v.Len(survey.List(list))
		l.all, l.partial = l.all[:0], !complete
		for i := range n {
			key := v.Key(survey.List(list), i)
			if m.slots == nil || key == 0 || *m.slot(key, survey.List(list)) != (slot{key, m.kind, survey.List(list)}) {
				l.all = append(l.all, i)
			}
		}
		l.bad = append(l.bad[:0], make([]bool, len(l.all))...)
	}
}

// innocent returns the signs of the lists of which all contents are remembered.
func (m *memory) innocent() (signs Signs) {
	for list := range m.lists {
		if l := &m.lists[list]; len(l.all) == 0 && !l.partial {
			signs |= listSigns[list]
		}
	}
	return signs
}

// anyRow reports whether an FRE of a list may be bad.
func (m *memory) anyRow(list survey.List, bad func(model.FRE) bool) bool {
	l := &m.lists[list]
	found := l.partial
	for at, i := range l.all {
		if bad(m.survey.FRE(list, i)) {
			l.bad[at], found = true, true
		}
	}
	return found
}

// anyKind does the same for FDEs.
func (m *memory) anyKind(bad func(model.FDE) bool) bool {
	l := &m.lists[survey.Kinds]
	found := l.partial
	for at, i := range l.all {
		if bad(m.survey.FDE(i)) {
			l.bad[at], found = true, true
		}
	}
	return found
}

// learn remembers the contents that no rule has found bad. All rules were run that have
// one of the signs. In the first section there is nothing to gain yet.
func (m *memory) learn(signs Signs) {
	if m.sections == 1 {
		return
	}
	for list := range m.lists {
		l := &m.lists[list]
		if signs&listSigns[list] == 0 || len(l.all) > mostKnown {
			continue
		}
		if m.slots == nil {
			m.slots = make([]slot, numSlots)
		}
		for at, i := range l.all {
			if key := m.survey.Key(survey.List(list), i); key != 0 && !l.bad[at] {
				*m.slot(key, survey.List(list)) = slot{key, m.kind, survey.List(list)}
			}
		}
	}
}
