package header

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/rewrite"
	"github.com/sframe-lint/sframe-lint/rules"
)

// maxMerged is the largest section, in bytes, whose finding carries the merged one.
const maxMerged = 4 << 20

// merged returns the fix that writes concatenated sections as one. It reports whether
// they can be merged in their place.
func merged(c *rules.Context) (rules.Fix, bool) {
	if int64(len(c.SFrame.Data)) > maxMerged {
		return rules.Fix{}, false
	}
	x, err := rewrite.Section(c.Object, c.SFrame, rewrite.Options{})
	if err != nil || len(x.Append) > 0 {
		return rules.Fix{}, false
	}
	fix := rules.Fix{Message: fmt.Sprintf("merge the %d sections", x.Sections), Reveals: true}
	for _, e := range x.Edits {
		fix.Edits = append(fix.Edits, rules.Edit{Span: e.Span, New: e.New})
	}
	return fix, true
}
