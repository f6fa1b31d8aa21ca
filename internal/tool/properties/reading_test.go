package properties

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

var errInjected = errors.New("injected failure of a read")

// unsteady is a file with a failing read.
type unsteady struct {
	io.ReaderAt
	mu     sync.Mutex
	reads  int
	fail   int // which read, from 1; 0 for none
	failed bool
}

func (u *unsteady) ReadAt(b []byte, off int64) (int, error) {
	u.mu.Lock()
	u.reads++
	fails := u.reads == u.fail
	u.failed = u.failed || fails
	u.mu.Unlock()
	if fails {
		return 0, errInjected
	}
	return u.ReaderAt.ReadAt(b, off)
}

// reading reads files that cannot be read completely: if a read fails or the file
// was truncated, the scan returns that error; a section above the limit is
// reported and not read. A file read by its name gives the same result.
func (r *run) reading() {
	f, name, err := r.drawFile()
	if err != nil {
		return
	}
	r.unsteady(f.Bytes, name)
	r.unsteady(r.dialect(f).bytes, "archive")
	r.input = f.Bytes
	r.limited(f.Bytes, f.Offset)
	if r.Dir != "" {
		r.named(f.Bytes)
	}
}

// unsteady reads a file with a failing read, and one that is truncated after its
// size was determined.
func (r *run) unsteady(file []byte, kind string) {
	r.input = file
	src := &unsteady{ReaderAt: bytes.NewReader(file)}
	size := int64(len(file))
	if err := r.scanAll(src, size, reader.Options{}, nil); err != nil {
		r.fail("%s: %v", kind, err)
	}
	src = &unsteady{ReaderAt: src.ReaderAt, fail: 1 + r.m.Rand.IntN(max(src.reads, 1))}
	if err := r.scanAll(src, size, reader.Options{}, nil); !src.failed || !errors.Is(err, errInjected) {
		r.fail("%s, read %d fails (%v), and the scan ends in %v", kind, src.fail, src.failed, err)
	}
	cut := bytes.NewReader(file[:r.m.Rand.Int64N(size)])
	if err := r.scanAll(cut, size, reader.Options{}, nil); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		r.fail("truncated %s: %v", kind, err)
	}
}

// limited reads the section in a file, and alone, with a limit that is less than
// its size.
func (r *run) limited(file []byte, off int64) {
	size := int64(0)
	err := r.scanAll(bytes.NewReader(file), int64(len(file)), reader.Options{}, func(o *reader.Object) { size = int64(len(o.SFrames[0].Data)) })
	if err != nil || size < 2 {
		return // reported above
	}
	section := file[off : off+size]
	opts := reader.Options{Limits: reader.Limits{reader.MaxSection: 1 + r.m.Rand.Int64N(size-1)}}
	for _, b := range [][]byte{file, section} {
		err := r.scanAll(bytes.NewReader(b), int64(len(b)), opts, func(o *reader.Object) {
			if len(o.SFrames) > 0 || len(o.Faults) != 1 || o.Faults[0].Code != reader.SectionTooLarge {
				r.fail("a section of %d bytes with a limit of %d: %d sections, faults %v", size, opts.Limits[reader.MaxSection], len(o.SFrames), o.Faults)
			}
		})
		if err != nil {
			r.fail("with a limit: %v", err)
		}
	}
}

// named checks that a file read by its name gives the same result as its bytes,
// and that a name that is not a file's is an error.
func (r *run) named(file []byte) {
	dir, err := os.MkdirTemp(r.Dir, "")
	if err != nil {
		r.fail("%v", err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		r.fail("%v", err)
		return
	}
	found, err := r.scan(path)
	if want := r.lint(file, 0); err != nil || list(found) != list(want) {
		r.fail("read by its name: %v\n%s\nnot\n%s", err, list(found), list(want))
	}
	for _, none := range []string{dir, filepath.Join(dir, "nothing")} {
		if _, err := r.scan(none); err == nil {
			r.fail("%s is read", none)
		}
	}
}

func list(all []rules.Finding) string {
	var b bytes.Buffer
	for _, f := range all {
		fmt.Fprintf(&b, "%s %v 0x%x+%d %s\n", f.Rule.ID, f.Severity, f.FileOffset, f.Span.Len, f.Message)
	}
	return b.String()
}

// scan reads a file by its name and runs the rules.
func (r *run) scan(path string) (found []rules.Finding, err error) {
	err = reader.Scan(path, reader.Options{}, func(o *reader.Object) error {
		found = append(found, r.driver.Run(o).Findings...)
		return nil
	})
	return found, err
}

// scanAll reads an input and runs the rules, which read symbols and code.
func (r *run) scanAll(in io.ReaderAt, size int64, opts reader.Options, also func(*reader.Object)) error {
	return reader.ScanReader("generated", in, size, opts, func(o *reader.Object) error {
		if also != nil {
			also(o)
		}
		r.checked(r.driver.Run(o))
		return nil
	})
}
