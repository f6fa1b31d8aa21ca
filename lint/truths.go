package lint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/tool/execute"
)

// Truths are recordings of executed code.
type Truths struct{ recorded *analysis.Analyzer }

// ReadTruths reads files that 'sframe-lint trace --record' has written, within the limits of one input: see
// [Options.Limits]. Those of one ABI are merged: what holds is what holds in all of them. It returns truths also with an
// error, and nil without paths.
func ReadTruths(limits Limits, paths ...string) (*Truths, error) {
	b := budget.New(context.Background(), limits)
	var all []*execute.Truth
	for _, path := range paths {
		t, err := execute.ReadTruthFile(path, b)
		if err != nil {
			var e *fs.PathError
			if errors.As(err, &e) {
				err = e.Err // without the path
			}
			return &Truths{execute.Recorded(nil)}, fmt.Errorf("%s: %w", path, err)
		}
		if i := slices.IndexFunc(all, func(x *execute.Truth) bool { return x.ABI == t.ABI }); i < 0 {
			all = append(all, t)
		} else if err := all[i].Merge(t); err != nil {
			return &Truths{execute.Recorded(all)}, fmt.Errorf("%s: %w", path, err)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return &Truths{execute.Recorded(all)}, nil
}
