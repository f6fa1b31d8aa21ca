package config

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml/ast"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/sframe-lint/sframe-lint/docs"
	"github.com/sframe-lint/sframe-lint/internal/suggest"
)

// schema is the published JSON Schema of the file.
var schema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	const name = "config.schema.json"
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(docs.ConfigSchema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	return c.Compile(name)
})

// form reports what the schema rejects in the value of the file.
func (p *reading) form(v any) error {
	s, err := schema()
	if err != nil {
		return err
	}
	if failed, ok := s.Validate(v).(*jsonschema.ValidationError); ok {
		p.rejected(s, failed)
	}
	return nil
}

// rejected reports the innermost causes of an error of the schema.
func (p *reading) rejected(s *jsonschema.Schema, e *jsonschema.ValidationError) {
	at := e.InstanceLocation
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		keys := keysOf(s, at)
		for _, name := range k.Properties {
			p.report(p.key(at, name), "%v", suggest.Unknown("key", name, keys, "want one of "+strings.Join(keys, ", ")))
		}
	case *kind.PropertyNames: // of severity alone; the location that the library gives is not right
		p.report(p.key([]string{"severity"}, k.Property), "%v", suggest.UnknownRule(k.Property, p.known.Rules))
	case *kind.AnyOf:
		p.report(p.node(at), "an exception for everything: it needs paths, members, functions or rules")
	case *kind.Required:
		p.report(p.node(at), "an exception without a reason")
	case *kind.Type:
		p.report(p.node(at), "want %s, not %s", nouns(k.Want), noun(p.node(at)))
	case *kind.Enum:
		p.report(p.node(at), "%v", unlisted(at, k))
	case *kind.MinLength, *kind.Pattern:
		p.report(p.node(at), "%s", blank(at))
	default:
		if len(e.Causes) == 0 {
			p.report(p.node(at), "not as the schema describes it (%s)", strings.Join(k.KeywordPath(), " "))
		}
		for _, c := range e.Causes {
			p.rejected(s, c)
		}
	}
}

// keysOf returns the keys of the mapping at a location, in order.
func keysOf(s *jsonschema.Schema, at []string) (keys []string) {
	switch {
	case len(at) > 0 && at[0] == "limits":
		s = s.Properties["limits"]
	case len(at) > 0:
		s = s.Properties["exceptions"].Items2020
	}
	for name := range s.Properties {
		keys = append(keys, name)
	}
	slices.Sort(keys)
	return keys
}

// unlisted returns an error for a value that is not one of those of the schema.
func unlisted(at []string, k *kind.Enum) error {
	var names []string
	for _, v := range k.Want {
		if name, ok := v.(string); ok {
			names = append(names, name)
		}
	}
	what := "level"
	if at[0] == "profile" {
		what = "profile"
	}
	got, ok := k.Got.(string)
	if !ok {
		return errors.New("want " + suggest.List(names, ""))
	}
	return suggest.Unknown(what, got, names, "")
}

// blank says what is wrong with an empty text.
func blank(at []string) string {
	switch at[0] {
	case "baseline":
		return "no file named"
	case "allow-sections":
		return "a section without a name"
	case "exceptions":
		if at[len(at)-1] == "reason" {
			return "an exception without a reason"
		}
	}
	return "an empty pattern matches nothing"
}

// nouns names types of the schema.
func nouns(want []string) string {
	words := map[string]string{
		"array": "a list", "object": "a mapping", "string": "a string", "boolean": "true or false", "integer": "a whole number",
	}
	var all []string
	for _, name := range want {
		if word, ok := words[name]; ok {
			all = append(all, word)
		}
	}
	return strings.Join(all, " or ")
}

// noun names what a node is.
func noun(n ast.Node) string {
	switch n.(type) {
	case *ast.SequenceNode:
		return "a list"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.StringNode, *ast.LiteralNode:
		return "a string"
	case *ast.IntegerNode, *ast.FloatNode:
		return "a number"
	case *ast.BoolNode:
		return "true or false"
	case *ast.NullNode:
		return "nothing"
	}
	return "something else"
}
