package fuzzcmd

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
)

// output writes entries into a new directory. Nothing is written outside of it.
type output struct {
	dir  *os.Root
	rows []manifestEntry
}

// newOutput creates the directory. One that exists must be empty: nothing is replaced.
func newOutput(dir string) (*output, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s: not empty; name a new directory", dir)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &output{dir: root, rows: []manifestEntry{}}, nil
}

func (o *output) add(e *entry) error {
	e.complete()
	if err := o.write(e.File, e.data); err != nil {
		return err
	}
	o.rows = append(o.rows, e.manifestEntry)
	return nil
}

// write writes a file without a row in the manifest. A file that can't be written whole is removed.
func (o *output) write(name string, data []byte) error {
	if dir := path.Dir(name); dir != "." {
		if err := o.dir.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	f, err := o.dir.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, o.dir.Remove(name))
	}
	return nil
}

// close writes the manifest.
func (o *output) close() error {
	defer o.dir.Close()
	b, err := campaign.Indent(o.rows)
	if err != nil {
		return err
	}
	return o.write(manifestName, b)
}

func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
