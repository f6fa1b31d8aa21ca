package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
)

// Known has the names that a configuration may contain.
type Known struct {
	Rules []string // IDs
	// Consumer returns an error for an unknown consumer. If it is nil, all are unknown.
	Consumer func(name string) error
}

// Parse reads a configuration. path is for errors, all of type *[Error]. If data is not YAML, or a value has the
// wrong type, there is one error. Otherwise all errors are joined in the order of lines.
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

// Limits of a file. Those of its structure exclude files on which the time of the
// parser grows with the square of the nesting.
const (
	maxFile     = 64 << 10 // bytes
	maxLine     = 4 << 10  // bytes
	maxBrackets = 1024
)

// Find searches for a configuration in a directory and its parents. It returns
// "" if there is none.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, Name)
		// A broken symbolic link is an error: it was meant to be read.
		if _, err := os.Lstat(path); err == nil {
			return path, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", nil
		}
		dir = up
	}
}

// Load reads the configuration at path. Paths in it are relative to its directory. Errors: I/O, and *[Error] for its
// contents.
func Load(path string, known Known) (*Config, error) {
	data, err := regular.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, &Error{Path: path, Message: "not a configuration: it is a binary file, and not YAML"}
	}
	c, err := Parse(path, data, known)
	if err != nil {
		// A link in a tree of someone else can name any file, and messages quote it.
		if info, lerr := os.Lstat(path); lerr != nil || info.Mode()&fs.ModeSymlink != 0 {
			err = &Error{Path: path, Message: "not a valid configuration; it is a symbolic link, so its contents are not shown"}
		}
		return nil, err
	}
	c.ExcludeDir = filepath.Dir(path)
	for _, name := range []*string{&c.Baseline, &c.SourceRoot} {
		if *name != "" && !filepath.IsAbs(*name) {
			*name = filepath.Join(filepath.Dir(path), *name)
		}
	}
	return c, nil
}

// Error is an error in a configuration.
type Error struct {
	Path         string
	Line, Column int // from 1; 0: the whole file
	Message      string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

// tooMuch returns the limit that the file exceeds, "" if there is none.
func tooMuch(data []byte) (line int, what string) {
	if len(data) > maxFile {
		return 0, fmt.Sprintf("the file has more than %d bytes", maxFile)
	}
	brackets := 0
	for text := range bytes.Lines(data) {
		line++
		if len(text) > maxLine {
			return line, fmt.Sprintf("the line has more than %d bytes", maxLine)
		}
		if brackets += bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{")); brackets > maxBrackets {
			return line, fmt.Sprintf("the file has more than %d brackets and braces", maxBrackets)
		}
	}
	return 0, ""
}
