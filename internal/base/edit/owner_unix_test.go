//go:build unix

package edit

import (
	"io/fs"
	"syscall"
	"testing"
)

func owner(t *testing.T, info fs.FileInfo) [2]uint32 {
	t.Helper()
	s := info.Sys().(*syscall.Stat_t)
	return [2]uint32{s.Uid, s.Gid}
}
