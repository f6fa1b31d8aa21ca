// Package catalogue is the registry of all rules that come with the tool.
package catalogue

import (
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/abi"
	"github.com/sframe-lint/sframe-lint/rules/container"
	"github.com/sframe-lint/sframe-lint/rules/cross"
	"github.com/sframe-lint/sframe-lint/rules/fde"
	"github.com/sframe-lint/sframe-lint/rules/fre"
	"github.com/sframe-lint/sframe-lint/rules/header"
	"github.com/sframe-lint/sframe-lint/rules/plausible"
	"github.com/sframe-lint/sframe-lint/rules/size"
	"github.com/sframe-lint/sframe-lint/rules/topmost"
)

// Rules returns all rules, by ID. The slice is the caller's to change.
func Rules() []*rules.Rule {
	all := slices.Concat(
		header.Rules, fde.Rules, fre.Rules, plausible.Rules, topmost.Rules, abi.Rules,
		container.Rules, cross.Rules, size.Rules,
	)
	slices.SortFunc(all, func(a, b *rules.Rule) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// Default returns the rules that run unless they are selected otherwise.
func Default() []*rules.Rule {
	return slices.DeleteFunc(Rules(), func(r *rules.Rule) bool { return r.OptIn })
}
