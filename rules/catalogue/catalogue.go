// Package catalogue is the registry of all rules that come with the tool.
package catalogue

import (
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/header"
)

// Rules returns all rules, by ID. The slice is the caller's to change.
func Rules() []*rules.Rule {
	all := slices.Concat(header.Rules)
	slices.SortFunc(all, func(a, b *rules.Rule) int { return strings.Compare(a.ID, b.ID) })
	return all
}
