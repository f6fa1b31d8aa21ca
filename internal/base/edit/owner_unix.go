//go:build unix

package edit

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// copyOwner gives a file the owner and group of another one. Where that is not
// allowed, it is an error: the file would have changed hands.
func copyOwner(f *os.File, like fs.FileInfo) error {
	want, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if has, ok := info.Sys().(*syscall.Stat_t); ok && has.Uid == want.Uid && has.Gid == want.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}

// share returns another descriptor of what a descriptor of this process has open.
func share(fd int, name string) (*os.File, error) {
	n, err := syscall.Dup(fd)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	syscall.CloseOnExec(n)
	return os.NewFile(uintptr(n), name), nil
}
