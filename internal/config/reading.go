package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/coverage"
	"github.com/sframe-lint/sframe-lint/internal/producers"
	"github.com/sframe-lint/sframe-lint/internal/suggest"
	"github.com/sframe-lint/sframe-lint/rules"
)

// maxErrors is the number of errors of a file that are reported.
const maxErrors = 20

// reading builds a configuration from the parsed file. Values of a wrong form are left out.
type reading struct {
	path  string
	known Known
	c     *Config
	x     Exception // that is read
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

// Errors for what is empty.
const (
	noPattern = "an empty pattern matches nothing"
	noReason  = "an exception without a reason"
)

// file returns the form of a configuration. The published schema says the same.
func (p *reading) file() form {
	c := p.c
	return form{keys: map[string]form{
		"select":   p.ids(&c.Select),
		"ignore":   p.ids(&c.Ignore),
		"severity": {each: p.severity},
		"profile":  {kind: "profile", words: ProfileNames(), take: set(&c.Profile)},
		"show": {kind: "level", words: []string{"error", "warning", "note"}, take: func(v any, _ ast.Node) (err error) {
			c.Show, err = ParseLevel(v.(string))
			return err
		}},
		"exclude":        texts(&c.Exclude, noPattern, nil),
		"fail-on":        {kind: "level", words: []string{"error", "warning", "note", "never"}, take: setNew(&c.FailOn)},
		"require-sframe": {truth: true, take: setNew(&c.RequireSFrame)},
		"min-coverage": {text: true, take: func(v any, _ ast.Node) error {
			c.MinCoverage = new(coverage.Percent)
			return c.MinCoverage.Set(v.(string))
		}},
		"consumers": texts(&c.Consumers, "a consumer without a name", p.consumer),
		"producers": texts(&c.Producers, "a producer without a name", func(name string) error {
			_, err := producers.Quirks(name)
			return err
		}),
		"allow-sections": texts(&c.AllowSections, "a section without a name", nil),
		"allow-gaps":     texts(&c.AllowGaps, noPattern, nil),
		"baseline":       {text: true, blank: "no file named", take: set(&c.Baseline)},
		"source-root":    {text: true, blank: "no directory named", take: set(&c.SourceRoot)},
		"path-map": {list: &form{text: true, needed: true, blank: "an entry that is not of the form FROM=TO", take: func(v any, _ ast.Node) error {
			x, err := ParsePathMap(v.(string))
			c.PathMap = append(c.PathMap, x)
			return err
		}}},
		"limits":     p.limits(),
		"exceptions": {list: p.exception()},
	}}
}

func set[T any](to *T) func(any, ast.Node) error {
	return func(v any, _ ast.Node) error {
		*to = v.(T)
		return nil
	}
}

func setNew[T any](to **T) func(any, ast.Node) error {
	return func(v any, _ ast.Node) error {
		x := v.(T)
		*to = &x
		return nil
	}
}

// texts returns the form of a list of strings that check accepts, unless it is nil.
func texts(to *[]string, blank string, check func(string) error) form {
	return form{
		take: func(any, ast.Node) error {
			*to = []string{}
			return nil
		},
		list: &form{text: true, needed: true, blank: blank, take: func(v any, _ ast.Node) error {
			*to = append(*to, v.(string))
			if check != nil {
				return check(v.(string))
			}
			return nil
		}},
	}
}

func (p *reading) consumer(name string) error {
	if p.known.Consumer == nil {
		return fmt.Errorf("unknown consumer %q", name)
	}
	return p.known.Consumer(name)
}

// ids returns the form of a list of IDs of rules and their prefixes.
func (p *reading) ids(to *[]string) form {
	return texts(to, "", func(id string) error {
		last := &(*to)[len(*to)-1]
		if *last = capital(id); !p.isRule(*last) {
			return suggest.UnknownRule(id, p.known.Rules, nil)
		}
		return nil
	})
}

func capital(id string) string { return strings.ToUpper(strings.TrimSpace(id)) }

func (p *reading) isRule(id string) bool {
	return id != "" && slices.ContainsFunc(p.known.Rules, func(r string) bool { return strings.HasPrefix(r, id) })
}

// severity returns the form of the level of rules. The last one that fits a rule counts.
func (p *reading) severity(id string, at ast.Node) form {
	ok := p.isRule(capital(id))
	if !ok {
		p.report(at, "%v", suggest.UnknownRule(id, p.known.Rules, nil))
	}
	return form{kind: "level", words: []string{"error", "warning", "note", "off"}, needed: true, take: func(v any, _ ast.Node) error {
		level, err := rules.ParseSeverity(v.(string))
		if ok {
			p.c.Severity = append(p.c.Severity, Override{capital(id), level})
		}
		return err
	}}
}

// limits returns the form of the limits.
func (p *reading) limits() form {
	keys := map[string]form{}
	for _, b := range budget.Table() {
		keys[b.Flag] = form{number: b.Unit != budget.Duration, text: b.Unit != budget.Count, parse: func(v any) error {
			n, err := b.Parse(fmt.Sprint(v))
			if err == nil {
				p.c.Limits.Set(b.Kind, n)
			}
			return err
		}}
	}
	return form{keys: keys}
}

// exception returns the form of an exception.
func (p *reading) exception() *form {
	x := &p.x
	return &form{
		needed: true,
		take: func(_ any, at ast.Node) error {
			*x = Exception{Line: p.at(at, "").Line}
			return nil
		},
		keys: map[string]form{
			"paths": texts(&x.Paths, noPattern, nil), "members": texts(&x.Members, noPattern, nil), "functions": texts(&x.Functions, noPattern, nil),
			"rules": p.ids(&x.Rules), "reason": {text: true, needed: true, blank: noReason, take: set(&x.Reason)},
		},
		end: func(m map[string]any) string {
			p.c.Exceptions = append(p.c.Exceptions, *x)
			if _, ok := m["reason"]; !ok {
				return noReason
			}
			if len(m) == 1 {
				return "an exception for everything: it needs paths, members, functions or rules"
			}
			return ""
		},
	}
}
