package container_test

import (
	"bufio"
	"bytes"
	"path/filepath"
	"testing"
)

func newReader(b []byte) *bufio.Reader { return bufio.NewReader(bytes.NewReader(b)) }

// FuzzWalk walks through any bytes.
func FuzzWalk(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		f.Add(unpacked(f, path))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if v, _ := walk(t, b, 8<<20); v.held != 0 {
			t.Errorf("%d bytes of memory are not given back", v.held)
		}
	})
}
