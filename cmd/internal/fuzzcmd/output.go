package fuzzcmd

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/regular"
)

// output writes entries into a directory, which it creates. Nothing is written or
// removed outside of it: symbolic links in it are replaced, not followed.
type output struct {
	dir  *os.Root
	list *os.File // see listName
	rows []row
	old  map[string]string // files of an earlier run that have not been written again, with their SHA-256
}

// newOutput creates the directory. A manifest in it must be one of sframe-fuzz:
// it will be replaced, and so will the files that it lists.
func newOutput(dir string) (*output, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	o := &output{dir: root, rows: []row{}, old: map[string]string{}}
	var rows []row
	b, err := o.read(manifestName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		err = fmt.Errorf("%s: %w", filepath.Join(dir, manifestName), err)
	case json.Unmarshal(b, &rows) != nil:
		err = fmt.Errorf("%s: not a manifest of sframe-fuzz; not replaced", filepath.Join(dir, manifestName))
	default:
		for _, r := range rows {
			if filepath.IsLocal(filepath.FromSlash(r.File)) {
				o.old[r.File] = r.SHA256
			}
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, root.Close())
	}
	if err := o.adopt(); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return o, nil
}

// Until the manifest is written, a file lists what the run writes: a line with the SHA-256 and the
// name, before the file exists. A run that follows one that was killed removes those files.
const (
	listName = manifestName + ".partial"
	tempName = manifestName + ".file" // of the file that is being written
)

// adopt counts the files that a killed run has left as those of an earlier run, and begins the list
// of this one.
func (o *output) adopt() (err error) {
	b, err := o.read(listName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", filepath.Join(o.dir.Name(), listName), err)
	}
	for line := range strings.Lines(string(b)) {
		sum, name, ok := strings.Cut(line, " ")
		name, whole := strings.CutSuffix(name, "\n")
		if _, listed := o.old[name]; ok && whole && !listed && filepath.IsLocal(filepath.FromSlash(name)) {
			o.old[name] = sum
		}
	}
	if info, err := o.dir.Lstat(tempName); err == nil && info.Mode().IsRegular() {
		if err := o.dir.Remove(tempName); err != nil {
			return err
		}
	}
	if o.list, err = o.dir.OpenFile(listName, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		return err
	}
	if len(b) > 0 && b[len(b)-1] != '\n' {
		_, err = o.list.WriteString("\n")
	}
	return err
}

// read returns the contents of a regular file in the directory.
func (o *output) read(name string) ([]byte, error) {
	if info, err := o.dir.Lstat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, regular.ErrNotRegular
	}
	f, _, err := regular.OpenIn(o.dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func (o *output) add(e *entry) error {
	e.complete()
	if err := o.write(e.File, e.SHA256, e.data); err != nil {
		return err
	}
	o.rows = append(o.rows, e.row)
	return nil
}

// write writes a file with a checksum, without a row in the manifest. What has the name is removed, so
// that a symbolic link or another name of a file is not written through. A file that
// can't be written whole is removed.
func (o *output) write(name, sum string, data []byte) error {
	if dir := path.Dir(name); dir != "." {
		if err := o.dir.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		if info, err := o.dir.Lstat(dir); err != nil || !info.IsDir() {
			return errors.Join(err, fmt.Errorf("%s: not a directory", filepath.Join(o.dir.Name(), dir)))
		}
	}
	if info, err := o.dir.Lstat(name); err == nil {
		if info.IsDir() {
			return fmt.Errorf("%s: is a directory", filepath.Join(o.dir.Name(), name))
		}
		if err := o.dir.Remove(name); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(o.list, "%s %s\n", sum, name); err != nil {
		return err
	}
	f, err := o.dir.OpenFile(tempName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = o.dir.Rename(tempName, name)
	}
	if err != nil {
		return errors.Join(err, o.dir.Remove(tempName))
	}
	delete(o.old, name)
	return nil
}

// close removes the files of an earlier run, unless they were changed since,
// and writes the manifest: at any time it is the old one or the new one.
func (o *output) close() error {
	defer o.dir.Close()
	defer o.list.Close()
	for name, sum := range o.old {
		if b, err := o.read(name); err == nil && checksum(b) == sum {
			if err := o.dir.Remove(name); err != nil {
				return err
			}
		}
	}
	b, err := indented(o.rows)
	if err != nil {
		return err
	}
	const tmp = manifestName + ".tmp"
	if err := o.write(tmp, checksum(b), b); err != nil {
		return err
	}
	return errors.Join(o.dir.Rename(tmp, manifestName), o.dir.Remove(listName))
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
