package libfuzzer

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
)

// entry is what package testing calls a corpusEntry.
type entry = struct {
	Parent     string
	Path       string
	Data       []byte
	Values     []any
	Generation int
	IsSeed     bool
}

// stored returns the inputs that the package keeps for a target, as go test writes
// them: a line for each argument, such as []byte("x") or uint64(7).
func stored(dir string, types []reflect.Type) (all []entry, err error) {
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		args, err := arguments(b, types)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, entry{Path: path, Values: args})
	}
	return all, nil
}

func arguments(file []byte, types []reflect.Type) (args []any, err error) {
	version, rest, _ := bytes.Cut(bytes.TrimSpace(file), []byte("\n"))
	lines := bytes.Split(rest, []byte("\n"))
	if string(bytes.TrimSpace(version)) != "go test fuzz v1" || len(lines) != len(types) {
		return nil, errors.New("not an input for the target")
	}
	for i, line := range lines {
		v, err := argument(string(line), types[i])
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	return args, nil
}

// argument returns the value of a conversion.
func argument(line string, t reflect.Type) (any, error) {
	x, err := parser.ParseExpr(line)
	if err != nil {
		return nil, err
	}
	call, ok := x.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil, fmt.Errorf("%s: not a conversion", line)
	}
	sign := ""
	value := call.Args[0]
	if minus, ok := value.(*ast.UnaryExpr); ok && minus.Op == token.SUB {
		sign, value = "-", minus.X
	}
	v := reflect.New(t).Elem()
	switch x := value.(type) {
	case *ast.Ident:
		v.SetBool(x.Name == "true")
	case *ast.BasicLit:
		switch {
		case variable(t):
			s, err := strconv.Unquote(x.Value)
			return reflect.ValueOf(s).Convert(t).Interface(), err
		case x.Kind == token.INT && v.CanInt():
			n, err := strconv.ParseInt(sign+x.Value, 0, 64)
			v.SetInt(n)
			return v.Interface(), err
		case x.Kind == token.INT && v.CanUint():
			n, err := strconv.ParseUint(x.Value, 0, 64)
			v.SetUint(n)
			return v.Interface(), err
		}
		return nil, fmt.Errorf("%s: not a value of type %s", line, t)
	default:
		return nil, fmt.Errorf("%s: not a value of type %s", line, t)
	}
	return v.Interface(), nil
}
