// Package asked gives commands and campaigns what consumers ask of the rules. It judges nothing itself.
package asked

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// Of returns those findings in an object by which consumers are judged.
func Of(o *reader.Object) consumers.Findings {
	d := rules.Driver{Wanted: []*analysis.Analyzer{catalogue.Asked}}
	found, _ := d.Run(o).Values[catalogue.Asked].(consumers.Findings)
	return found
}
