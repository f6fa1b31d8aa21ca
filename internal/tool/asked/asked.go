// Package asked runs the rules on which the profiles of consumers rely, for commands and campaigns. It judges nothing
// itself.
package asked

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// Of returns the findings in an object that decide the verdicts of consumers.
func Of(o *reader.Object) consumers.Findings {
	d := rules.Driver{Wanted: []*analysis.Analyzer{catalogue.Asked}}
	found, _ := d.Run(o).Values[catalogue.Asked].(consumers.Findings)
	return found
}
