package code

import (
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/rules"
)

var StaleFP = againstCode(rules.Rule{
	ID:       "SF3120",
	Severity: rules.Note,
}, proof.StaleFP, "a trace goes wrong in the next caller whose CFA counts from FP")
