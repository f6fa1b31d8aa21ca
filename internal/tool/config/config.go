// Package config reads the configuration of sframe-lint, a YAML file. Unknown keys,
// rules and levels are errors, which name the line and column.
package config

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Name is the name of the configuration file that [Find] searches for.
const Name = ".sframe-lint.yaml"

// Config is a configuration. Settings that are nil are not set.
type Config struct {
	Path string // of the file, "" for none

	Select, Ignore []string // IDs of rules or prefixes of IDs, in capitals
	Severity       []lint.Override
	Profile        string         // "": the default one
	Show           rules.Severity // 0: that of the profile
	Exclude        []string       // patterns of paths, as in a .gitignore in ExcludeDir
	ExcludeDir     string         // "": the working directory
	FailOn         *string
	RequireSFrame  *bool
	MinCoverage    *coverage.Percent
	Consumers      []string
	Producers      []string
	AllowSections  []string // nil: the default
	AllowGaps      []string
	Baseline       string // path from the working directory, or absolute
	SourceRoot     string // directory, path as that of Baseline
	PathMap        []lint.PathMap
	Limits         budget.Limits // 0: not set; below 0: no limit
	Exceptions     []lint.Exception
}

// ParsePathMap reads FROM=TO.
func ParsePathMap(s string) (lint.PathMap, error) {
	from, to, ok := strings.Cut(s, "=")
	if !ok || from == "" {
		return lint.PathMap{}, fmt.Errorf("%q is not of the form FROM=TO", s)
	}
	return lint.PathMap{From: from, To: to}, nil
}

// ParseLevel reads the lowest level of findings that are shown.
func ParseLevel(s string) (rules.Severity, error) {
	v, err := rules.ParseSeverity(s)
	if err != nil || v == rules.Off {
		return rules.Off, lookup.Unknown("level", s, []string{"error", "warning", "note"}, "")
	}
	return v, nil
}
