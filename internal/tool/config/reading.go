package config

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/rules"
)

// written is a configuration as the file has it. The published schema has the same keys.
type written struct {
	Select        []string           `yaml:"select"`
	Ignore        []string           `yaml:"ignore"`
	Severity      yaml.MapSlice      `yaml:"severity"` // in the order of the file: the last one that fits a rule counts
	Profile       *string            `yaml:"profile"`
	Show          *string            `yaml:"show"`
	Exclude       []string           `yaml:"exclude"`
	FailOn        *string            `yaml:"fail-on"`
	RequireSFrame *bool              `yaml:"require-sframe"`
	MinCoverage   *string            `yaml:"min-coverage"`
	Consumers     []string           `yaml:"consumers"`
	Producers     []string           `yaml:"producers"`
	AllowSections []string           `yaml:"allow-sections"`
	AllowGaps     []string           `yaml:"allow-gaps"`
	Baseline      *string            `yaml:"baseline"`
	SourceRoot    *string            `yaml:"source-root"`
	PathMap       []string           `yaml:"path-map"`
	Limits        map[string]any     `yaml:"limits"`
	Exceptions    []writtenException `yaml:"exceptions"`
}

type writtenException struct {
	Paths     []string `yaml:"paths"`
	Members   []string `yaml:"members"`
	Functions []string `yaml:"functions"`
	Rules     []string `yaml:"rules"`
	Reason    *string  `yaml:"reason"`
}

// keysOf returns the keys of a structure.
func keysOf(t reflect.Type) (all []string) {
	for i := range t.NumField() {
		all = append(all, t.Field(i).Tag.Get("yaml"))
	}
	return all
}

// allKeys are the keys of configurations and exceptions.
func allKeys() []string {
	return append(keysOf(reflect.TypeFor[written]()), keysOf(reflect.TypeFor[writtenException]())...)
}

// maxErrors is the number of errors of a file that are reported.
const maxErrors = 20

// reading builds a configuration from the parsed file.
type reading struct {
	path  string
	known Known
	body  ast.Node
	c     *Config
	errs  []*Error
}

// at returns an error at a node.
func (p *reading) at(n ast.Node, format string, args ...any) *Error {
	e := &Error{Path: p.path, Message: fmt.Sprintf(format, args...)}
	// The token of a mapping is its first colon.
	if first := pairs(n); len(first) > 0 {
		n = first[0].Key
	}
	if n != nil && n.GetToken() != nil && n.GetToken().Position != nil {
		e.Line, e.Column = n.GetToken().Position.Line, n.GetToken().Position.Column
	}
	return e
}

// report adds an error at the place of keys and indices, if there is one.
func (p *reading) report(err error, place ...any) {
	if err != nil {
		p.errs = append(p.errs, p.at(p.node(place...), "%v", err))
	}
}

// node returns the node at the place of keys and indices, or what is nearest to it.
func (p *reading) node(place ...any) ast.Node {
	n := p.body
	for _, step := range place {
		if tag, ok := n.(*ast.TagNode); ok {
			n = tag.Value
		}
		if list, ok := n.(*ast.SequenceNode); ok {
			if i, ok := step.(int); ok && i < len(list.Values) {
				n = list.Values[i]
			}
			continue
		}
		for _, x := range pairs(n) {
			if key := name(x); key == step {
				n = x.Value
			} else if keyOf(key) == step {
				n = x.Key
			}
		}
	}
	return n
}

// keyOf stands for the key itself at the end of a place.
type keyOf string

// pairs returns the keys and values of a mapping, nil for any other node.
func pairs(n ast.Node) []*ast.MappingValueNode {
	switch m := n.(type) {
	case *ast.MappingNode:
		return m.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{m}
	}
	return nil
}

// name returns the key of a pair as the decoder writes it.
func name(pair *ast.MappingValueNode) string {
	key := ast.Node(pair.Key)
	if marked, ok := key.(*ast.MappingKeyNode); ok { // ? key
		key = marked.Value
	}
	if key, ok := key.(ast.ScalarNode); ok {
		return fmt.Sprint(key.GetValue())
	}
	return key.String()
}

