// Package libfuzzer makes a fuzz target of package testing one of libFuzzer. The
// targets' files are compiled as they are:
//
//	go test -c -buildmode=c-archive -gcflags=all=-d=libfuzzer
//
// builds an archive that clang -fsanitize=fuzzer links. It needs a file in each
// package of targets that passes them to [Register]; integrations/oss-fuzz/build.sh writes it.
package libfuzzer

import (
	"encoding/binary"
	"math"
	"reflect"
)

// An input of libFuzzer consists of the target's fixed-size arguments (little-endian), then its byte slices and
// strings. Each of these except the last follows its length in four bytes. So the input of a target with one file is
// that file, and changing bytes of one argument changes no other argument.

// variable reports whether the values of a type differ in size.
func variable(t reflect.Type) bool { return t.Kind() == reflect.Slice || t.Kind() == reflect.String }

// decode returns arguments of the types from any bytes. Bytes that are missing are 0.
func decode(types []reflect.Type, b []byte) []any {
	args := make([]any, len(types))
	last := -1
	for i, t := range types {
		if variable(t) {
			last = i
			continue
		}
		var w [8]byte
		n := copy(w[:t.Size()], b)
		b = b[n:]
		args[i] = fixed(t, binary.LittleEndian.Uint64(w[:]))
	}
	for i, t := range types {
		if !variable(t) {
			continue
		}
		n := len(b)
		if i != last {
			var w [4]byte
			b = b[copy(w[:], b):]
			n = min(int(binary.LittleEndian.Uint32(w[:])), len(b))
		}
		args[i] = reflect.ValueOf(b[:n:n]).Convert(t).Interface()
		b = b[n:]
	}
	return args
}

// fixed returns the value of a type that has the bits.
func fixed(t reflect.Type, bits uint64) any {
	v := reflect.New(t).Elem()
	switch {
	case t.Kind() == reflect.Bool:
		v.SetBool(bits&1 != 0)
	case v.CanInt():
		v.SetInt(int64(bits))
	case v.CanUint():
		v.SetUint(bits)
	case t.Kind() == reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(uint32(bits))))
	default:
		v.SetFloat(math.Float64frombits(bits))
	}
	return v.Interface()
}

// encode returns the input that decode makes into the arguments.
func encode(args []any) []byte {
	var b []byte
	last := -1
	for i, x := range args {
		v := reflect.ValueOf(x)
		if variable(v.Type()) {
			last = i
			continue
		}
		b = append(b, binary.LittleEndian.AppendUint64(nil, bitsOf(v))[:v.Type().Size()]...)
	}
	for i, x := range args {
		v := reflect.ValueOf(x)
		if !variable(v.Type()) {
			continue
		}
		if i != last {
			b = binary.LittleEndian.AppendUint32(b, uint32(v.Len()))
		}
		b = append(b, v.Convert(reflect.TypeFor[[]byte]()).Bytes()...)
	}
	return b
}

func bitsOf(v reflect.Value) uint64 {
	switch {
	case v.Kind() == reflect.Bool && v.Bool():
		return 1
	case v.CanInt():
		return uint64(v.Int())
	case v.CanUint():
		return v.Uint()
	case v.Kind() == reflect.Float32:
		return uint64(math.Float32bits(float32(v.Float())))
	case v.CanFloat():
		return math.Float64bits(v.Float())
	}
	return 0
}
