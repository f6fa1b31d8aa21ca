package cfi

import (
	"reflect"
	"sync/atomic"

	"github.com/sframe-lint/sframe-lint/model"
)

// account is what a section has spent: all that it keeps, and the work that no size of it
// bounds.
type account struct {
	err   error // the first one of hold, before the section is complete
	steps atomic.Int64
	over  atomic.Bool // Input.Step has failed
}

// Bytes in memory.
var (
	offsetCost  = int64(reflect.TypeFor[int32]().Size())
	pointerCost = int64(reflect.TypeFor[*CIE]().Size())
	cieCost     = int64(reflect.TypeFor[CIE]().Size())
	faultCost   = int64(reflect.TypeFor[Fault]().Size())
	relocCost   = int64(reflect.TypeFor[Reloc]().Size())
	sectionCost = 2 * int64(reflect.TypeFor[Section]().Size()+reflect.TypeFor[Loaded]().Size()) // the list grows
	spanCost    = int64(reflect.TypeFor[model.Span]().Size())
)

// hold counts bytes that the section keeps.
func (s *Section) hold(n int64) {
	if s.in.Hold != nil && s.err == nil && n > 0 {
		s.err = s.in.Hold(n)
	}
}

// grow returns a list with room for another element, and counts that.
func grow[T any](s *Section, list []T, cost int64) []T {
	if len(list) < cap(list) {
		return list
	}
	n := max(cap(list)/4, 64)
	if s.hold(int64(n) * cost); s.err != nil {
		return list
	}
	return append(make([]T, 0, cap(list)+n), list...)
}

// Steps of a byte of a program and of an expression, and the number of bytes or steps that are spent at
// once.
const (
	byteSteps  = 1
	exprSteps  = 4
	payStep    = 1 << 12
	spendSteps = 1 << 10
)

// spend counts steps of work, and takes them before what they are for. It reports whether the budget allows more.
func (s *Section) spend(n int64) bool {
	if s.in.Step == nil {
		return true
	}
	if all := s.steps.Add(n) + spendSteps - 1; all/spendSteps != (all-n)/spendSteps {
		if s.in.Step(max(n, spendSteps)) != nil {
			s.over.Store(true)
		}
	}
	return !s.over.Load()
}