// sortedErrors returns the errors in the order of their lines, nil if there are none.
func (p *reading) sortedErrors() error {
	slices.SortStableFunc(p.errs, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	if more := len(p.errs) - maxErrors; more > 0 {
		p.errs = append(p.errs[:maxErrors], &Error{Path: p.path, Message: fmt.Sprintf("and %d more", more)})
	}
	var all []error
	for _, e := range p.errs {
		all = append(all, e)
	}
	return errors.Join(all...)
}

// Errors for what is empty.
const (
	noPattern = "an empty pattern matches nothing"
	noReason  = "an exception without a reason"
)

// file takes over what the file has.
func (p *reading) file(w *written) {
	c := p.c
	c.Select, c.Ignore = p.ids(w.Select, "select"), p.ids(w.Ignore, "ignore")
	p.severities(w.Severity)
	if w.Profile != nil {
		_, err := lint.FindProfile(*w.Profile)
		c.Profile = *w.Profile
		p.report(err, "profile")
	}
	if w.Show != nil {
		var err error
		c.Show, err = ParseLevel(*w.Show)
		p.report(err, "show")
	}
	c.Exclude = p.texts(w.Exclude, noPattern, nil, "exclude")
	if c.FailOn = w.FailOn; w.FailOn != nil {
		p.report(oneOf("level", *w.FailOn, "error", "warning", "note", "never"), "fail-on")
	}
	c.RequireSFrame = w.RequireSFrame
	if w.MinCoverage != nil {
		c.MinCoverage = new(coverage.Percent)
		p.report(c.MinCoverage.Set(*w.MinCoverage), "min-coverage")
	}
	c.Consumers = p.texts(w.Consumers, "a consumer without a name", p.consumer, "consumers")
	c.Producers = p.texts(w.Producers, "a producer without a name", func(name string) error {
		_, err := producers.Quirks(name)
		return err
	}, "producers")
	c.AllowSections = p.texts(w.AllowSections, "a section without a name", nil, "allow-sections")
	c.AllowGaps = p.texts(w.AllowGaps, noPattern, nil, "allow-gaps")
	c.Baseline, c.SourceRoot = p.text(w.Baseline, "no file named", "baseline"), p.text(w.SourceRoot, "no directory named", "source-root")
	for i, s := range w.PathMap {
		x, err := ParsePathMap(s)
		c.PathMap = append(c.PathMap, x)
		p.report(err, "path-map", i)
	}
	p.limits(w.Limits)
	for i := range w.Exceptions {
		p.exception(i, &w.Exceptions[i])
	}
}

// oneOf returns an error for a word that is not among others.
func oneOf(kind, word string, words ...string) error {
	if slices.Contains(words, word) {
		return nil
	}
	return lookup.Unknown(kind, word, words, "")
}

// text returns a string that must not be empty, "" for none.
func (p *reading) text(s *string, blank string, place ...any) string {
	if s == nil {
		return ""
	}
	if strings.TrimSpace(*s) == "" {
		p.report(errors.New(blank), place...)
	}
	return *s
}

// texts returns a list of strings that are not empty and that check accepts, unless it is nil.
func (p *reading) texts(all []string, blank string, check func(string) error, place ...any) []string {
	for i := range all {
		at := append(slices.Clone(place), i)
		if blank != "" && strings.TrimSpace(all[i]) == "" {
			p.report(errors.New(blank), at...)
		} else if check != nil {
			p.report(check(all[i]), at...)
		}
	}
	return all
}

func (p *reading) consumer(name string) error {
	if p.known.Consumer == nil {
		return fmt.Errorf("unknown consumer %q", name)
	}
	return p.known.Consumer(name)
}

// ids returns a list of IDs of rules and their prefixes.
func (p *reading) ids(all []string, place ...any) []string {
	p.texts(all, "", p.rule, place...)
	for i := range all {
		all[i] = capital(all[i])
	}
	return all
}

// rule returns an error for what is neither the ID of a rule nor a prefix.
func (p *reading) rule(id string) error {
	prefix := capital(id)
	if prefix != "" && slices.ContainsFunc(p.known.Rules, func(r string) bool { return strings.HasPrefix(r, prefix) }) {
		return nil
	}
	return lookup.UnknownRule(id, p.known.Rules, nil)
}

func capital(id string) string { return strings.ToUpper(strings.TrimSpace(id)) }

// severities reads the levels of rules. Older versions of YAML read "off" as false.
func (p *reading) severities(all yaml.MapSlice) {
	for _, x := range all {
		id, level := fmt.Sprint(x.Key), fmt.Sprint(x.Value)
		if x.Value == false {
			level = "off"
		}
		p.report(p.rule(id), "severity", keyOf(id))
		p.report(oneOf("level", level, "error", "warning", "note", "off"), "severity", id)
		if v, err := rules.ParseSeverity(level); err == nil {
			p.c.Severity = append(p.c.Severity, lint.Override{ID: capital(id), Level: v})
		}
	}
}

// limits reads the limits.
func (p *reading) limits(all map[string]any) {
	var flags []string
	table := budget.Table()
	for i := range table {
		flags = append(flags, table[i].Flag)
	}
	for key, v := range all {
		i := slices.Index(flags, key)
		switch {
		case i < 0:
			p.report(lookup.Unknown("key", key, flags, "expected one of "+strings.Join(flags, ", ")), "limits", keyOf(key))
		case v != nil:
			n, err := table[i].Parse(fmt.Sprint(v))
			p.report(err, "limits", key)
			p.c.Limits.Set(table[i].Kind, n)
		}
	}
}

// exception reads the i-th exception.
func (p *reading) exception(i int, w *writtenException) {
	place := func(key string) []any { return []any{"exceptions", i, key} }
	x := lint.Exception{Line: p.at(p.node("exceptions", i), "").Line,
		Paths: p.texts(w.Paths, noPattern, nil, place("paths")...), Members: p.texts(w.Members, noPattern, nil, place("members")...),
		Functions: p.texts(w.Functions, noPattern, nil, place("functions")...), Rules: p.ids(w.Rules, place("rules")...),
		Reason: p.text(w.Reason, noReason, place("reason")...)}
	if w.Reason == nil {
		p.report(errors.New(noReason), "exceptions", i)
	} else if x.Paths == nil && x.Members == nil && x.Functions == nil && x.Rules == nil {
		p.report(errors.New("an exception for everything: it needs paths, members, functions or rules"), "exceptions", i)
	}
	p.c.Exceptions = append(p.c.Exceptions, x)
}
