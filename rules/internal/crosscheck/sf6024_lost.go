package crosscheck

import "github.com/sframe-lint/sframe-lint/rules"

// Lost is the rule on inputs whose SFrame data was partly lost.
var Lost = newInputRule(rules.Rule{ID: "SF6024"}, true, nil,
	"no FDE covers %s with CFI (%s), but functions before and after them have FDEs: their SFrame data was lost, and a tracer stops there")
