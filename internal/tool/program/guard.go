package program

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sframe-lint/sframe-lint/internal/base/edit"
	"github.com/sframe-lint/sframe-lint/internal/base/regular"
	"github.com/sframe-lint/sframe-lint/reader"
)

// headSize is the number of bytes of a file that are enough to tell what it is.
const headSize = 8

// Guard returns an error if an output must not be written. Either its directory is missing, or the run uses the file
// for something else, or the file is an ELF file, an archive or an SFrame section but head, the start of the output,
// is not.
func Guard(flag, path string, needed []string, head []byte) error {
	if dir, err := os.Stat(filepath.Dir(path)); err != nil {
		return Failed(fmt.Errorf("%s: %w", flag, err))
	} else if !dir.IsDir() {
		return Failed(fmt.Errorf("%s: %s is not a directory", flag, filepath.Dir(path)))
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return Failed(fmt.Errorf("%s: %s is a directory", flag, path))
	}
	for _, other := range needed {
		same := edit.Absolute(path) == edit.Absolute(other) // perhaps neither exists yet
		if of, oerr := os.Stat(other); err == nil && oerr == nil {
			same = info.Mode().IsRegular() && os.SameFile(info, of)
		}
		if same {
			return fmt.Errorf("%s: %s is the same file as %s", flag, path, other)
		}
	}
	if old := Head(path); reader.IsInput(old) && (!reader.IsInput(head) || kind(old) != kind(head)) {
		return fmt.Errorf("%s: %s is an ELF file, an archive or an SFrame section, and is not overwritten", flag, path)
	}
	return nil
}

// Head returns the first bytes of a regular file for [Guard], nil without such a file.
func Head(path string) []byte {
	f, _, err := regular.Open(path)
	if err != nil {
		return nil // it does not exist, or has no contents to lose
	}
	defer f.Close()
	head := make([]byte, headSize)
	n, _ := io.ReadFull(f, head)
	return head[:n]
}

// kind returns what tells the kinds of inputs from each other.
func kind(head []byte) byte {
	switch head[0] {
	case 0x7f, '!':
		return head[0]
	}
	return 0 // a section, in one in either byte order
}
