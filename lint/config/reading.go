package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/coverage"
	"github.com/sframe-lint/sframe-lint/internal/producers"
	"github.com/sframe-lint/sframe-lint/internal/suggest"
	"github.com/sframe-lint/sframe-lint/rules"
)

// maxErrors is how many errors of a file are reported.
const maxErrors = 20

// reading builds a configuration from the parsed file. Values of a wrong type, which the form
// rejects, are left out.
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
	switch m := n.(type) {
	case *ast.MappingNode:
		if len(m.Values) > 0 {
			n = m.Values[0].Key
		}
	case *ast.MappingValueNode:
		n = m.Key
	}
	if n != nil && n.GetToken() != nil && n.GetToken().Position != nil {
		e.Line, e.Column = n.GetToken().Position.Line, n.GetToken().Position.Column
	}
	return e
}

// report adds an error at a node, unless there is one already.
func (p *reading) report(n ast.Node, format string, args ...any) {
	e := p.at(n, format, args...)
	if !slices.ContainsFunc(p.errs, func(x *Error) bool { return x.Line == e.Line && x.Column == e.Column }) {
		p.errs = append(p.errs, e)
	}
}

// failed returns the errors in the order of their lines, nil if there are none.
func (p *reading) failed() error {
	slices.SortFunc(p.errs, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	if more := len(p.errs) - maxErrors; more > 0 {
		p.errs = append(p.errs[:maxErrors], &Error{Path: p.path, Message: fmt.Sprintf("and %d more", more)})
	}
	var all []error
	for _, e := range p.errs {
		all = append(all, e)
	}
	if len(all) == 1 {
		return all[0]
	}
	return errors.Join(all...)
}

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
	if key, ok := pair.Key.(ast.ScalarNode); ok {
		return fmt.Sprint(key.GetValue())
	}
	return pair.Key.String()
}

// node returns the node at a location: keys and indices from the root on.
func (p *reading) node(at []string) ast.Node {
	n := p.body
	for _, step := range at {
		if list, ok := n.(*ast.SequenceNode); ok {
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(list.Values) {
				return n
			}
			n = list.Values[i]
			continue
		}
		i := slices.IndexFunc(pairs(n), func(x *ast.MappingValueNode) bool { return name(x) == step })
		if i < 0 {
			return n
		}
		n = pairs(n)[i].Value
	}
	return n
}

// key returns a key of the mapping at a location.
func (p *reading) key(at []string, key string) ast.Node {
	n := p.node(at)
	for _, x := range pairs(n) {
		if name(x) == key {
			return x.Key
		}
	}
	return n
}

// all reads the value of the file.
func (p *reading) all(v any) {
	m, _ := v.(map[string]any)
	c := p.c
	c.Select, c.Ignore = p.ids(m["select"], "select"), p.ids(m["ignore"], "ignore")
	p.severity(m["severity"])
	c.Profile, _ = m["profile"].(string)
	if s, ok := m["show"].(string); ok {
		c.Show, _ = ParseLevel(s)
	}
	if s, ok := m["fail-on"].(string); ok {
		c.FailOn = &s
	}
	if b, ok := m["require-sframe"].(bool); ok {
		c.RequireSFrame = &b
	}
	c.Exclude = p.patterns(m["exclude"], "exclude")
	p.minCoverage(m["min-coverage"])
	c.Consumers = p.names(m["consumers"], p.consumer, "consumers")
	c.Producers = p.names(m["producers"], func(name string) error {
		_, err := producers.Quirks(name)
		return err
	}, "producers")
	c.AllowSections = texts(m["allow-sections"])
	c.AllowGaps = p.patterns(m["allow-gaps"], "allow-gaps")
	c.Baseline, _ = m["baseline"].(string)
	c.SourceRoot, _ = m["source-root"].(string)
	p.names(m["path-map"], func(s string) error {
		x, err := ParsePathMap(s)
		c.PathMap = append(c.PathMap, x)
		return err
	}, "path-map")
	p.limits(m["limits"])
	list, _ := m["exceptions"].([]any)
	for i, x := range list {
		p.exception(x, strconv.Itoa(i))
	}
}

