// Package prereq holds the prerequisite analyzers that rules share: what is
// looked at, and what is computed once for a section, when the first rule asks
// for it.
package prereq

import (
	"errors"
	"reflect"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/reader"
)

// Container is documented in package rules.
var Container = &analysis.Analyzer{
	Name:       "container",
	Doc:        "the ELF file, archive member or raw section that is checked",
	ResultType: reflect.TypeFor[*reader.Object](),
	Run:        provided,
}

// Contents is documented in package rules.
var Contents = &analysis.Analyzer{
	Name:       "contents",
	Doc:        "the .sframe section that is checked, with its model",
	ResultType: reflect.TypeFor[*reader.SFrame](),
	Run:        provided,
}

func provided(*analysis.Pass) (any, error) {
	return nil, errors.New("the driver provides this result")
}

// Input returns the results of Container and Contents. The section is nil for
// a rule on the whole object.
func Input(pass *analysis.Pass) (*reader.Object, *reader.SFrame) {
	sf, _ := pass.ResultOf[Contents].(*reader.SFrame)
	return pass.ResultOf[Container].(*reader.Object), sf
}

// Lazy returns an analyzer whose result is a func() T. The first call computes
// the value, so a section on which no rule asks for it costs nothing.
func Lazy[T any](name, doc string, compute func(*analysis.Pass) T, requires ...*analysis.Analyzer) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:       name,
		Doc:        doc,
		Requires:   append([]*analysis.Analyzer{Container, Contents}, requires...),
		ResultType: reflect.TypeFor[func() T](),
		Run: func(pass *analysis.Pass) (any, error) {
			if _, now := pass.ResultOf[OnDemand]; now {
				v := compute(pass)
				return func() T { return v }, nil
			}
			return sync.OnceValue(func() T { return compute(pass) }), nil
		},
	}
}

// OnDemand is among the results of a pass whose driver leaves Lazy analyzers to
// Get, which computes the value at once. Most rules have nothing to look up, and then
// need none of them.
var OnDemand = &analysis.Analyzer{Name: "on_demand", Doc: "leaves lazy analyzers to Get", Run: provided}

// Get returns the value of a Lazy analyzer.
func Get[T any](pass *analysis.Pass, a *analysis.Analyzer) T {
	v, ok := pass.ResultOf[a]
	if _, lazy := pass.ResultOf[OnDemand]; lazy && !ok {
		v, _ = a.Run(pass) // a Lazy analyzer never fails
		pass.ResultOf[a] = v
	}
	return v.(func() T)()
}

// Shared is among the results of a pass whose driver checks an object section by
// section: what the sections have in common is computed once.
var Shared = &analysis.Analyzer{Name: "shared", Doc: "what the sections of an object have in common", ResultType: reflect.TypeFor[*Results](), Run: provided}

// Results are values that were computed for an object, none in the zero value. One
// goroutine at a time may use them.
type Results struct{ of map[*analysis.Analyzer]any }

// OfObject returns an analyzer like those of Lazy, whose value depends on the object and on
// what is the same for all sections of the object.
func OfObject[T any](name, doc string, compute func(*analysis.Pass, *reader.Object) T, requires ...*analysis.Analyzer) *analysis.Analyzer {
	var a *analysis.Analyzer
	a = Lazy(name, doc, func(pass *analysis.Pass) T {
		obj, _ := Input(pass)
		shared, ok := pass.ResultOf[Shared].(*Results)
		if !ok {
			return compute(pass, obj)
		}
		if _, done := shared.of[a]; !done {
			if shared.of == nil {
				shared.of = map[*analysis.Analyzer]any{}
			}
			shared.of[a] = compute(pass, obj)
		}
		return shared.of[a].(T)
	}, requires...)
	return a
}
