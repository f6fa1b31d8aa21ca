// Package regular opens regular files and nothing else: a FIFO would block, a device
// may have no end or do something when it is opened.
package regular

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// ErrNotRegular is the error for a directory, FIFO, socket or device.
var ErrNotRegular = errors.New("not a regular file")

// Open opens the regular file at path, also through a symbolic link, and returns its file information. It does not
// block.
func Open(path string) (*os.File, fs.FileInfo, error) {
	return openWith(path, os.Stat, open)
}

// OpenReader is [Open] for a file that is only read at offsets. seen says that the caller has just seen a regular
// file at the path, for example as a directory entry.
func OpenReader(path string, seen bool) (*Reader, error) {
	if !seen {
		switch info, err := os.Stat(path); {
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular():
			return nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
		}
	}
	return openReader(path)
}

// Size returns the size that the file had when it was opened, in bytes.
func (r *Reader) Size() int64 { return r.size }

func open(path string) (*os.File, error) { return os.OpenFile(path, readOnly, 0) }

// OpenIn is [Open] for a path below a root. It follows symbolic links that stay below the root.
func OpenIn(root *os.Root, path string) (*os.File, fs.FileInfo, error) {
	return openWith(path, root.Stat, func(path string) (*os.File, error) { return root.OpenFile(path, readOnly, 0) })
}

// openWith is [Open] with functions of the caller. The file is looked at before and
// after it is opened, since it may be another one then.
func openWith(path string, stat func(string) (fs.FileInfo, error), open func(string) (*os.File, error)) (*os.File, fs.FileInfo, error) {
	info, err := stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	f, err := open(path)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// Read returns the contents of a regular file of at most limit bytes. Of a larger file it returns limit+1 bytes. A
// limit of 0 means any size.
func Read(path string, limit int64) ([]byte, error) {
	f, _, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if limit > 0 {
		r = io.LimitReader(f, limit+1)
	}
	return io.ReadAll(r)
}
