package container

import (
	"archive/tar"
	"errors"
	"io"
)

// tar reads a tar archive. Links, devices and directories have no bytes; entries of all other types are files, as
// POSIX demands for types that a reader does not know.
func (w *walk) tar(at position, r io.Reader) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := w.stopped(); err != nil {
			return err
		}
		name, ok, err := w.cleanPath(at, h.Name)
		switch h.Typeflag {
		case tar.TypeXGlobalHeader:
			ok, err = false, w.call(w.Step())
		case tar.TypeLink, tar.TypeSymlink, tar.TypeChar, tar.TypeBlock, tar.TypeDir, tar.TypeFifo:
			if ok && h.Size != 0 {
				err = w.fault(at.in(name), errSized)
			}
			if ok = false; err == nil {
				err = w.call(w.Step())
			}
		}
		if err == nil && ok {
			err = w.entry(at, name, h.Size, t)
		}
		if err != nil {
			return err
		}
	}
}

// errSized is why the bytes of an entry are not read. Some programs take them for the next entries.
var errSized = errors.New("a link, directory or device with bytes, which programs read in different ways")
