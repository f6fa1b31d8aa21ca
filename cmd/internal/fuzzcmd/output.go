package fuzzcmd

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/internal/replace"
)

// output writes entries into a directory, which it creates.
type output struct {
	dir  string
	rows []row
	old  map[string]string // files of an earlier run that have not been written again, with their SHA-256
}

// newOutput creates the directory. A manifest in it must be one of sframe-fuzz:
// it will be replaced, and so will the files that it lists.
func newOutput(dir string) (*output, error) {
	o := &output{dir: dir, rows: []row{}, old: map[string]string{}}
	var rows []row
	b, err := os.ReadFile(filepath.Join(dir, manifestName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case json.Unmarshal(b, &rows) != nil:
		return nil, fmt.Errorf("%s: not a manifest of sframe-fuzz; not replaced", filepath.Join(dir, manifestName))
	}
	for _, r := range rows {
		if filepath.IsLocal(filepath.FromSlash(r.File)) {
			o.old[r.File] = r.SHA256
		}
	}
	return o, os.MkdirAll(dir, 0o777)
}

func (o *output) add(e *entry) error {
	e.complete()
	if err := o.write(e.File, e.data); err != nil {
		return err
	}
	o.rows = append(o.rows, e.row)
	return nil
}

// write writes a file without a row in the manifest.
func (o *output) write(name string, data []byte) error {
	path := filepath.Join(o.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if err := writeWhole(path, data); err != nil {
		return err
	}
	delete(o.old, name)
	return nil
}

// writeWhole writes a file, and removes it if that fails.
func writeWhole(path string, data []byte) error {
	err := os.WriteFile(path, data, 0o666)
	if info, serr := os.Lstat(path); err != nil && serr == nil && info.Mode().IsRegular() {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// close removes the files of an earlier run, unless they were changed since,
// and writes the manifest.
func (o *output) close() error {
	for name, sum := range o.old {
		path := filepath.Join(o.dir, filepath.FromSlash(name))
		if b, err := os.ReadFile(path); err == nil && checksum(b) == sum {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	b, err := indented(o.rows)
	if err != nil {
		return err
	}
	return replace.File(filepath.Join(o.dir, manifestName), func(f *os.File) error {
		_, err := f.Write(b)
		return err
	})
}

func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}
