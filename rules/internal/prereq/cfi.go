package prereq

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/ehframe"
)

// Frames gives a rule the call frame information of the object, nil where there is
// none.
var Frames = OfObject("frames", "the call frame information of an object", func(pass *analysis.Pass) *ehframe.Frames {
	o, _ := Input(pass)
	f, err := ehframe.Load(o, 0) // of a size that the driver has allowed
	if err != nil || len(f.Sections)+len(f.Skipped) == 0 {
		return nil // it can't be read, or the budget is exceeded
	}
	return f
})
