package catalogue_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// TestRulesAreFoundByName: the declaration of a rule is in a file that begins with its identifier or with the first
// of a group of consecutive ones, files that begin otherwise have no messages, and the text of the rule is beside it.
func TestRulesAreFoundByName(t *testing.T) {
	files, err := filepath.Glob("../internal/*/*.go")
	require.NoError(t, err)
	id, words, report := regexp.MustCompile(`^"(SF\d{4})"$`), regexp.MustCompile("[a-z]{3}"), regexp.MustCompile("^(FDE|FRE|At|File)$")
	fileOf := map[string]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		declares := func(x ast.Expr) {
			if lit, ok := x.(*ast.BasicLit); ok && id.MatchString(lit.Value) {
				name := strings.Trim(lit.Value, `"`)
				assert.Empty(t, fileOf[name], "%s: %s is declared twice", file, name)
				fileOf[name] = file
			}
		}
		named := strings.HasPrefix(filepath.Base(file), "sf")
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "ID" {
					declares(n.Value)
				}
			case *ast.ValueSpec: // a constant that other packages use
				for _, v := range n.Values {
					declares(v)
				}
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && !named && report.MatchString(f.Sel.Name) {
					for _, arg := range n.Args {
						lit, ok := arg.(*ast.BasicLit)
						assert.False(t, ok && words.MatchString(lit.Value), "%s has a message, but no identifier in its name", file)
					}
				}
			}
			return true
		})
	}
	last := ""
	all := catalogue.All(catalogue.Settings{})
	for _, r := range all {
		file := fileOf[r.ID]
		assert.True(t, file != "" && (file == last || strings.HasPrefix(filepath.Base(file), strings.ToLower(r.ID)+"_")), "%s is declared in %q", r.ID, file)
		assert.Equal(t, "rules/internal/"+filepath.Base(filepath.Dir(file))+"/"+r.ID+".md", rules.TextPath(r.ID), "the text is beside the rule")
		assert.NotEqual(t, rules.Off, r.Severity, "%s: its text has no severity", r.ID)
		last = file
	}
	texts, err := filepath.Glob("../internal/*/SF*")
	require.NoError(t, err)
	assert.Len(t, texts, len(all), "a text has no rule")
	assert.Len(t, fileOf, len(all))
}
