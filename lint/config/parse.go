package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Known is what a configuration can name.
type Known struct {
	Rules []string // IDs
	// Consumer returns an error for an unknown consumer; nil: all are unknown.
	Consumer func(name string) error
}

// raw is the form of the file.
type raw struct {
	Select        []string       `yaml:"select"`
	Ignore        []string       `yaml:"ignore"`
	Severity      yaml.MapSlice  `yaml:"severity"`
	Profile       *string        `yaml:"profile"`
	Show          *string        `yaml:"show"`
	Exclude       []string       `yaml:"exclude"`
	FailOn        *string        `yaml:"fail-on"`
	RequireSFrame *bool          `yaml:"require-sframe"`
	MinCoverage   *string        `yaml:"min-coverage"`
	Consumers     []string       `yaml:"consumers"`
	Producers     []string       `yaml:"producers"`
	AllowSections []string       `yaml:"allow-sections"`
	Baseline      *string        `yaml:"baseline"`
	Limits        yaml.MapSlice  `yaml:"limits"`
	Exceptions    []rawException `yaml:"exceptions"`
}

type rawException struct {
	Paths     []string `yaml:"paths"`
	Members   []string `yaml:"members"`
	Functions []string `yaml:"functions"`
	Rules     []string `yaml:"rules"`
	Reason    string   `yaml:"reason"`
}

// Parse reads a configuration. The path is for errors, which are all
// *[Error].
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
	p := &reading{path: path, known: known, file: file, c: &Config{Path: path}}
	if len(file.Docs) > 1 {
		return nil, p.at(file.Docs[1].Body, "a second document")
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return p.c, nil
	}
	body := file.Docs[0].Body
	if node := reference(body); node != nil {
		return nil, p.at(node, "anchors, aliases and merges are not supported")
	}
	var r raw
	if err := guard(func() error { return yaml.NodeToValue(body, &r, yaml.Strict()) }); err != nil {
		return nil, explain(path, err)
	}
	if err := p.all(&r); err != nil {
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
	if errors.As(err, &y) {
		e.Message = y.GetMessage()
		if t := y.GetToken(); t != nil && t.Position != nil {
			e.Line, e.Column = t.Position.Line, t.Position.Column
		}
	}
	var typ *yaml.TypeError
	var node *yaml.UnexpectedNodeTypeError
	switch {
	case errors.As(err, &typ):
		e.Message = "want " + words(typ.DstType)
	case errors.As(err, &node):
		e.Message = fmt.Sprintf("want a %s here, not a %s", noun(node.Expected), noun(node.Actual))
	}
	e.Message = strings.Replace(e.Message, "unknown field", "unknown key", 1)
	return e
}

func words(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	}
	return "something else here"
}

func noun(t ast.NodeType) string {
	switch t {
	case ast.SequenceType:
		return "list"
	case ast.MappingType, ast.MappingValueType:
		return "mapping"
	case ast.StringType, ast.LiteralType:
		return "string"
	case ast.IntegerType, ast.FloatType:
		return "number"
	}
	return strings.ToLower(t.String())
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
