package docs_test

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/rules"
)

const module = "github.com/sframe-lint/sframe-lint/"

// TestNoInternalTypes: what a public package exports has no type that a program cannot name.
func TestNoInternalTypes(t *testing.T) {
	page := must.Get(os.ReadFile("README.md"))(t)
	var public []string
	for _, m := range listed.FindAllStringSubmatch(string(page), -1) {
		public = append(public, module+m[1])
	}
	c := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}"}, public...)...)
	c.Dir = ".."
	out := must.Get(c.Output())(t)
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		exports[path] = file
	}
	from := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var found []string
	for _, path := range public {
		p := must.Get(from.Import(path))(t)
		for _, name := range p.Scope().Names() {
			if token.IsExported(name) {
				found = append(found, internalTypes(p, p.Scope().Lookup(name))...)
			}
		}
	}
	assert.Empty(t, found)
}

// TestContextIsSmall: a rule's author learns ten methods. What else a rule asks for is on the values of its context, and
// what else a report has is a [rules.Option].
func TestContextIsSmall(t *testing.T) {
	of := reflect.TypeFor[*rules.Context]()
	assert.LessOrEqual(t, of.NumMethod(), 10)
}

// internalTypes lists the internal types of an exported object of a package, of its exported fields and its exported
// methods.
func internalTypes(p *types.Package, o types.Object) (found []string) {
	name := strings.TrimPrefix(p.Path(), module) + "." + o.Name()
	seen := map[types.Type]bool{}
	var look func(where string, t types.Type, own bool)
	tuple := func(where string, t *types.Tuple) {
		for v := range t.Variables() {
			look(where, v.Type(), false)
		}
	}
	fields := func(where string, s *types.Struct) {
		for f := range s.Fields() {
			if f.Exported() {
				look(where+"."+f.Name(), f.Type(), false)
			}
		}
	}
	look = func(where string, t types.Type, own bool) {
		if !own && seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Alias:
			look(where, t.Rhs(), false)
		case *types.Named:
			if in := t.Obj().Pkg(); in != nil && strings.HasPrefix(in.Path(), module) && strings.Contains(in.Path(), "internal") {
				found = append(found, where+": "+path.Base(in.Path())+"."+t.Obj().Name())
				return
			}
			for a := range t.TypeArgs().Types() {
				look(where, a, false)
			}
			if !own {
				return
			}
			look(where, t.Underlying(), false)
			for m := range t.Methods() {
				if m.Exported() {
					look(where+"."+m.Name(), m.Type(), false)
				}
			}
		case *types.Pointer:
			look(where, t.Elem(), own)
		case *types.Slice:
			look(where, t.Elem(), false)
		case *types.Array:
			look(where, t.Elem(), false)
		case *types.Chan:
			look(where, t.Elem(), false)
		case *types.Map:
			look(where, t.Key(), false)
			look(where, t.Elem(), false)
		case *types.Signature:
			tuple(where, t.Params())
			tuple(where, t.Results())
		case *types.Struct:
			fields(where, t)
		case *types.Interface:
			for m := range t.ExplicitMethods() {
				look(where+"."+m.Name(), m.Type(), false)
			}
		}
	}
	look(name, o.Type(), o.Type() != nil && isTypeName(o))
	return found
}

func isTypeName(o types.Object) bool { _, ok := o.(*types.TypeName); return ok }
