package container_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/container"
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

// extTree is an image of ext4 with a directory of two blocks, whose extents 84^3 times name the same blocks, and in it
// the directory of inode 11, with the same extents.
func extTree() []byte {
	le := binary.LittleEndian
	b := make([]byte, 64<<10)
	super := b[1024:]
	le.PutUint32(super, 1<<16)
	le.PutUint32(super[20:], 1)
	le.PutUint32(super[40:], 1<<16)
	le.PutUint16(super[56:], 0xef53)
	le.PutUint32(b[2048+8:], 3)
	node := func(block, depth, n int, to, at uint32) {
		e := b[block*1024:]
		le.PutUint16(e, 0xf30a)
		le.PutUint16(e[2:], uint16(n))
		le.PutUint16(e[6:], uint16(depth))
		for i := range n {
			e := e[12+12*i:]
			if depth > 0 {
				le.PutUint32(e[4:], to)
				continue
			}
			le.PutUint32(e, at)
			le.PutUint16(e[4:], 1)
			le.PutUint32(e[8:], to)
		}
	}
	for i, n := range []int{2, 11} {
		inode := b[3*1024+128*(n-1):]
		le.PutUint16(inode, 0o040755)
		le.PutUint32(inode[4:], 1024)
		le.PutUint32(inode[32:], 0x80000)
		copy(inode[40:], []byte{0x0a, 0xf3, 2, 0, 4, 0, 3, 0})
		le.PutUint32(inode[40+12+4:], uint32(20+i))
		le.PutUint32(inode[40+24+4:], 30)
		node(20+i, 0, 1, uint32(25+i), 0)
		entry := b[(25+i)*1024:]
		le.PutUint32(entry, uint32(11+i))
		le.PutUint16(entry[4:], 1024)
		entry[6], entry[8] = 1, 'a'
	}
	node(30, 2, 84, 31, 0)
	node(31, 1, 84, 32, 0)
	node(32, 0, 84, 6, 7)
	return b
}

// TestExtentsAreHeld counts the extents of open files as memory: a tree of them can lead to the same node very often, and
// so can those of the directories above.
func TestExtentsAreHeld(t *testing.T) {
	v, err := walk(t, extTree(), 1<<30)
	require.NoError(t, err)
	require.Empty(t, v.faults)
	require.Zero(t, v.held)
	require.Greater(t, v.most, int64(2*84*84*84*24))
}

// TestHoldEnds ends a walk where no memory is left, wherever that is, and gives all of it back.
func TestHoldEnds(t *testing.T) {
	full := errors.New("full")
	for name, b := range map[string][]byte{"ext": extTree(), "squashfs": unpacked(t, "testdata/xz.sqfs"), "rpm": unpacked(t, "testdata/p.rpm"), "iso": unpacked(t, "testdata/iso.xz")} {
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
