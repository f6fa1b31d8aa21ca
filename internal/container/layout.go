package container

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/internal/regular"
)

// layoutMark is the file that a directory with an OCI image has.
const layoutMark = "oci-layout"

// IsLayout reports whether a directory has an OCI image.
func IsLayout(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, layoutMark))
	return err == nil && info.Mode().IsRegular()
}

// Layout is a directory with an OCI image. Its files are opened when they are read, and none outside of it is.
type Layout struct {
	name  string
	root  *os.Root
	files map[string]blob
	open  []*os.File
	size  int64
}

// OpenLayout looks for the files of an image. Errors: I/O, and directories with too many files.
func OpenLayout(dir string) (*Layout, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	l := &Layout{name: dir, root: root, files: map[string]blob{}}
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if len(l.files) == mostBlobs {
			return fmt.Errorf("%s: an image of more than %d files", dir, mostBlobs)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		l.files[path] = blob{&lazyFile{l: l, path: path}, info.Size()}
		l.size += info.Size()
		return nil
	})
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Size returns the bytes of all files.
func (l *Layout) Size() int64 { return l.size }

// Data returns the bytes of those that are not in holes.
func (l *Layout) Data() (sum int64) {
	for path, b := range l.files {
		if f, _, err := regular.OpenIn(l.root, path); err == nil {
			sum += regular.Data(f, 0, b.size)
			f.Close()
		}
	}
	return sum
}

// Close closes the files that were read.
func (l *Layout) Close() error {
	errs := []error{l.root.Close()}
	for _, f := range l.open {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// Walk passes on the files that the processes of the image see.
func (l *Layout) Walk(o *Options) error {
	w := &walk{Options: o}
	defer w.close()
	at := place{name: l.name}
	_, err := w.image(at, l)
	return w.ended(w.fault(at, err))
}

func (l *Layout) index() (map[string]blob, error) { return l.files, nil }

// lazyFile opens a file of an image when it is read.
type lazyFile struct {
	l    *Layout
	path string
	f    *os.File
}

func (z *lazyFile) ReadAt(b []byte, off int64) (int, error) {
	if z.f == nil {
		f, _, err := regular.OpenIn(z.l.root, z.path)
		if err != nil {
			return 0, err
		}
		z.f, z.l.open = f, append(z.l.open, f)
	}
	return z.f.ReadAt(b, off)
}
