package outputtest

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// official returns the JSON Schema that OASIS published with SARIF
// 2.1.0. The SARIF library has it as a constant, which it does not export.
var sarifSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(strings.TrimSpace(string(dir)), "schema.go")
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return nil, err
	}
	longest := ""
	ast.Inspect(tree, func(n ast.Node) bool {
		if v, ok := n.(*ast.BasicLit); ok && v.Kind == token.STRING && len(v.Value) > len(longest) {
			longest = v.Value
		}
		return true
	})
	text, err := strconv.Unquote(longest)
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	const url = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := errors.Join(err, c.AddResource(url, doc)); err != nil {
		return nil, err
	}
	return c.Compile(url)
})

// ValidateSARIF checks a report against the official schema, including formats.
func ValidateSARIF(report []byte) error {
	s, err := sarifSchema()
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(report))
	if err != nil {
		return err
	}
	return s.Validate(v)
}
