package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

var clauseForm = regexp.MustCompile(`^C-[A-Z0-9]+-[A-Z0-9]+-\d+$`)

// basis adds the rule to the clause that it checks, or says what it rests on instead. It returns
// the changed file and its path.
func (s *spec) basis(read func(path string) ([]byte, error)) (path string, src []byte, err error) {
	if !clauseForm.MatchString(s.Basis) {
		path = "internal/clauses/practice.go"
		if src, err = read(path); err != nil {
			return "", nil, err
		}
		src, err = appendTo(src, "Practice", strconv.Quote(s.ID)+": "+strconv.Quote(s.Basis))
		return path, src, err
	}
	tables, err := filepath.Glob("internal/clauses/table_*.go")
	if err != nil {
		return "", nil, err
	}
	for _, path := range tables {
		path = filepath.ToSlash(path)
		src, err := read(path)
		if err != nil {
			return "", nil, err
		}
		changed, err := addToClause(src, s.Basis, s.ID)
		if err != nil || changed != nil {
			return path, changed, err
		}
	}
	return "", nil, fmt.Errorf("no clause %s in internal/clauses", s.Basis)
}

// addToClause adds a rule to those that check a clause of a table. It returns nil if the table
// does not have the clause.
func addToClause(src []byte, clause, rule string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var checked ast.Expr
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && len(lit.Elts) > 4 {
			if id, ok := lit.Elts[0].(*ast.BasicLit); ok && id.Value == strconv.Quote(clause) {
				checked = lit.Elts[4]
			}
		}
		return true
	})
	if checked == nil {
		return nil, nil
	}
	from, to := fset.Position(checked.Pos()).Offset, fset.Position(checked.End()).Offset
	rules := []byte(`[]string{` + strconv.Quote(rule) + `}`)
	if lit, ok := checked.(*ast.CompositeLit); ok && len(lit.Elts) > 0 {
		rules = slices.Concat(bytes.TrimSuffix(src[from:to], []byte("}")), []byte(", "+strconv.Quote(rule)+"}"))
	}
	return format.Source(slices.Concat(src[:from], rules, src[to:]))
}
