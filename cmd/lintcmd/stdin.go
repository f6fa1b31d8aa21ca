package lintcmd

import (
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/sframe-lint/sframe-lint/reader"
)

// stdinName is what standard input is called in reports.
const stdinName = "<stdin>"

// maxStream bounds what is read from a pipe, which has no size of its own.
const maxStream = 4 << 30

// scanStream scans standard input: in place where it is a file, else as a
// whole, as the structure of ELF leads back and forth.
func scanStream(r io.Reader, opts reader.Options, visit func(*reader.Object) error) error {
	if f, ok := r.(*os.File); ok {
		if fi, err := f.Stat(); err == nil && fi.Mode().IsRegular() {
			return reader.ScanReader(stdinName, f, fi.Size(), opts, visit)
		}
	}
	b, err := io.ReadAll(io.LimitReader(r, maxStream+1))
	if err != nil {
		return err
	}
	if len(b) > maxStream {
		return errors.New("standard input has more than 4 GiB")
	}
	return reader.ScanReader(stdinName, bytes.NewReader(b), int64(len(b)), opts, visit)
}
