package sarif

import (
	"encoding/base64"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/rules"
)

// fix describes a fix of a result. The format has no field for one that may be
// wrong; the text and a property say so.
func (r *Renderer) fix(x *rules.Finding, file string, f rules.Fix) *sarif.Fix {
	change := sarif.NewArtifactChange().WithArtifactLocation(r.artifact(file))
	for _, e := range f.Edits {
		region := sarif.NewRegion().WithByteOffset(int(x.Base + e.Span.Off)).WithByteLength(int(e.Span.Len))
		replace := sarif.NewReplacement().WithDeletedRegion(region)
		if len(e.New) > 0 {
			replace.WithInsertedContent(sarif.NewArtifactContent().WithBinary(base64.StdEncoding.EncodeToString(e.New)))
		}
		change.AddReplacement(replace)
	}
	text := escape.Message(f.Message)
	if !f.Safe {
		text += " (unsafe: rests on a guess)"
	}
	props := sarif.NewPropertyBag()
	props.Add("safe", f.Safe)
	return sarif.NewFix().WithDescription(message(text)).AddArtifactChange(change).WithProperties(props)
}
