package reader_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/reader"
)

// TestOpen: sections of a program, a raw section and an archive's members; files without any.
func TestOpen(t *testing.T) {
	for path, want := range map[string]int{
		"../corpus/files/binutils-2.47/amd64/program.elf": 1,
		"../corpus/files/hand/v3-amd64.sframe":            1,
	} {
		all, err := reader.Open(path)
		require.NoError(t, err)
		require.Len(t, all, want, path)
		_, _, ok := all[0].Section.At(all[0].Section.FDE(0).Start())
		assert.True(t, ok, path)
	}
	text := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(text, []byte("nothing that has sections"), 0o666))
	all, err := reader.Open(text)
	assert.ErrorContains(t, err, "text: ")
	assert.Empty(t, all)
	_, err = reader.Open(text + "-that-is-not-there")
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// TestContextEnds: reading ends with any context, and so does work on an object.
func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	opts := reader.Options{Context: ctx}
	require.NoError(t, reader.Scan("../corpus/files/hand/object.o", opts, func(o *reader.Object) error {
		require.NoError(t, o.Step(1))
		cancel()
		require.ErrorIs(t, o.Step(1), context.Canceled)
		require.ErrorIs(t, o.Context.Err(), context.Canceled)
		return nil
	}))
	require.ErrorIs(t, reader.Scan("../corpus/files/hand/object.o", opts, nil), context.Canceled)
}
