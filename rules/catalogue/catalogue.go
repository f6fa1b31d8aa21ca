// Package catalogue is the registry of the rules that come with the tool.
package catalogue

import (
	"slices"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/abi"
	"github.com/sframe-lint/sframe-lint/rules/internal/code"
	"github.com/sframe-lint/sframe-lint/rules/internal/container"
	"github.com/sframe-lint/sframe-lint/rules/internal/crosscheck"
	"github.com/sframe-lint/sframe-lint/rules/internal/fde"
	"github.com/sframe-lint/sframe-lint/rules/internal/frame"
	"github.com/sframe-lint/sframe-lint/rules/internal/fre"
	"github.com/sframe-lint/sframe-lint/rules/internal/header"
	"github.com/sframe-lint/sframe-lint/rules/internal/size"
)

// Rules returns the rules that depend on no [Settings], sorted by ID. The caller may modify the slice, but not
// the rules.
func Rules() []*rules.Rule { return slices.Clone(sorted()) }

var sorted = sync.OnceValue(func() []*rules.Rule {
	all := slices.Concat(
		header.Rules, fde.Rules, fre.Rules, frame.Rules, code.Rules, abi.Rules,
		container.Rules, crosscheck.Rules, size.Rules,
	)
	slices.SortFunc(all, func(a, b *rules.Rule) int { return strings.Compare(a.ID, b.ID) })
	return all
})

// Default returns the rules that run without a selection.
func Default() []*rules.Rule {
	return slices.DeleteFunc(Rules(), func(r *rules.Rule) bool { return r.OptIn })
}
