package edit

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// copyAttributes gives a copy the extended attributes of the file at path, and no
// others that its directory may have added.
func copyAttributes(dst *os.File, path string) error {
	fd := int(dst.Fd())
	want, err := names(func(b []byte) (int, error) { return unix.Listxattr(path, b) })
	if err != nil {
		return fmt.Errorf("extended attributes of %s: %w", path, err)
	}
	has, err := names(func(b []byte) (int, error) { return unix.Flistxattr(fd, b) })
	if err != nil {
		return fmt.Errorf("extended attributes of %s: %w", dst.Name(), err)
	}
	for _, name := range has {
		if !slices.Contains(want, name) && !strings.HasPrefix(name, "security.") {
			if err := unix.Fremovexattr(fd, name); err != nil {
				return fmt.Errorf("extended attribute %s: %w", name, err)
			}
		}
	}
	for _, name := range want {
		if name == "security.ima" || name == "security.evm" {
			continue // a signature or checksum of the file's bytes, which change
		}
		value, err := attribute(func(b []byte) (int, error) { return unix.Getxattr(path, name, b) })
		if err == nil {
			old, olderr := attribute(func(b []byte) (int, error) { return unix.Fgetxattr(fd, name, b) })
			if olderr != nil || !bytes.Equal(old, value) {
				err = unix.Fsetxattr(fd, name, value, 0)
			}
		}
		if err != nil {
			return fmt.Errorf("extended attribute %s can't be kept: %w", name, err)
		}
	}
	return nil
}

// names returns a list of attributes; none where the file system has none.
func names(list func([]byte) (int, error)) ([]string, error) {
	b, err := attribute(list)
	if errors.Is(err, unix.ENOTSUP) {
		return nil, nil
	}
	return strings.FieldsFunc(string(b), func(r rune) bool { return r == 0 }), err
}

// attribute returns what get copies, which is at most 64 KiB long.
func attribute(get func([]byte) (int, error)) ([]byte, error) {
	b := make([]byte, 1<<16)
	n, err := get(b)
	return b[:max(n, 0)], err
}
