package sarif

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// officialSchema returns the JSON Schema that OASIS published with SARIF
// 2.1.0. The SARIF library has it as a constant, which it does not export.
var officialSchema = sync.OnceValues(func() (string, error) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		return "", err
	}
	file := filepath.Join(strings.TrimSpace(string(dir)), "schema.go")
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return "", err
	}
	text := ""
	ast.Inspect(tree, func(n ast.Node) bool {
		if v, ok := n.(*ast.BasicLit); ok && v.Kind == token.STRING && len(v.Value) > len(text) {
			text = v.Value
		}
		return true
	})
	return strconv.Unquote(text)
})

// validate checks a report against the official schema, formats included.
func validate(t *testing.T, report []byte) error {
	t.Helper()
	text, err := officialSchema()
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	const url = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	require.NoError(t, c.AddResource(url, doc))
	s, err := c.Compile(url)
	require.NoError(t, err)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(report))
	require.NoError(t, err)
	return s.Validate(v)
}
