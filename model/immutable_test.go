package model_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/model"
)

// walker calls all methods of what it meets, changes all that it can reach in
// their results, and calls them again.
type walker struct {
	t     *testing.T
	seen  map[reflect.Type]bool
	calls map[string]bool
}

// TestNothingReturnedLeadsBack changes every slice, map and pointer that the
// exported API of the package returns: a later answer must be the same.
func TestNothingReturnedLeadsBack(t *testing.T) {
	w := &walker{t, map[reflect.Type]bool{}, map[string]bool{}}
	f := at(0, 16, fre(0, sp, 8, -16), fre(4, sp, 16))
	c := craft{v: v3, abi: aarch64, aux: []byte{1, 2, 3}, fns: []fn{f, at(32, 8, fre(0, fp, 16))}, tail: []byte{7, 0, 7}}
	s := c.section(t)
	for name, fn := range map[string]any{
		"ABIs": model.ABIs, "ABIsWith": model.ABIsWith, "LookupABI": model.LookupABI, "LookupMachine": model.LookupMachine,
		"Versions": model.Versions, "FieldName": model.FieldName, "DefinedFlags": model.DefinedFlags,
	} {
		w.twice(name, reflect.ValueOf(fn))
	}
	w.methods(reflect.ValueOf(s))
	for _, want := range []string{"*model.Section.Gaps", "*model.Section.Aux", "*model.Section.Bytes",
		"model.FDE.FREs", "model.FRE.Words", "model.FRE.Row", "model.Recovery.Format", "model.ABIInfo.RegName", "model.VersionInfo.Field"} {
		assert.True(t, w.calls[want], "%s was not called", want)
	}
}

// methods calls the methods of v and goes on with their results.
func (w *walker) methods(v reflect.Value) {
	if w.seen[v.Type()] || !strings.Contains(v.Type().String(), "model.") {
		return
	}
	w.seen[v.Type()] = true
	for i := range v.NumMethod() {
		name := v.Type().String() + "." + v.Type().Method(i).Name
		w.calls[name] = true
		for _, r := range w.twice(name, v.Method(i)) {
			w.follow(r)
		}
	}
}

// follow walks the values in a result.
func (w *walker) follow(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			w.follow(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				w.follow(v.Field(i))
			}
		}
	}
	w.methods(v)
}

// twice returns the results of the second call.
func (w *walker) twice(name string, fn reflect.Value) []reflect.Value {
	args := make([]reflect.Value, fn.Type().NumIn())
	for i := range args {
		args[i] = argument(fn.Type().In(i))
	}
	first := results(fn, args)
	before := text(first)
	for _, r := range first {
		scramble(r)
	}
	second := results(fn, args)
	require.Equal(w.t, before, text(second), "%s: a caller can change what it returns", name)
	return second
}

// argument makes an argument that does for all functions with such a one.
func argument(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch x := v.Addr().Interface().(type) {
	case *model.Span:
		*x = model.Span{Len: 1 << 20}
	case *model.Version:
		*x = v3
	case *model.ABI:
		*x = aarch64
	case *model.ABIInfo:
		*x = model.LookupABI(aarch64)
	case *func(model.ABIInfo) bool:
		*x = model.ABIInfo.Known
	}
	return v
}

// results calls the function and gathers what an iterator yields.
func results(fn reflect.Value, args []reflect.Value) []reflect.Value {
	out := fn.Call(args)
	for i, r := range out {
		if r.Kind() == reflect.Func && r.Type().CanSeq() {
			all := reflect.MakeSlice(reflect.SliceOf(r.Type().In(0).In(0)), 0, 8)
			for x := range r.Seq() {
				all = reflect.Append(all, x)
			}
			out[i] = all
		}
	}
	return out
}

func text(rs []reflect.Value) string {
	var b strings.Builder
	for _, r := range rs {
		fmt.Fprintf(&b, "%+v\n", r)
	}
	return b.String()
}

// scramble changes all that a caller can reach.
func scramble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			scramble(v.Index(i))
			v.Index(i).SetZero()
		}
		if v.Len() < v.Cap() {
			v.Slice(0, v.Len()+1).Index(v.Len()).SetZero()
		}
	case reflect.Map:
		v.Clear()
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			scramble(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); v.Type().Field(i).IsExported() {
				scramble(f)
				if f.CanSet() {
					f.SetZero()
				}
			}
		}
	}
}
