package conformance_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/tool/conformance/build"
)

// TestMutants changes the plain decoder in every small way, one at a time: the suite must find each change,
// or the list of equivalent ones has it. All changes are compiled into one program, which a variable switches
// between.
func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the decoder with each of its mutants: run without -short")
	}
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	m, err := newMutator(filepath.Join(root, "internal", "tool", "plain", "plain.go"))
	require.NoError(t, err)
	dir := t.TempDir()
	overlay := map[string]string{}
	put := func(name, text string) {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		overlay[filepath.Join(root, filepath.FromSlash(name))] = file
	}
	put("internal/tool/plain/plain.go", m.source())
	put("internal/tool/plain/mutant.go", mutantSource)
	inner, err := os.ReadFile("testdata/survivors_test.txt")
	require.NoError(t, err)
	put("internal/tool/conformance/survivors_test.go", string(inner))
	b, err := json.Marshal(map[string]any{"Replace": overlay})
	require.NoError(t, err)
	list := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(list, b, 0o600))
	all, err := build.Cases("")
	require.NoError(t, err)
	var lines []byte
	for i := range all {
		line, err := all[i].Line()
		require.NoError(t, err)
		lines = append(lines, line...)
	}
	out, cases := filepath.Join(dir, "survivors.json"), filepath.Join(dir, "cases.jsonl")
	require.NoError(t, os.WriteFile(cases, lines, 0o600))
	c := exec.Command("go", "test", "-vet=off", "-count=1", "-timeout=0", "-overlay", list, "-run", "^TestSurvivors$", ".")
	c.Env = append(os.Environ(), "SFRAME_SURVIVORS="+out, "SFRAME_CASES="+cases, fmt.Sprint("SFRAME_MUTANTS=", len(m.mutants)))
	text, err := c.CombinedOutput()
	require.NoError(t, err, "%s", text)
	b, err = os.ReadFile(out)
	require.NoError(t, err)
	var survivors []int
	require.NoError(t, json.Unmarshal(b, &survivors))
	var got []string
	for _, k := range survivors {
		got = append(got, m.mutants[k-1])
	}
	b, err = os.ReadFile("testdata/equivalent.txt")
	require.NoError(t, err)
	var want []string
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			want = append(want, line)
		}
	}
	assert.ElementsMatch(t, want, got, "mutants that no case finds, against testdata/equivalent.txt")
	assert.Greater(t, len(m.mutants), 150)
	t.Logf("%d mutants, %d survive", len(m.mutants), len(survivors))
}

// mutantSource is what the changed decoder needs.
const mutantSource = `package plain

// Mutant is the number of the change that is in force, Steps how many rounds of loops are left.
var Mutant, Steps int

func tick() bool {
	if Steps--; Steps < 0 {
		panic("too many rounds")
	}
	return true
}
`

// mutator makes the mutants of a source.
type mutator struct {
	text    string
	fset    *token.FileSet
	file    *ast.File
	info    *types.Info
	mutants []string // a line each: function, expression, and what it becomes
	alts    map[ast.Expr][]alternative
	fn      string
}

// alternative is what an expression becomes in a mutant.
type alternative struct {
	number int
	text   string
}

func newMutator(path string) (*mutator, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &mutator{text: string(b), fset: token.NewFileSet(), alts: map[ast.Expr][]alternative{},
		info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	if m.file, err = parser.ParseFile(m.fset, path, b, 0); err != nil {
		return nil, err
	}
	conf := types.Config{Importer: importer.ForCompiler(m.fset, "source", nil)}
	if _, err := conf.Check("plain", m.fset, []*ast.File{m.file}, m.info); err != nil {
		return nil, err
	}
	for _, d := range m.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name != "MarshalText" && f.Name.Name != "meaningless" {
			m.fn = f.Name.Name
			m.visit(f.Body)
		}
	}
	return m, nil
}

// swaps are the operators that take the place of others.
var swaps = map[token.Token][]token.Token{
	token.LSS: {token.LEQ}, token.LEQ: {token.LSS}, token.GTR: {token.GEQ}, token.GEQ: {token.GTR}, token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND}, token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.AND: {token.OR}, token.OR: {token.AND},
	token.SHL: {token.SHR}, token.SHR: {token.SHL}, token.MUL: {token.ADD}, token.REM: {token.QUO},
}

func (m *mutator) visit(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.BasicLit:
			m.literal(e)
		case *ast.BinaryExpr:
			m.planted(e)
			if t := m.info.Types[e].Type; t != nil && !strings.Contains(t.String(), "string") {
				for _, op := range swaps[e.Op] {
					m.add(e, m.of(e.X)+" "+op.String()+" "+m.of(e.Y))
				}
			}
		case *ast.IfStmt:
			m.add(e.Cond, "false")
		case *ast.CallExpr:
			m.call(e)
		}
		return true
	})
}

