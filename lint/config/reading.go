package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/sframe-lint/sframe-lint/budget"
	"github.com/sframe-lint/sframe-lint/coverage"
	"github.com/sframe-lint/sframe-lint/internal/producers"
	"github.com/sframe-lint/sframe-lint/rules"
)

// reading builds a configuration from the parsed file.
type reading struct {
	path  string
	known Known
	file  *ast.File
	c     *Config
}

// at returns an error at a node.
func (p *reading) at(n ast.Node, format string, args ...any) error {
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

// node finds a node by its path, as in "$.exceptions[1].reason".
func (p *reading) node(format string, args ...any) ast.Node {
	path, err := yaml.PathString(fmt.Sprintf(format, args...))
	if err != nil {
		return nil
	}
	n, err := path.FilterFile(p.file)
	if err != nil {
		return nil
	}
	return n
}

// key returns the i-th key of a mapping.
func (p *reading) key(path string, i int) ast.Node {
	switch m := p.node("%s", path).(type) {
	case *ast.MappingNode:
		return m.Values[i].Key
	case *ast.MappingValueNode:
		return m.Key
	}
	return nil
}

func (p *reading) all(r *raw) (err error) {
	c := p.c
	c.RequireSFrame, c.AllowSections = r.RequireSFrame, r.AllowSections
	for _, step := range []func() error{
		func() error { c.Select, err = p.ids(r.Select, "$.select"); return err },
		func() error { c.Ignore, err = p.ids(r.Ignore, "$.ignore"); return err },
		func() error { return p.severity(r.Severity) },
		func() error { return p.profile(r.Profile) },
		func() error { return p.show(r.Show) },
		func() error { return p.exclude(r.Exclude) },
		func() error { return p.failOn(r.FailOn) },
		func() error { return p.minCoverage(r.MinCoverage) },
		func() error { return p.consumers(r.Consumers) },
		func() error { return p.producers(r.Producers) },
		func() error { return p.baseline(r.Baseline) },
		func() error { return p.sections(r.AllowSections) },
		func() error { return p.limits(r.Limits) },
		func() error { return p.exceptions(r.Exceptions) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// ids checks IDs of rules and their beginnings.
func (p *reading) ids(list []string, path string) ([]string, error) {
	var out []string
	for i, s := range list {
		id := strings.ToUpper(strings.TrimSpace(s))
		if !p.isRule(id) {
			return nil, p.at(p.node("%s[%d]", path, i), "unknown rule or prefix %q", s)
		}
		out = append(out, id)
	}
	return out, nil
}

func (p *reading) isRule(id string) bool {
	return id != "" && slices.ContainsFunc(p.known.Rules, func(r string) bool { return strings.HasPrefix(r, id) })
}

func (p *reading) severity(all yaml.MapSlice) error {
	for _, x := range all {
		key := fmt.Sprint(x.Key)
		id := strings.ToUpper(strings.TrimSpace(key))
		at := p.node("$.severity.'%s'", key)
		if !p.isRule(id) {
			return p.at(at, "unknown rule or prefix %q", key)
		}
		level, ok := x.Value.(string)
		if x.Value == false { // older versions of YAML read "off" as false
			level, ok = "off", true
		}
		if !ok {
			return p.at(at, "want error, warning, note or off")
		}
		v, err := rules.ParseSeverity(level)
		if err != nil {
			return p.at(at, "%v", err)
		}
		p.c.Severity = append(p.c.Severity, Override{id, v})
	}
	return nil
}

func (p *reading) profile(s *string) error {
	if s == nil {
		return nil
	}
	if _, err := FindProfile(*s); err != nil || *s == "" {
		return p.at(p.node("$.profile"), "%v", cmp.Or(err, errors.New("no profile named")))
	}
	p.c.Profile = *s
	return nil
}

func (p *reading) exclude(list []string) error {
	for i, s := range list {
		if strings.TrimSpace(s) == "" {
			return p.at(p.node("$.exclude[%d]", i), "an empty pattern matches nothing")
		}
	}
	p.c.Exclude = list
	return nil
}

func (p *reading) show(s *string) (err error) {
	if s == nil {
		return nil
	}
	if p.c.Show, err = ParseLevel(*s); err != nil {
		return p.at(p.node("$.show"), "%v", err)
	}
	return nil
}

func (p *reading) failOn(s *string) error {
	if s == nil {
		return nil
	}
	if !slices.Contains([]string{"error", "warning", "note", "never"}, *s) {
		return p.at(p.node("$.fail-on"), "unknown level %q: want error, warning, note or never", *s)
	}
	p.c.FailOn = s
	return nil
}

func (p *reading) minCoverage(s *string) error {
	if s == nil {
		return nil
	}
	p.c.MinCoverage = new(coverage.Percent)
	if err := p.c.MinCoverage.Set(*s); err != nil {
		return p.at(p.node("$.min-coverage"), "%v", err)
	}
	return nil
}

func (p *reading) consumers(list []string) error {
	for i, name := range list {
		err := fmt.Errorf("unknown consumer %q", name)
		if p.known.Consumer != nil {
			err = p.known.Consumer(name)
		}
		if err != nil {
			return p.at(p.node("$.consumers[%d]", i), "%v", err)
		}
	}
	p.c.Consumers = list
	return nil
}

func (p *reading) producers(list []string) error {
	for i, name := range list {
		if _, err := producers.Quirks(name); err != nil {
			return p.at(p.node("$.producers[%d]", i), "%v", err)
		}
	}
	p.c.Producers = list
	return nil
}

func (p *reading) baseline(s *string) error {
	if s == nil {
		return nil
	}
	if *s == "" {
		return p.at(p.node("$.baseline"), "no file named")
	}
	p.c.Baseline = *s
	return nil
}

func (p *reading) sections(list []string) error {
	for i, s := range list {
		if s == "" {
			return p.at(p.node("$.allow-sections[%d]", i), "a section without a name")
		}
	}
	return nil
}

func (p *reading) limits(all yaml.MapSlice) error {
	for i, x := range all {
		n := slices.IndexFunc(budget.Table(), func(b budget.Bound) bool { return b.Flag == x.Key })
		if n < 0 {
			return p.at(p.key("$.limits", i), "unknown key %q", x.Key)
		}
		if x.Value == nil {
			continue
		}
		b := &budget.Table()[n]
		v, err := b.Parse(fmt.Sprint(x.Value))
		if err != nil {
			return p.at(p.node("$.limits.%s", b.Flag), "%v", err)
		}
		p.c.Limits.Set(b.Kind, v)
	}
	return nil
}

func (p *reading) exceptions(list []rawException) error {
	for i, r := range list {
		at := p.node("$.exceptions[%d]", i)
		if strings.TrimSpace(r.Reason) == "" {
			return p.at(at, "an exception without a reason")
		}
		if len(r.Paths)+len(r.Members)+len(r.Functions)+len(r.Rules) == 0 {
			return p.at(at, "an exception for everything: it needs paths, members, functions or rules")
		}
		x := Exception{Paths: r.Paths, Members: r.Members, Functions: r.Functions, Reason: r.Reason}
		for _, globs := range [][]string{r.Paths, r.Members, r.Functions} {
			if slices.Contains(globs, "") {
				return p.at(at, "an empty pattern matches nothing")
			}
		}
		var err error
		if x.Rules, err = p.ids(r.Rules, fmt.Sprintf("$.exceptions[%d].rules", i)); err != nil {
			return err
		}
		if e, ok := p.at(at, "").(*Error); ok {
			x.Line = e.Line
		}
		p.c.Exceptions = append(p.c.Exceptions, x)
	}
	return nil
}