// texts returns the strings of a list, nil for another node. Elements of other types become "".
func texts(v any) []string {
	list, ok := v.([]any)
	if !ok {
		return nil
	}
	out := make([]string, len(list))
	for i := range list {
		out[i], _ = list[i].(string)
	}
	return out
}

// names returns a list of names that check accepts.
func (p *reading) names(v any, check func(name string) error, at ...string) []string {
	all := texts(v)
	for i, s := range all {
		if err := check(s); err != nil && s != "" {
			p.report(p.node(append(at, strconv.Itoa(i))), "%v", err)
		}
	}
	return all
}

// patterns returns a list of patterns. A blank one matches nothing.
func (p *reading) patterns(v any, at ...string) []string {
	return p.names(v, func(s string) error {
		if strings.TrimSpace(s) == "" {
			return errors.New("an empty pattern matches nothing")
		}
		return nil
	}, at...)
}

func (p *reading) consumer(name string) error {
	if p.known.Consumer == nil {
		return fmt.Errorf("unknown consumer %q", name)
	}
	return p.known.Consumer(name)
}

// ids returns the IDs of rules and their prefixes in a list.
func (p *reading) ids(v any, at ...string) []string {
	all := p.names(v, func(s string) error {
		if !p.isRule(capital(s)) {
			return suggest.UnknownRule(s, p.known.Rules)
		}
		return nil
	}, at...)
	for i := range all {
		if all[i] == "" && p.isText(v, i) {
			p.report(p.node(append(at, strconv.Itoa(i))), "%v", suggest.UnknownRule("", p.known.Rules))
		}
		all[i] = capital(all[i])
	}
	return all
}

func (p *reading) isText(list any, i int) bool {
	_, ok := list.([]any)[i].(string)
	return ok
}

func capital(id string) string { return strings.ToUpper(strings.TrimSpace(id)) }

func (p *reading) isRule(id string) bool {
	return id != "" && slices.ContainsFunc(p.known.Rules, func(r string) bool { return strings.HasPrefix(r, id) })
}

// severity reads levels in the order of the file: the last one that fits a rule counts.
func (p *reading) severity(v any) {
	levels, _ := v.(map[string]any)
	if levels == nil {
		return
	}
	for _, x := range pairs(p.node([]string{"severity"})) {
		id := name(x)
		if !p.isRule(capital(id)) {
			p.report(x.Key, "%v", suggest.UnknownRule(id, p.known.Rules))
			continue
		}
		level, _ := levels[id].(string)
		if levels[id] == false { // older versions of YAML read "off" as false
			level = "off"
		}
		if s, err := rules.ParseSeverity(level); err == nil {
			p.c.Severity = append(p.c.Severity, Override{capital(id), s})
		}
	}
}

func (p *reading) minCoverage(v any) {
	s, ok := v.(string)
	if !ok {
		return
	}
	p.c.MinCoverage = new(coverage.Percent)
	if err := p.c.MinCoverage.Set(s); err != nil {
		p.report(p.node([]string{"min-coverage"}), "%v", err)
	}
}

func (p *reading) limits(v any) {
	all, _ := v.(map[string]any)
	for _, b := range budget.Table() {
		v, ok := all[b.Flag]
		if !ok || v == nil {
			continue
		}
		n, err := b.Parse(fmt.Sprint(v))
		if err != nil {
			p.report(p.node([]string{"limits", b.Flag}), "%v", err)
			continue
		}
		p.c.Limits.Set(b.Kind, n)
	}
}

func (p *reading) exception(v any, i string) {
	m, _ := v.(map[string]any)
	at := func(key string) []string { return []string{"exceptions", i, key} }
	x := Exception{
		Paths: p.patterns(m["paths"], at("paths")...), Members: p.patterns(m["members"], at("members")...),
		Functions: p.patterns(m["functions"], at("functions")...), Rules: p.ids(m["rules"], at("rules")...),
		Line: p.at(p.node([]string{"exceptions", i}), "").Line,
	}
	x.Reason, _ = m["reason"].(string)
	p.c.Exceptions = append(p.c.Exceptions, x)
}