// planted leaves one of two conditions out, lets a sum wrap in place of a difference, and cuts a shifted field to 5 bits.
func (m *mutator) planted(e *ast.BinaryExpr) {
	left, ok := e.X.(*ast.BinaryExpr)
	switch {
	case e.Op == token.LAND:
		m.add(e, m.of(e.X))
		m.add(e, m.of(e.Y))
	case e.Op == token.LSS && ok && left.Op == token.SUB:
		m.add(e, m.of(left.X)+" < "+m.of(left.Y)+" + "+m.of(e.Y))
	case e.Op == token.SHR:
		m.add(e, "("+m.of(e)+")&31")
	}
}

// literal changes a number by one, and a mask by a bit.
func (m *mutator) literal(e *ast.BasicLit) {
	if e.Kind != token.INT {
		return
	}
	v, err := strconv.ParseInt(e.Value, 0, 64)
	if err != nil {
		return
	}
	m.add(e, fmt.Sprint(v+1))
	if v > 0 {
		m.add(e, fmt.Sprint(v-1))
	}
	if v > 2 {
		m.add(e, fmt.Sprint(v>>1))
	}
}

// call cuts a number that is read to fewer bits, and takes it with or without its sign.
func (m *mutator) call(e *ast.CallExpr) {
	sel, ok := e.Fun.(*ast.SelectorExpr)
	if !ok || len(e.Args) != 1 || sel.Sel.Name != "uint" && sel.Sel.Name != "int" {
		return
	}
	typ, size := m.info.Types[e].Type.String(), 8
	if v := m.info.Types[e.Args[0]].Value; v != nil {
		size, _ = strconv.Atoi(v.String())
	}
	for _, bits := range []int{8, 12, 16} {
		if bits < 8*size {
			m.add(e, fmt.Sprintf("%s(%s(%s))", typ, cut(typ, bits), m.of(e)+mask(bits)))
		}
	}
	if other := map[string]string{"uint64": "int", "int64": "uint"}[typ]; other != "" && m.fn != "int" {
		m.add(e, fmt.Sprintf("%s(%s.%s(%s))", typ, m.of(sel.X), other, m.of(e.Args[0])))
	}
}

// cut is the type with a number of bits, of the same sign; mask is what no type does.
func cut(typ string, bits int) string {
	if bits == 12 {
		return typ
	}
	return strings.TrimSuffix(typ, "64") + fmt.Sprint(bits)
}

func mask(bits int) string {
	if bits == 12 {
		return "&0xfff"
	}
	return ""
}

func (m *mutator) of(n ast.Node) string {
	return m.text[m.fset.Position(n.Pos()).Offset:m.fset.Position(n.End()).Offset]
}

func (m *mutator) add(e ast.Expr, text string) {
	at := m.fset.Position(e.Pos())
	line := m.text[at.Offset-at.Column+1:]
	line = strings.TrimSpace(line[:strings.IndexByte(line, '\n')])
	m.mutants = append(m.mutants, fmt.Sprintf("%s: %s => %s  in  %s", m.fn, m.of(e), text, line))
	m.alts[e] = append(m.alts[e], alternative{len(m.mutants), text})
}

// source returns the source with all mutants.
func (m *mutator) source() string {
	type edit struct {
		at, order int
		text      string
	}
	var edits []edit
	depth := 0
	insert := func(pos token.Pos, order int, text string) {
		edits = append(edits, edit{m.fset.Position(pos).Offset, order, text})
	}
	ast.Inspect(m.file, func(n ast.Node) bool {
		depth++
		if n == nil {
			depth -= 2
			return true
		}
		if loop, ok := n.(*ast.RangeStmt); ok {
			insert(loop.Body.Lbrace+1, 0, "tick();")
		}
		e, ok := n.(ast.Expr)
		if alts := m.alts[e]; ok && len(alts) > 0 {
			var b strings.Builder
			fmt.Fprintf(&b, "(func() %s { switch Mutant {", types.Default(m.info.Types[e].Type))
			for _, a := range alts {
				fmt.Fprintf(&b, " case %d: return %s;", a.number, a.text)
			}
			b.WriteString("}; return ")
			insert(e.Pos(), depth, b.String())
			insert(e.End(), -depth, " }())")
		}
		return true
	})
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.order - b.order
	})
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(m.text[at:e.at] + e.text)
		at = e.at
	}
	return b.String() + m.text[at:]
}
