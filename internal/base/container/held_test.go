package container_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/base/container"
)

// TestRPMNamesAreHeld counts the index of the names in the header of an RPM package as memory and as work: it has four
// bytes for each name, which may have one byte.
func TestRPMNamesAreHeld(t *testing.T) {
	const n = 1 << 20
	be := binary.BigEndian
	b := append([]byte("\xed\xab\xee\xdb\x03\x00"), make([]byte, 90)...)
	b = append(b, "\x8e\xad\xe8\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
	b = append(b, "\x8e\xad\xe8\x01\x00\x00\x00\x00"...)
	b = be.AppendUint32(be.AppendUint32(b, 5), n)
	for _, tag := range [][3]uint32{{1028, 4, 1}, {1030, 3, 1}, {1116, 4, 1}, {1117, 8, n}, {1118, 8, n}} {
		b = be.AppendUint32(be.AppendUint32(be.AppendUint32(be.AppendUint32(b, tag[0]), tag[1]), 0), tag[2])
	}
	b = append(append(b, make([]byte, n)...), "07070X00000000\x00\x00"...)
	v, err := walk(t, b, 1<<30)
	require.NoError(t, err)
	require.Zero(t, v.held)
	require.Greater(t, v.most, int64(n+2*4*n))
	require.Greater(t, v.steps, 2*n/64)

	// Where the index takes too much, the walk ends for that reason: nothing is wrong with the package.
	much := errors.New("too much")
	for _, ends := range []string{"memory", "work"} {
		v := &visited{files: map[string]string{}}
		o := v.options(t, 1<<30)
		hold := o.Hold
		o.Hold = func(k int64) error {
			if ends == "memory" && v.held+k > 3*n {
				return much
			}
			return hold(k)
		}
		o.Step = func() error {
			if v.steps++; ends == "work" && v.steps > n/64 {
				return much
			}
			return nil
		}
		require.ErrorIs(t, container.Walk("p", bytes.NewReader(b), int64(len(b)), container.RPM, o), much, ends)
		require.Empty(t, v.faults)
		require.Zero(t, v.held)
	}
}

// TestHoldEnds ends a walk where no memory is left, wherever that is, and gives all of it back.
func TestHoldEnds(t *testing.T) {
	full := errors.New("full")
	for name, b := range map[string][]byte{"rpm": unpacked(t, "testdata/p.rpm"), "tar": unpacked(t, "testdata/tar.xz")} {
		whole, err := walk(t, b, 1<<30)
		require.NoError(t, err, name)
		for part := range int64(8) {
			v := &visited{files: map[string]string{}}
			o := v.options(t, 1<<30)
			most := whole.most * part / 8
			o.Hold = func(n int64) error {
				if v.held+n > most && n > 0 {
					return full
				}
				v.held += n
				return nil
			}
			r := bytes.NewReader(b)
			err := container.Walk("p", r, r.Size(), container.KindOf(b[:container.HeadSize], r, r.Size()), o)
			require.ErrorIs(t, err, full, name)
			require.Zero(t, v.held, "%s, %d of 8", name, part)
		}
	}
}

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
