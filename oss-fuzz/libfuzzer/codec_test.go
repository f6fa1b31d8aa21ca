package libfuzzer

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
)

func typesOf(args []any) (types []reflect.Type) {
	for _, x := range args {
		types = append(types, reflect.TypeOf(x))
	}
	return types
}

func TestCodec(t *testing.T) {
	for _, x := range []struct {
		args  []any
		input string
	}{
		{[]any{[]byte("file")}, "file"},
		{[]any{[]byte("file"), uint64(0x102)}, "\x02\x01\x00\x00\x00\x00\x00\x00file"},
		{[]any{"name", []byte("file"), true, int16(-2)}, "\x01\xfe\xff\x04\x00\x00\x00namefile"},
		{[]any{"", "", "x"}, "\x00\x00\x00\x00\x00\x00\x00\x00x"},
		{[]any{float32(1), 1.5, int8(-1), uint8(3), -7, 'x'}, "\x00\x00\x80\x3f\x00\x00\x00\x00\x00\x00\xf8\x3f\xff\x03\xf9\xff\xff\xff\xff\xff\xff\xffx\x00\x00\x00"},
	} {
		assert.Equal(t, x.input, string(encode(x.args)))
		assert.Equal(t, x.args, decode(typesOf(x.args), []byte(x.input)))
	}
}

// Any bytes are an input.
func TestDecodeShort(t *testing.T) {
	types := typesOf([]any{"", []byte{}, uint32(0)})
	assert.Equal(t, []any{"", []byte{}, uint32(0)}, decode(types, []byte{}))
	assert.Equal(t, []any{"", []byte{}, uint32(0x201)}, decode(types, []byte{1, 2}))
	assert.Equal(t, []any{"ab", []byte{}, uint32(0)}, decode(types, []byte("\x00\x00\x00\x00\xff\xff\xff\xffab")))
}
