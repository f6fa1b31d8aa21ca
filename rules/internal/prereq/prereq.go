// Package prereq has the prerequisite analyzers that rules share. They are computed once for a section, when the
// first rule asks for them.
package prereq

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/reader"
)

// Container is documented in package rules.
var Container = &analysis.Analyzer{
	Name:       "container",
	Doc:        "the ELF file, archive member or raw section that is checked",
	ResultType: reflect.TypeFor[*reader.Object](),
	Run:        readOnlyFile,
}

// Contents is documented in package rules.
var Contents = &analysis.Analyzer{
	Name:       "contents",
	Doc:        "the .sframe section that is checked, with its model",
	Requires:   []*analysis.Analyzer{Container},
	ResultType: reflect.TypeFor[*reader.SFrame](),
	Run: func(pass *analysis.Pass) (any, error) {
		if all := Get[*reader.Object](pass, Container).SFrames; len(all) > 0 {
			return all[0], nil
		}
		return (*reader.SFrame)(nil), nil
	},
}

// readOnlyFile reads the only file of a pass whose driver does not provide the object. The file has
// one object.
func readOnlyFile(pass *analysis.Pass) (any, error) {
	if len(pass.OtherFiles) != 1 || pass.ReadFile == nil {
		return nil, errors.New("expected one file besides those in Go")
	}
	path := pass.OtherFiles[0]
	data, err := pass.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var found []*reader.Object
	err = reader.ScanReader(path, bytes.NewReader(data), int64(len(data)), reader.Options{}, func(o *reader.Object) error {
		found = append(found, o)
		return nil
	})
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("%s has %d objects, not one", path, len(found))
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// Input returns the results of Container and Contents. The section is nil for a rule on the whole object.
func Input(pass *analysis.Pass) (*reader.Object, *reader.SFrame) {
	sf, _ := pass.ResultOf[Contents].(*reader.SFrame)
	return pass.ResultOf[Container].(*reader.Object), sf
}

// OfSection returns an analyzer that calls compute for a section. Its result is the zero value for a section that
// could not be decoded. To cover all sections of an object at once, use [OfObject].
func OfSection[T any](name, doc string, compute func(*analysis.Pass) T, requires ...*analysis.Analyzer) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:       name,
		Doc:        doc,
		Requires:   append([]*analysis.Analyzer{Container, Contents}, requires...),
		ResultType: reflect.TypeFor[T](),
		Run: func(pass *analysis.Pass) (any, error) {
			if _, sf := Input(pass); sf == nil || sf.Section == nil {
				var none T
				return none, nil
			}
			return compute(pass), nil
		},
	}
}

// OfObject returns an analyzer whose result depends only on the object. The analyzers that it requires must also be
// of this kind.
func OfObject[T any](name, doc string, compute func(*analysis.Pass) T, requires ...*analysis.Analyzer) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:       name,
		Doc:        doc,
		Requires:   append([]*analysis.Analyzer{Container}, requires...),
		ResultType: reflect.TypeFor[T](),
		Run:        func(pass *analysis.Pass) (any, error) { return compute(pass), nil },
	}
}

// Get returns the result of an analyzer that the running one requires. It computes lazy results on first use, since
// many sections have nothing to look up.
func Get[T any](pass *analysis.Pass, a *analysis.Analyzer) T {
	v, ok := pass.ResultOf[a]
	if !ok {
		v, _ = a.Run(pass) // those of OfSection and OfObject never fail
		pass.ResultOf[a] = v
	}
	return v.(T)
}

// PerObject reports whether an analyzer depends on no section.
func PerObject(a *analysis.Analyzer) bool {
	return a != Contents && !slices.ContainsFunc(a.Requires, func(r *analysis.Analyzer) bool { return !PerObject(r) })
}
