package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
)

// Known has the names that a configuration can contain.
type Known struct {
	Rules []string // IDs
	// Consumer returns an error for an unknown consumer; nil: all are unknown.
	Consumer func(name string) error
}

// Parse reads a configuration. path is for errors, which are all *[Error]: one if data is not YAML or has
// a value of another type, otherwise all in it, joined in the order of lines.
func Parse(path string, data []byte, known Known) (*Config, error) {
	if line, what := tooMuch(data); what != "" {
		return nil, &Error{path, line, min(line, 1), what}
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // some editors write it
	var file *ast.File
	err := guard(func() (err error) {
		file, err = parser.ParseBytes(data, 0)
		return err
	})
	if err != nil {
		return nil, explain(path, err)
	}
	p := &reading{path: path, known: known, c: &Config{Path: path}}
	if len(file.Docs) > 1 {
		return nil, p.at(file.Docs[1].Body, "a second document")
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return p.c, nil
	}
	body := file.Docs[0].Body
	if tag, ok := body.(*ast.TagNode); ok { // !!map
		body = tag.Value
	}
	if node := reference(body); node != nil {
		return nil, p.at(node, "anchors, aliases and merges are not supported")
	}
	if _, ok := body.(ast.MapNode); !ok && body.Type() != ast.NullType {
		return nil, p.at(body, "not a configuration of sframe-lint: expected a mapping of keys")
	}
	var w written
	if err := guard(func() error { return yaml.NodeToValue(body, &w, yaml.Strict()) }); err != nil {
		return nil, explain(path, err)
	}
	p.body = body
	p.file(&w)
	if err := p.sortedErrors(); err != nil {
		return nil, err
	}
	return p.c, nil
}

// guard returns a panic as an error: the YAML library panics on some malformed
// input.
func guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("malformed YAML: %v", v)
		}
	}()
	return f()
}

// explain turns an error of the YAML library into an [*Error].
func explain(path string, err error) error {
	e := &Error{Path: path, Message: err.Error()}
	var y yaml.Error
	if !errors.As(err, &y) {
		return e
	}
	e.Message = y.GetMessage()
	t := y.GetToken()
	if t != nil && t.Position != nil {
		e.Line, e.Column = t.Position.Line, t.Position.Column
	}
	var unknown *yaml.UnknownFieldError
	var wrong *yaml.TypeError
	var node *yaml.UnexpectedNodeTypeError
	switch {
	case errors.As(err, &unknown) && t != nil:
		e.Message = lookup.Unknown("key", t.Value, allKeys(), "docs/configuration.md has all").Error()
	case errors.As(err, &wrong):
		e.Message = "expected a string"
		if wrong.DstType.Kind() == reflect.Bool {
			e.Message = "expected true or false"
		}
	case errors.As(err, &node) && node.Expected == ast.SequenceType:
		e.Message = "expected a list"
	case errors.As(err, &node) && node.Expected == ast.MappingType:
		e.Message = "expected a mapping"
	}
	return e
}

// reference returns the first node that stands for another one.
func reference(body ast.Node) ast.Node {
	var found ast.Node
	ast.Walk(visitor(func(n ast.Node) bool {
		switch n.Type() {
		case ast.AnchorType, ast.AliasType, ast.MergeKeyType:
			if found == nil {
				found = n
			}
		}
		return found == nil
	}), body)
	return found
}

type visitor func(ast.Node) bool

func (v visitor) Visit(n ast.Node) ast.Visitor {
	if !v(n) {
		return nil
	}
	return v
}
