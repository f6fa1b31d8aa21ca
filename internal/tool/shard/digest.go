package shard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/internal/base/regular"
)

// thin begins a thin archive, whose members are in other files.
const thin = "!<thin>\n"

// Digest returns a digest of the bytes of a unit, and their number. It is "" for a unit whose bytes do not determine
// its result: one that cannot be read, and thin archives.
func Digest(path string) (digest string, bytes int64) {
	info, err := os.Stat(path)
	if err != nil {
		return "", 0
	}
	h := sha256.New()
	if !info.IsDir() {
		if bytes, err = add(h, path); err != nil {
			return "", 0
		}
		return hex.EncodeToString(h.Sum(nil)), bytes
	}
	// A unit that is a symbolic link is followed, as where it is checked: the trailing separator does it.
	err = filepath.WalkDir(path+string(filepath.Separator), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(path, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%d:%s%v", len(rel), rel, d.Type())
		if d.Type()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(name)
			fmt.Fprintf(h, "%d:%s", len(to), to)
			return err
		}
		if !d.Type().IsRegular() {
			return nil
		}
		own := sha256.New()
		n, err := add(own, name)
		bytes += n
		h.Write(own.Sum(nil))
		return err
	})
	if err != nil {
		return "", 0
	}
	return hex.EncodeToString(h.Sum(nil)), bytes
}

// errThin is the error of thin archives.
var errThin = fmt.Errorf("a thin archive")

func add(w io.Writer, path string) (int64, error) {
	f, _, err := regular.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	head := make([]byte, len(thin))
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return 0, err
	}
	if string(head[:n]) == thin {
		return 0, errThin
	}
	if _, err := w.Write(head[:n]); err != nil {
		return 0, err
	}
	rest, err := io.Copy(w, f)
	return int64(n) + rest, err
}

// state is what changes when a file is written.
type state struct {
	size, time int64
	err        bool
}

func stateOf(path string) state {
	info, err := os.Stat(path)
	if err != nil {
		return state{err: true}
	}
	return state{size: info.Size(), time: info.ModTime().UnixNano()}
}
