package crosscheck

import "github.com/sframe-lint/sframe-lint/rules"

// Lost is the rule on inputs of which a part of the SFrame data is lost.
var Lost = newInputRule(rules.Rule{ID: "SF6024", Severity: rules.Error}, true, nil,
	"no FDE covers %s with CFI: %s; functions of the same input before and after them have FDEs, so a part of its SFrame data was lost: a tracer stops there")
