package execute

import (
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Recorded returns the analyzer whose result is the *[FileTruth] of an object's code, nil for none. The first truth
// that has the code counts.
func Recorded(truths []*Truth) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "recorded", Doc: "what was recorded of the object's code", Requires: []*analysis.Analyzer{rules.Container},
		ResultType: reflect.TypeFor[*FileTruth](),
		Run: func(pass *analysis.Pass) (any, error) {
			var found *FileTruth
			if o := pass.ResultOf[rules.Container].(*reader.Object); o.Linked() {
				buildID, code := Identify(o)
				for i := 0; i < len(truths) && found == nil; i++ {
					found = truths[i].File(buildID, code)
				}
			}
			return found, nil
		},
	}
}

// ReadTruthFile reads a truth file.
func ReadTruthFile(path string, b *budget.Budget) (*Truth, error) {
	in, info, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return ReadTruth(in, info.Size(), b)
}
