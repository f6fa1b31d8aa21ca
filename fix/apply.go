package fix

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Apply writes the plan to the file: into a copy beside it, which then takes
// its name, so that no reader sees half of it and a run that is broken off
// leaves the file as it was. Permissions stay; other names of the file (hard
// links) keep the old bytes.
func (p *Plan) Apply() (err error) {
	// A symbolic link stays one: what it leads to is replaced.
	target, err := filepath.EvalSymlinks(p.Path)
	if err != nil {
		return err
	}
	src, err := os.Open(target)
	if err != nil {
		return err
	}
	defer src.Close()
	info, err := src.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "fix", Path: p.Path, Err: errors.New("not a regular file")}
	}
	if err := p.check(info.Size()); err != nil {
		return err
	}
	// The copy could be made where the file itself must not be written.
	if w, err := os.OpenFile(target, os.O_WRONLY, 0); err != nil {
		return err
	} else {
		w.Close()
	}
	tmp, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".fix-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	err = errors.Join(p.write(tmp, src, info.Size()), tmp.Chmod(info.Mode().Perm()), tmp.Sync(), tmp.Close())
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), target)
}

// write copies the file and edits the copy.
func (p *Plan) write(dst *os.File, src io.Reader, size int64) error {
	if n, err := io.Copy(dst, src); err != nil {
		return err
	} else if n != size {
		return fmt.Errorf("%s: changed while it was read", p.Path)
	}
	for _, e := range p.Edits {
		if _, err := dst.WriteAt(e.New, e.Off); err != nil {
			return err
		}
	}
	return dst.Truncate(p.cut(size))
}
