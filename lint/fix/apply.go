package fix

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/sframe-lint/sframe-lint/internal/replace"
)

// Apply changes the file: it edits a copy in the same directory and renames it, so
// that readers see all of the change or none, and an interrupted run leaves the
// file as it was. Owner and permissions stay; other hard links keep the old bytes.
func (p *Plan) Apply() error {
	info, err := os.Stat(p.Path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "fix", Path: p.Path, Err: errors.New("not a regular file")}
	}
	if err := p.check(info.Size()); err != nil {
		return err
	}
	src, err := os.Open(p.Path)
	if err != nil {
		return err
	}
	defer src.Close()
	// The directory may be writable where the file is not.
	w, err := os.OpenFile(p.Path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	w.Close()
	return replace.File(p.Path, func(dst *os.File) error {
		return errors.Join(p.write(dst, src, info.Size()), dst.Sync())
	})
}

// write copies the file and edits the copy.
func (p *Plan) write(dst *os.File, src io.Reader, size int64) error {
	if n, err := io.Copy(dst, src); err != nil {
		return err
	} else if n != size {
		return fmt.Errorf("%s: changed while it was read", p.Path)
	}
	for _, e := range p.Edits {
		if _, err := dst.WriteAt(e.New, e.Span.Off); err != nil {
			return err
		}
	}
	return dst.Truncate(p.cut(size))
}
