package libfuzzer

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// The files are as go test writes them.
func TestStored(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	args := []any{[]byte("a\x00\n"), "b\"", uint64(1 << 63), -7, true, byte(5)}
	write("x", "go test fuzz v1\n[]byte(\"a\\x00\\n\")\nstring(\"b\\\"\")\nuint64(9223372036854775808)\nint(-7)\nbool(true)\nbyte(5)\n")
	all, err := stored(dir, typesOf(args))
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, args, all[0].Values)
	all, err = stored(filepath.Join(dir, "none"), nil)
	require.NoError(t, err)
	assert.Empty(t, all)
	for _, text := range []string{"", "go test fuzz v1\n", "go test fuzz v1\nint(7)\nint(8)\n", "go test fuzz v1\nint(\"x\")\n", "go test fuzz v1\n7\n"} {
		write("x", text)
		_, err = stored(dir, typesOf([]any{0}))
		assert.Error(t, err, "%q", text)
	}
}
