package edit

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// accessList returns an access control list, as the kernel keeps it, for a file of mode
// 0640 that user 7 may read and write.
func accessList() []byte {
	b := binary.LittleEndian.AppendUint32(nil, 2) // version
	for _, e := range []struct {
		tag, rights uint16
		id          uint32
	}{{1, 6, ^uint32(0)}, {2, 6, 7}, {4, 4, ^uint32(0)}, {0x10, 6, ^uint32(0)}, {0x20, 0, ^uint32(0)}} {
		b = binary.LittleEndian.AppendUint16(b, e.tag)
		b = binary.LittleEndian.AppendUint16(b, e.rights)
		b = binary.LittleEndian.AppendUint32(b, e.id)
	}
	return b
}

func TestAttributes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(path, nil, 0o640))
	if err := unix.Setxattr(path, "user.note", []byte("a note"), 0); errors.Is(err, unix.ENOTSUP) {
		t.Skip("the file system has no extended attributes")
	}
	require.NoError(t, unix.Setxattr(path, "user.empty", nil, 0))
	require.NoError(t, unix.Setxattr(path, "system.posix_acl_access", accessList(), 0))
	// What the directory adds to new files is no attribute of this one.
	plain := filepath.Join(dir, "plain")
	require.NoError(t, os.WriteFile(plain, nil, 0o600))
	require.NoError(t, unix.Setxattr(dir, "system.posix_acl_default", accessList(), 0))
	before, err := os.Stat(path)
	require.NoError(t, err)
	require.NoError(t, File(path, text("new")))
	require.NoError(t, File(plain, text("new")))

	value := func(path, name string) string {
		b, err := attribute(func(b []byte) (int, error) { return unix.Getxattr(path, name, b) })
		require.NoError(t, err, name)
		return string(b)
	}
	assert.Equal(t, "a note", value(path, "user.note"))
	assert.Empty(t, value(path, "user.empty"))
	assert.Equal(t, string(accessList()), value(path, "system.posix_acl_access"))
	after, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, before.Mode(), after.Mode())
	_, err = unix.Getxattr(plain, "system.posix_acl_access", nil)
	assert.ErrorIs(t, err, unix.ENODATA)
}
