//go:build mutator

package main

import (
	"iter"

	"github.com/sframe-lint/sframe-lint/internal/tool/shrink"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// trimSteps bounds how many candidates AFL++ is offered for an input: each
// of them costs a run of the target.
const trimSteps = 32

// trimmer offers smaller inputs one by one. AFL++ reports for each whether it
// takes the same path through the target.
type trimmer struct {
	next  func() ([]byte, bool)
	stop  func()
	took  bool   // the last candidate
	ready []byte // the next candidate, nil if there is none
	steps int
}

// begin starts with an input and returns the most steps that there may be, 0 for
// none.
func (t *trimmer) begin(data []byte) int {
	t.end()
	t.next, t.stop = iter.Pull(t.candidates(data))
	t.steps = 0
	return t.advance()
}

// report takes whether the last candidate was kept, and returns the number of
// the next step, trimSteps at the end.
func (t *trimmer) report(took bool) int {
	t.took = took
	t.steps++
	if t.advance() == 0 || t.steps >= trimSteps {
		t.end()
		return trimSteps
	}
	return t.steps
}

func (t *trimmer) advance() int {
	b, ok := t.next()
	if t.ready = b; !ok || len(b) == 0 {
		t.ready = nil
		return 0
	}
	return trimSteps
}

// end drops the remaining candidates.
func (t *trimmer) end() {
	if t.stop != nil {
		t.stop()
	}
	t.next, t.stop, t.ready = nil, nil, nil
}

// candidates yields what is left of a section when functions, FREs and data
// words are cut, and continues from each candidate that AFL++ kept.
func (t *trimmer) candidates(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		done := false
		l := shrink.Loop[shrink.Section]{
			Value: shrink.Section{Bytes: data},
			Done:  func() bool { return done },
			Keep: func(c shrink.Section) bool {
				if len(c.Bytes) == 0 {
					return false
				}
				done = !yield(c.Bytes)
				return !done && t.took
			},
		}
		l.Run(shrink.Sections(func(b []byte) *model.Section {
			s, _ := reader.DecodeSection(b, reader.SectionOptions{})
			return s
		}, false))
	}
}
